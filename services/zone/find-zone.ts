// Reads what a person types as a time zone: an IANA name however it is written, a city, or an offset from UTC. An abbreviation such as CST
// is none: it means another zone in each country.
import { namedZones } from '#shared/feature/zone-card.ts'
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
  return named?.zone ?? all().find((zone) => toCity(zone) === name)
}

const all = (): readonly string[] => Intl.supportedValuesOf('timeZone')
const toName = (city: string): string => city.toLowerCase().replaceAll(' ', '_')
const toCity = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).toLowerCase()
const toProper = (name: string): string => name.replaceAll(/(?:^|[/_-])\p{L}/gu, (letter) => letter.toUpperCase())

/** The name, or the city, with so few slips that it was meant. */
function findMeant(name: string): string | undefined {
  const zones = [...all(), ...namedZones.map(({ zone }) => zone)]
  const byName = new Map(zones.flatMap((zone) => [[toCity(zone), zone] as const, [zone.toLowerCase(), zone] as const]))
  const { name: nearest, slips } = findNearest(name, [...byName.keys()])
  return slips <= Math.min(mostSlips, name.length / 3) ? byName.get(nearest) : undefined
}
