// Calls that an owner approved for good in a conversation, for thirty days: by the very same arguments, or by the host or the path of the argument
// that the tool names. Code makes them, never a model; what cannot be compared for sure is not covered.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { ours, toOurs } from '#shared/feature/kept.ts'
import type { Tool } from '#shared/model/tool.ts'

export type Scoped = Pick<Tool, 'name' | 'scope'>
export type Call = { readonly name: string; readonly arguments: string }

/** A prefix that was cut would cover more. */
const mostLike = 500
/** `like`: a hash of the arguments, or what the argument's address begins with. */
const what = z.object({
  tool: ours.max(64),
  by: z.enum(['same', 'host', 'path']),
  // An owner saw it on a card and chose it, and no model reads it.
  like: ours.max(mostLike),
})
export const pattern = what.extend({
  /** As people name it: no two of a conversation have the same. */
  no: z.number().int(),
  owner: ours,
  untilMs: z.number(),
  /** Platform ids of the messages that it comes of. */
  about: z.array(ours).max(20),
})
export type Pattern = z.infer<typeof pattern>
export type What = z.infer<typeof what>

export const patternLivesMs = 30 * 86_400_000
export const mostPatterns = 20

/** Names a call by what it does: the tool and the very arguments. */
export const toHash = ({ name, arguments: given }: Call): string => hash('sha256', `${name}\n${given}`, 'base64url')

/** What "always" would cover, as narrow as the tool allows. */
export function toPattern({ name, scope }: Scoped, call: Call): What {
  const tool = toOurs(name)
  const place = scope && toPlace(findArgument(call, scope.argument))
  if (scope?.by === 'host' && place?.host) return { tool, by: 'host', like: toOurs(place.host) }
  const from = place && `${place.host}${place.path}`
  if (scope?.by === 'path' && from && from.length <= mostLike) return { tool, by: 'path', like: toOurs(from) }
  return { tool, by: 'same', like: toOurs(toHash(call)) }
}

/** Of a pattern that was made of `scope` as the tool has it now. */
export function fits({ tool, by, like }: What, { name, scope }: Scoped, call: Call): boolean {
  if (tool !== name || name !== call.name) return false
  if (by === 'same') return like === toHash(call)
  if (scope?.by !== by) return false
  const place = toPlace(findArgument(call, scope.argument))
  if (!place) return false
  return by === 'host' ? place.host === like : isWithin(`${place.host}${place.path}`, like)
}

/** By whole segments: `/api` holds `/api/x` and not `/apix`. */
const isWithin = (path: string, prefix: string): boolean => {
  const root = prefix.replace(/\/$/, '')
  return path === prefix || path === root || path.startsWith(`${root}/`)
}

export const holding = (patterns: readonly Pattern[], nowMs: number): readonly Pattern[] =>
  patterns.filter(({ untilMs }) => untilMs > nowMs)

function findArgument({ arguments: given }: Call, argument: string): unknown {
  try {
    const read: unknown = JSON.parse(given)
    return typeof read === 'object' && read !== null && Object.hasOwn(read, argument)
      ? Reflect.get(read, argument)
      : undefined
  } catch {
    return undefined
  }
}

type Place = { readonly host: string; readonly path: string }

/** An address or a path in one form; undefined for what others may read in another way than we do. */
function toPlace(value: unknown): Place | undefined {
  if (typeof value !== 'string' || value.length > 2000 || /[\p{C}\p{Z}\\]/u.test(value)) return undefined
  if (/^https?:/i.test(value)) return toAddressPlace(value)
  const segments = value.split('/')
  const isOdd = /[%:?#;@]|\/\//.test(value) || segments.some((one) => one === '.' || one === '..')
  return isOdd || value === '' ? undefined : { host: '', path: value }
}

function toAddressPlace(value: string): Place | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:\/\/[^/]/i.test(value) || url.username !== '' || url.password !== '') return undefined
  // Before a colon or an at sign somebody may read another host.
  const authority = /^https?:\/\/([^/?#]*)/i.exec(value)?.[1] ?? ''
  if (authority.includes('@') || url.hostname.endsWith('.')) return undefined
  // Decoded twice or loosely, or taken for a separator, these lead elsewhere.
  if (/%|;|\/\//.test(url.pathname)) return undefined
  return { host: url.origin, path: url.pathname }
}
