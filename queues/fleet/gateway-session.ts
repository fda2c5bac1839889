// Where a gateway connection (Discord) stands: its session, up to which event everything is in the mailboxes, and the last message seen
// in each channel. With it another process resumes the session and gets again whatever was not stored, and after a new session
// knows from where on to ask.
import type { CallUnit } from '#queues/units.ts'

export type GatewaySession = {
  readonly sessionId: string
  readonly resumeUrl: string
  readonly shardCount: number
  /** Everything up to it is stored. */
  readonly sequence: number
}

/** By channel: an opaque word of the adapter, such as the last message's id and the kind of place. */
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
      const answer = await call('gateway', key, ['load', ''])
      const [id = '', json = '', sequence = '0', ...pairs] = Array.isArray(answer) ? answer.map(String) : []
      const seen = new Map<string, string>()
      for (let i = 0; i + 1 < pairs.length; i += 2) seen.set(pairs[i] ?? '', pairs[i + 1] ?? '')
      return { session: toSession(id, json, Number(sequence)), seen }
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

/** Undefined for what another version wrote. */
function toSession(sessionId: string, stored: string, sequence: number): GatewaySession | undefined {
  const [, count, resumeUrl = ''] = /^(\d{1,5}) (wss?:\/\/\S{1,500})$/.exec(stored) ?? []
  if (!sessionId || count === undefined || !Number.isSafeInteger(sequence)) return undefined
  return { sessionId, resumeUrl, shardCount: Number(count), sequence }
}
