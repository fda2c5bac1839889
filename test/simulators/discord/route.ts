// What a REST route is made of, and what its function gets and gives. Nothing here speaks HTTP.
import { invalidField } from './api-error.ts'
import { findPublicMessage, findWritableChannel } from './access.ts'
import type { Events } from './events.ts'
import type { CallBody } from './form-body.ts'
import type { Viewer } from './payloads.ts'
import { isSnowflake } from './snowflake.ts'
import type { Channel, StoredMessage, World } from './world.ts'

export type RouteDeps = {
  readonly world: World
  readonly events: Events
  readonly options: {
    /** How long an interaction waits for its first answer, and how long its token works. */
    readonly interactionTimeoutMs: number
    readonly interactionTokenMs: number
    /** How long `enforce_nonce` gives the same message back. */
    readonly nonceWindowMs: number
    /** What /gateway/bot recommends. */
    readonly shards: number
    readonly maxConcurrency: number
    readonly identifyLimit: number
  }
  identifiesLeft(): number
}

export type RouteCall = CallBody & {
  /** The parts of the path, by the names in the route's pattern; decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** `message` is what the call made or changed. */
export type RouteResult = { readonly status: 200 | 201 | 202 | 204; readonly body?: unknown; readonly message?: string }

export type RouteRun = (call: RouteCall) => RouteResult

/** The bot's own REST calls see content when the application has the privileged intent. */
export function restViewer({ granted }: World): Viewer {
  return { seesContent: granted.has('MessageContent') }
}

export const nothing: RouteResult = { status: 204 }

/** A part of the path that must be an id. Throws 50035 for any other text. */
export function idIn({ path }: RouteCall, name: string): string {
  const value = path[name] ?? ''
  if (!isSnowflake(value)) {
    throw invalidField([`${name}_id`], 'NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`)
  }
  return value
}

/** A channel the bot may write in, and the message in it that the path names. */
export function writableMessage(
  world: World,
  call: RouteCall,
): { readonly channel: Channel; readonly stored: StoredMessage } {
  const channel = findWritableChannel(world, idIn(call, 'channel'))
  return { channel, stored: findPublicMessage(channel, idIn(call, 'message')) }
}
