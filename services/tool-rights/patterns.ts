// Calls that an owner approved for good in a conversation, for thirty days: by the very same arguments, or by the host or the path of the argument
// that the tool names. Code makes them, never a model; what cannot be compared for sure is not covered.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { ours, toOurs } from '#shared/feature/kept.ts'
import { readArguments } from '#shared/model/call-arguments.ts'
import type { ApprovalScope, Tool } from '#shared/model/tool.ts'

export type Scoped = Pick<Tool, 'name' | 'scope'>
export type Call = { readonly name: string; readonly arguments: string }

/** A prefix that was cut would cover more. */
const mostLike = 500
const mostGiven = 200
/** `like`: a hash of the arguments, or what the argument's address begins with. */
const what = z.object({
  tool: ours.max(64),
  by: z.enum(['same', 'host', 'path']),
  // An owner saw it on a card and chose it, and no model reads it.
  like: ours.max(mostLike),
  /** Further arguments that must be the very same, as JSON; those of them that the call has. */
  given: ours.max(mostGiven).exactOptional(),
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

export const isAlike = (one: What, other: What): boolean =>
  one.tool === other.tool && one.by === other.by && one.like === other.like && one.given === other.given

/** What "always" would cover, as narrow as the tool allows. */
export function toPattern({ name, scope }: Scoped, call: Call): What {
  const tool = toOurs(name)
  const found = scope && findAlike(scope, call)
  if (!found || found.like.length > mostLike || (found.given?.length ?? 0) > mostGiven)
    return { tool, by: 'same', like: toOurs(toHash(call)) }
  const { by, like, given } = found
  return { tool, by, like: toOurs(like), ...(given === undefined ? {} : { given: toOurs(given) }) }
}

/** Of a pattern that was made of `scope` as the tool has it now. */
export function fits({ tool, by, like, given }: What, { name, scope }: Scoped, call: Call): boolean {
  if (tool !== name || name !== call.name) return false
  if (by === 'same') return like === toHash(call)
  const found = scope && findAlike(scope, call)
  if (found?.by !== by || found.given !== given) return false
  return by === 'host' ? found.like === like : isWithin(found.like, like)
}

type Alike = Pick<ApprovalScope, 'by'> & { readonly like: string; readonly given?: string }

/** Undefined for a call that is like no other. */
function findAlike({ argument, by, same, only }: ApprovalScope, call: Call): Alike | undefined {
  const read = readArguments(call.arguments)
  if (read.kind === 'unreadable' || only?.(read.input) === false) return undefined
  const given = same && { given: toGiven(read.input, same) }
  const place = toPlace(Object.hasOwn(read.input, argument) ? Reflect.get(read.input, argument) : undefined)
  if (!place) return undefined
  if (by === 'host') return place.host === '' ? undefined : { by, like: place.host, ...given }
  return place.path === '/' ? undefined : { by, like: `${place.host}${place.path}`, ...given }
}

const toGiven = (input: object, names: readonly string[]): string =>
  JSON.stringify(
    Object.fromEntries(names.flatMap((name) => (Object.hasOwn(input, name) ? [[name, Reflect.get(input, name)]] : []))),
  )

/** By whole segments: `/api` holds `/api/x` and not `/apix`. */
const isWithin = (path: string, prefix: string): boolean => {
  const root = prefix.replace(/\/$/, '')
  return path === prefix || path === root || path.startsWith(`${root}/`)
}

export const holding = (patterns: readonly Pattern[], nowMs: number): readonly Pattern[] =>
  patterns.filter(({ untilMs }) => untilMs > nowMs)

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
