// The zone that a time is said in: 9:00 UTC, 9:00+02:00, 9am EST, 3pm London time, 9:00 Europe/Berlin, 北京时间9点. A place that only stands in the text, as
// in "at 9 in London", is none. Abbreviations that mean another zone in each country are refused.
import { findZone } from '#shared/feature/find-zone.ts'
import { end, type Draft, type Piece } from './piece.ts'

/** What people of that zone call it, in summer as in winter. */
const abbreviations: Readonly<Record<string, string>> = {
  'America/New_York': 'ET EST EDT',
  'America/Chicago': 'CT CDT',
  'America/Denver': 'MT MST MDT',
  'America/Los_Angeles': 'PT PST PDT',
  'America/Anchorage': 'AKST AKDT',
  'America/Sao_Paulo': 'BRT',
  'Pacific/Honolulu': 'HST',
  'Europe/London': 'BST',
  'Europe/Lisbon': 'WET WEST',
  'Europe/Berlin': 'CET CEST MEZ MESZ',
  'Europe/Helsinki': 'EET EEST',
  'Europe/Moscow': 'MSK',
  'Africa/Johannesburg': 'SAST',
  'Asia/Hong_Kong': 'HKT',
  'Asia/Singapore': 'SGT',
  'Asia/Tokyo': 'JST',
  'Asia/Seoul': 'KST',
  'Asia/Jakarta': 'WIB',
  'Australia/Sydney': 'AEST AEDT AET',
  'Australia/Perth': 'AWST',
  'Pacific/Auckland': 'NZST NZDT',
}
const zoneOf = new Map(
  Object.entries(abbreviations).flatMap(([zone, names]) => names.split(' ').map((name) => [name, zone] as const)),
)
const regions: Readonly<Record<string, string>> = {
  eastern: 'America/New_York',
  central: 'America/Chicago',
  mountain: 'America/Denver',
  pacific: 'America/Los_Angeles',
}
/** They mean several zones. */
const unclear = ['CST', 'IST', 'AST', 'GST', 'ADT', 'WST', 'PKT']
const all = [...zoneOf.keys(), ...unclear].toSorted((one, other) => other.length - one.length).join('|')

/** With the letters as they stand: small ones are words. */
const exact = (source: string): RegExp => new RegExp(source, 'y')
const any = (source: string): RegExp => new RegExp(source, 'iy')

function toZone(name: string): Draft | undefined {
  const found = findZone(name)
  return found.kind === 'zone' ? { zone: found.zone } : undefined
}

/** Behind a time of day. */
export const trailingZones: readonly Piece[] = [
  { pattern: exact('Z(?![A-Za-z0-9])'), read: () => ({ zone: 'UTC' }) },
  {
    pattern: any(
      String.raw`\(?((?:utc|gmt) ?(?:[+-]\d{1,2}(?::?[0-5]\d)?)?|[+]\d\d:?[0-5]\d)\)?${end}(?: time${end})?`,
    ),
    read: ([, name = '']) => (/^(?:utc|gmt) ?$/i.test(name) ? { zone: 'UTC' } : toZone(name)),
  },
  {
    pattern: exact(String.raw`\(?(${all})\)?${end}(?: time${end})?`),
    read: ([, name = '']) => ({ zone: zoneOf.get(name) ?? 'unclear' }),
  },
  {
    pattern: any(String.raw`\(?([a-z]{2,16}/[a-z_]{2,24}(?:/[a-z_]{2,24})?)\)?${end}`),
    read: ([, name = '']) => toZone(name),
  },
  {
    pattern: any(String.raw`\(?(eastern|central|mountain|pacific)(?: (?:standard|daylight))? time\)?${end}`),
    read: ([, name = '']) => ({ zone: regions[name.toLowerCase()] ?? 'unclear' }),
  },
  // Of one word, two or three: New York, Ho Chi Minh.
  ...[1, 2, 3].map((words): Piece => ({
    pattern: any(
      String.raw`\(?(?:in )?([\p{L}.'’-]{2,20}(?: [\p{L}.'’-]{2,20}){${words - 1}}) time\)?${end}`.replaceAll(
        String.raw`\p{L}`,
        'a-zà-ÿ',
      ),
    ),
    read: ([, name = '']) => toZone(name),
  })),
  { pattern: any('[(（]?([\u4e00-\u9fff]{2,6}?)(?:当地)?时间[)）]?'), read: ([, name = '']) => toZone(name) },
]

/** In front of a time of day, where Chinese has it. */
export const leadingZones: readonly Piece[] = [
  {
    pattern: any('([\u4e00-\u9fff]{2,6}?)(?:当地)?时间(?=[^的]{0,8}[点时:：])'),
    read: ([, name = '']) => toZone(name),
  },
  { pattern: any('(?:utc|gmt|格林尼治)(?:标准)?(?:时间)? ?(?=[^的]{0,8}[点时:：])'), read: () => ({ zone: 'UTC' }) },
]

const isoTime =
  /\b(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(?:(-\d{2}:\d{2})(?!:?\d)|(?=Z|\+\d|[^\d:]|$))/

/** A time as programs write it, `2026-12-24T09:00:00Z`, as people do; the first one. */
export const withoutIso = (line: string): string =>
  line.replace(isoTime, (_, day: string, time: string, offset: string | undefined) =>
    offset === undefined ? `${day} ${time}` : `${day} ${time} UTC${offset}`,
  )
