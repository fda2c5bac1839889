// Gateway sessions and the events in them, apart from sockets. A session goes started → attached ⇄ detached → ended. While detached
// it collects events; a resume replays those after the client's last one. It ends when the client closes with 1000 or 1001, when
// Discord invalidates it, or when it stays detached for longer than its life.
import { randomBytes } from 'node:crypto'
import { intents } from './bits.ts'
import type { Viewer } from './payloads.ts'

const bufferLimit = 5000

export type GatewayEvent = { readonly op: 0; readonly t: string; readonly s: number; readonly d: unknown }

/** What a session writes to; `send` may be deaf when the connection is half-open. */
export type Line = { send(event: GatewayEvent): void; replace(): void }

export type Session = Viewer & {
  readonly id: string
  readonly shard: number
  readonly shards: number
  readonly intents: number
  seq: number
  readonly events: GatewayEvent[]
  line: Line | undefined
  detachedAt: number | undefined
}

export type Dispatch = {
  readonly t: string
  /** Undefined for what happens in direct channels or to the application: shard 0 gets it. */
  readonly guild: string | undefined
  /** The intent it takes; 0 for none. */
  readonly intent: number
  readonly toData: (viewer: Viewer) => unknown
}

export type Sessions = {
  start(options: Pick<Session, 'shard' | 'shards' | 'intents'>, line: Line): Session
  /** The session, with the events after `seq` already sent; `invalid` when it is unknown, ended or never got that far. */
  resume(id: string, seq: number, line: Line): { readonly session: Session; readonly replayed: number } | 'invalid'
  detach(session: Session, line: Line): void
  end(session: Session): void
  /** Gives one session an event. */
  send(session: Session, t: string, d: unknown): void
  /** Gives an event to every session that asked for it. */
  dispatch(event: Dispatch): void
  readonly all: ReadonlyMap<string, Session>
}

/** Which of so many shards a guild belongs to. */
export function shardOf(guild: string | undefined, shards: number): number {
  return guild === undefined ? 0 : Number((BigInt(guild) >> 22n) % BigInt(shards))
}

export function createSessions(lifeMs: number): Sessions {
  const all = new Map<string, Session>()
  const isExpired = (session: Session) => session.detachedAt !== undefined && Date.now() - session.detachedAt > lifeMs
  const send = (session: Session, t: string, d: unknown) => {
    session.seq += 1
    const event: GatewayEvent = { op: 0, t, s: session.seq, d }
    session.events.push(event)
    if (session.events.length > bufferLimit) session.events.shift()
    session.line?.send(event)
  }
  return {
    all,
    send,
    start: (options, line) => {
      const session: Session = {
        ...options,
        id: randomBytes(16).toString('hex'),
        seesContent: (options.intents & intents.MessageContent) !== 0,
        seq: 0,
        events: [],
        line,
        detachedAt: undefined,
      }
      all.set(session.id, session)
      return session
    },
    resume: (id, seq, line) => {
      const session = all.get(id)
      if (session === undefined || seq > session.seq || isExpired(session)) return 'invalid'
      const missed = session.events.filter((event) => event.s > seq)
      if (missed.length < session.seq - seq) return 'invalid'
      const older = session.line
      session.line = line
      session.detachedAt = undefined
      older?.replace()
      for (const event of missed) line.send(event)
      return { session, replayed: missed.length }
    },
    detach: (session, line) => {
      if (session.line !== line) return
      session.line = undefined
      session.detachedAt = Date.now()
    },
    end: (session) => {
      session.line = undefined
      all.delete(session.id)
    },
    dispatch: ({ t, guild, intent, toData }) => {
      for (const session of all.values()) {
        if (isExpired(session)) all.delete(session.id)
        else if (intent !== 0 && (session.intents & intent) === 0) continue
        else if (shardOf(guild, session.shards) === session.shard) send(session, t, toData(session))
      }
    },
  }
}
