// Reads what was stored as JSON, by this release or by another one that works beside it.
import type { z } from 'zod'
import { BotError } from './errors.ts'

/**
 * What is stored, with the fields that only a newer release knows, so that they are there when it is stored again. The schema checks, and
 * changes nothing. Throws BotError `store-newer` for a kind or a version that this release does not know, `store-corrupt` for what can be
 * nothing at all.
 */
export function readStored<T>(what: string, schema: z.ZodType<T>, text: string): T {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new BotError('store-corrupt', `CORRUPT A stored ${what} is not JSON.`, { cause })
  }
  const isFit = (found: unknown): found is T => schema.safeParse(found).success
  if (isFit(json)) return json
  const issues = schema.safeParse(json).error?.issues ?? []
  const newer = isObject(json) ? findNewer(json, issues) : undefined
  if (newer !== undefined)
    throw new BotError('store-newer', `A stored ${what} has ${newer}, which only a newer release knows.`)
  const where = issues[0]?.path.join('.') || 'v'
  throw new BotError('store-corrupt', `CORRUPT A stored ${what} has an unknown shape at "${where}".`)
}

/** Its version, or the kind that tells the shapes of a union apart, whatever that field is called. */
function findNewer(json: Readonly<Record<string, unknown>>, issues: readonly z.core.$ZodIssue[]): string | undefined {
  if (Number.isInteger(json['v']) && Number(json['v']) > 1) return `version ${String(json['v'])}`
  for (const { code, path } of issues) {
    const [name, ...deeper] = path
    const value = typeof name === 'string' && deeper.length === 0 ? json[name] : undefined
    if (code === 'invalid_union' && typeof value === 'string') return `the ${String(name)} "${value.slice(0, 40)}"`
  }
  return undefined
}

/**
 * What a schema made of what is stored, with what it left out, at every depth. Where it made something new, what it left out went into that,
 * as when it reads an older shape: there the old would be read again, in the place of the new.
 */
export function withUnknown(stored: unknown, read: unknown): unknown {
  if (Array.isArray(stored) && Array.isArray(read) && stored.length === read.length)
    return read.map((item, i) => withUnknown(stored[i], item))
  if (!isObject(stored) || !isObject(read)) return read
  if (Object.keys(read).some((name) => !(name in stored))) return read
  const merged = Object.entries(stored).map(([name, value]) => [
    name,
    name in read ? withUnknown(value, read[name]) : value,
  ])
  return Object.fromEntries(merged)
}

/** What a schema made an instance of a class knows its own fields. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
