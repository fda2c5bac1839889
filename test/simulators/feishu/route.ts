// What a route of the server API is made of, and what its function gets and gives. Nothing here speaks HTTP.
import type { z } from 'zod'
import { fieldsInvalid } from './api-error.ts'
import type { CallBody } from './call-body.ts'
import type { Events } from './events.ts'
import type { Limits } from './limits.ts'
import type { Tokens } from './tokens.ts'
import type { World } from './world.ts'

export type RouteOptions = {
  /** How long a `uuid` gives the same message back; Feishu's is 1 h. */
  readonly uuidWindowMs: number
  /** How long a stream may last before the server closes it; Feishu's is 10 min. */
  readonly streamLifeMs: number
  /** How long a press waits for its answer; Feishu's is 3 s. */
  readonly pressTimeoutMs: number
}

export type RouteDeps = {
  readonly world: World
  readonly events: Events
  readonly limits: Limits
  readonly tokens: Tokens
  readonly options: RouteOptions
  /** Where to connect for events, undefined when there are too many connections; and what a client is told about it. */
  connectUrl(): string | undefined
  clientConfig(): Readonly<Record<string, number>>
  /** How events and callbacks are pushed, as the developer's console has it. */
  subscriptions(): { readonly mode: 'websocket' | 'webhook'; readonly url?: string | undefined }
}

export type RouteCall = CallBody & {
  /** The parts of the path, by the names in the route's pattern; decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** `data` goes into the envelope, `top` beside its code; `message` is what the call made or changed. */
export type RouteResult = {
  readonly data?: unknown
  readonly top?: Readonly<Record<string, unknown>>
  readonly bytes?: { readonly type: string; readonly content: Buffer }
  readonly message?: string | undefined
}

export type Run = (deps: RouteDeps, call: RouteCall) => RouteResult

/** The body as the schema reads it. Throws 99992402, which names the fields. */
export function check<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  throw fieldsInvalid(
    parsed.error.issues.map(({ path, message }) => ({ field: path.map(String).join('.'), description: message })),
  )
}
