// Reads what a person types as a time zone: an IANA name however it is written, a city, a country with one zone, or an offset from UTC; also within
// a short sentence that says where they are. An abbreviation such as CST is none: it means another zone in each country.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { namedZones } from './named-zones.ts'
import places from './places.json' with { type: 'json' }
import { findNearest } from '#shared/nearest.ts'

export type FoundZone =
  | { readonly kind: 'zone'; readonly zone: string }
  | { readonly kind: 'unknown'; /** What was probably meant. */ readonly nearest: string | undefined }

const offset = /^(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?([0-5]\d))?$/i
const mostSlips = 3

export function findZone(typed: string): FoundZone {
  const name = typed.trim().replaceAll(/\s+/g, '_').toLowerCase()
  const [, sign, hours = '', minutes = '00'] = offset.exec(typed.trim()) ?? []
  const isZero = Number(hours) === 0 && Number(minutes) === 0
  const offsetZone = isZero ? 'UTC' : `${sign}${hours.padStart(2, '0')}:${minutes}`
  const wanted = sign ? offsetZone : (toZone(name) ?? '')
  const zone = toKnown(wanted)
  return zone === undefined ? { kind: 'unknown', nearest: findMeant(name) } : { kind: 'zone', zone }
}

/**
 * The name in its usual letters where the platform knows it: it may know an older one better (Asia/Calcutta), and then it stays as it is meant. But
 * old names that are no city's (US/Pacific, Australia/NSW), whose letters nobody can tell, become the zone that they mean.
 */
function toKnown(wanted: string): string | undefined {
  try {
    const resolved = new Intl.DateTimeFormat('en', { timeZone: wanted }).resolvedOptions().timeZone
    const isCity = all().some((zone) => zone.startsWith(`${wanted.split('/')[0]}/`)) && /[^/]{4}$/.test(wanted)
    return resolved.toLowerCase() === wanted.toLowerCase() || !isCity ? resolved : wanted
  } catch {
    return undefined
  }
}

/** By its whole name, or by its city. */
function toZone(name: string): string | undefined {
  if (name === 'utc' || name === 'gmt') return 'UTC'
  if (name.includes('/')) return toProper(name)
  const named = namedZones.find(({ city }) => Object.values(city).some((one) => toName(one) === name))
  return named?.zone ?? all().find((zone) => toCity(zone) === name) ?? placed.get(name.replaceAll('_', ' '))
}

/** Cities and countries that have no zone of their own name. */
const placed = new Map(
  Object.entries(places).flatMap(([zone, names]) => names.split(' | ').map((name) => [name, zone] as const)),
)

/** Longer than where somebody says that they are. */
const longestChars = 80
const lead =
  /^(?:(?:hi|hey|hello|ok|okay|well|yes)[ ,.!]{1,3})?(?:(?:i|we)(?:'m| am|'re| are)(?: (?:now|currently|here))?(?: in| at| from| near)?|(?:i|we) (?:live|work|stay) in|my (?:time ?zone|zone|city) is|it is|it's|time ?zone:?|in|use)(?: the)? +(?=\S)/
const tail = /(?:[ ,]{0,2}(?:time ?zone|time|please|now|here|thanks))$/
const hanLead =
  /^(?:你好[,!。]?)?(?:我们?|咱们?)?(?:现在|目前)?(?:人|住|就|家)?(?:在|住在|是|来自|时区是|的时区是)?(?=\S)/
const hanTail = /(?:时区|时间|这边|这里|市|呢|吧|的)$/

/** Where somebody says that they are, which may be unknown; undefined where more is said than that. */
export function findZoneSaid(words: string): FoundZone | undefined {
  if (words.length > longestChars || /[?？]/.test(words)) return undefined
  const said = toNormalForm(words, 'NFKC')
    .replaceAll('’', "'")
    .trim()
    .replace(/[.!。]{1,3}$/, '')
    .replaceAll(/\s{1,80}/g, ' ')
  const core = said.toLowerCase().replace(lead, '').replace(tail, '').replace(tail, '').trim()
  const han = core.replace(hanLead, '').replace(hanTail, '')
  // "Lyon, France": the city says more than its country.
  const tries = [said, core, han, ...core.split(/, ?/, 2)].filter((one) => one !== '')
  const found = tries.map((one) => findZone(one))
  const known = found.find(({ kind }) => kind === 'zone')
  if (known) return known
  const isPlace = core.split(' ').length <= mostWords && (!/\p{Script=Han}/u.test(core) || han.length <= mostHan)
  return isPlace ? { kind: 'unknown', nearest: undefined } : undefined
}
const mostWords = 3
const mostHan = 8

const all = (): readonly string[] => Intl.supportedValuesOf('timeZone')
const toName = (city: string): string => city.toLowerCase().replaceAll(' ', '_')
const toCity = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).toLowerCase()
const toProper = (name: string): string => name.replaceAll(/(?:^|[/_-])\p{L}/gu, (letter) => letter.toUpperCase())

/** The name, or the city, with so few slips that it was meant. */
function findMeant(name: string): string | undefined {
  // No zone has so long a name, and comparing takes longer with each letter.
  if (name.length > 40) return undefined
  const zones = [...all(), ...namedZones.map(({ zone }) => zone)]
  const byName = new Map(zones.flatMap((zone) => [[toCity(zone), zone] as const, [zone.toLowerCase(), zone] as const]))
  const { name: nearest, slips } = findNearest(name, [...byName.keys()])
  return slips <= Math.min(mostSlips, name.length / 3) ? byName.get(nearest) : undefined
}
