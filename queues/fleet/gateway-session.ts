// Where a gateway connection (Discord) stands: its session, up to which event everything is in the mailboxes, and the last message seen
// in each channel. With it another process resumes the session and gets again whatever was not stored, and after a new session
// knows from where on to ask.
import { groups, list, text } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'

export type GatewaySession = {
  readonly sessionId: string
  readonly resumeUrl: string
  readonly shardCount: number
  /** Everything up to it is stored. */
  readonly sequence: number
}

/** By channel: an opaque word of the adapter, such as the last message's id and the channel's kind. */
export type Seen = ReadonlyMap<string, string>

export type GatewayStore = {
  load(): Promise<{ readonly session: GatewaySession | undefined; readonly seen: Seen }>
  /** A new session takes the place of the stored one. */
  open(session: GatewaySession): Promise<void>
  /** Everything of the session up to `sequence` is stored, and `seen` with it. Never turns back. */
  advance(sessionId: string, sequence: number, seen: Seen): Promise<void>
  forget(channels: readonly string[]): Promise<void>
}

/** As many channels as one call may name. */
const most = 1000

/** `name` tells the shard among all bots of all platforms, e.g. `gateway-discord-4711-0`. */
export function createGatewayStore(call: CallUnit, name: string): GatewayStore {
  const key = `fl:{${name}}`
  return {
    async load() {
      const [id, json, sequence] = list(await call('gateway', key, ['load', '']))
      return { session: toSession(text(id), text(json), Number(sequence)), seen: await readSeen(call, key) }
    },
    async open({ sessionId, resumeUrl, shardCount, sequence }) {
      await call('gateway', key, ['open', sessionId, `${shardCount} ${resumeUrl}`, sequence])
    },
    async advance(sessionId, sequence, seen) {
      const entries = [...seen]
      for (let at = 0; at < Math.max(entries.length, 1); at += most) {
        await call('gateway', key, ['advance', sessionId, sequence, ...entries.slice(at, at + most).flat()])
      }
    },
    async forget(channels) {
      for (let at = 0; at < channels.length; at += most) {
        await call('gateway', key, ['forget', ...channels.slice(at, at + most)])
      }
    },
  }
}

/** All of it, page by page: a bot of many servers sees tens of thousands of channels. */
async function readSeen(call: CallUnit, key: string): Promise<Seen> {
  const seen = new Map<string, string>()
  let cursor = '0'
  do {
    const [next, pairs] = list(await call('gateway', key, ['seen', '', cursor]))
    for (const [channel, word] of groups(list(pairs), 2)) seen.set(text(channel), text(word))
    cursor = text(next)
  } while (cursor !== '0')
  return seen
}

/** Undefined for what another version wrote. */
function toSession(sessionId: string, stored: string, sequence: number): GatewaySession | undefined {
  const [, count, resumeUrl = ''] = /^(\d{1,5}) (wss?:\/\/\S{1,500})$/.exec(stored) ?? []
  if (!sessionId || count === undefined || !Number.isSafeInteger(sequence)) return undefined
  return { sessionId, resumeUrl, shardCount: Number(count), sequence }
}
