// Every REST call with its time, body and outcome, and what happened on the gateway. A call ends once; the first cause wins:
// `ok` answered; `refused` answered with an error; `lost` took effect, but its answer never came; `dropped` neither;
// `aborted` the client left before its answer, `accepted` tells whether it took effect.
import { createBell, type Bell } from '#test/simulators/signals.ts'

export type DiscordOutcome = 'ok' | 'refused' | 'lost' | 'dropped' | 'aborted'

export type DiscordLedgerEntry = {
  /** Counts from 1, in order of arrival. */
  readonly n: number
  /** ms since 1970. */
  readonly at: number
  /** The name of the route, as `createMessage`; `unknown` for one that does not exist. */
  readonly route: string
  /** Such as `POST /channels/1/messages`, decoded. */
  readonly call: string
  readonly channel: string | undefined
  readonly body: unknown
  /** Uploaded files. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
  outcome: 'open' | DiscordOutcome
  /** Whether the call took effect. */
  accepted: boolean
  /** It came although an earlier answer had told that its bucket, or the whole bot, must wait: a request during a flood wait. */
  isDuringWait: boolean
  status: number | undefined
  /** Discord's JSON error code. */
  code: number | undefined
  description: string | undefined
  /** The id of the message that the call made or changed. */
  message: string | undefined
  endedAt: number | undefined
}

/** `close` names who closed: the code given by the client, the server, or 1006 when the connection just ended. */
export type GatewayEntry = {
  readonly at: number
  readonly kind: 'connect' | 'identify' | 'resume' | 'refused' | 'heartbeat' | 'close'
  readonly shard: number | undefined
  readonly session: string | undefined
  /** Close code, or how many events a resume replayed. */
  readonly detail?: number | string | undefined
}

export type DiscordLedger = {
  readonly entries: readonly DiscordLedgerEntry[]
  readonly gateway: readonly GatewayEntry[]
  /** The entries of one route. */
  of(route: string): DiscordLedgerEntry[]
  /** How many sessions were started, and how many resumed. */
  identifies(): number
  resumes(): number
  /** Calls made during an announced wait. */
  duringWait(): DiscordLedgerEntry[]
  /** Answers of 401, 403 and 429 (unless the limit was shared), which count towards the ban. */
  invalidRequests(): number
  /** Resolves with the first call, past or future, that matches. Rejects after 10 s unless told otherwise. */
  waitFor(matches: (entry: DiscordLedgerEntry) => boolean, timeoutMs?: number): Promise<DiscordLedgerEntry>
  /** The same for what happens on the gateway. */
  waitForGateway(matches: (entry: GatewayEntry) => boolean, timeoutMs?: number): Promise<GatewayEntry>
  clear(): void
}

export type NewEntry = Pick<DiscordLedgerEntry, 'route' | 'call' | 'channel' | 'body' | 'files'>
export type EntryResult = { readonly status?: number; readonly code?: number; readonly description?: string }

export type WritableDiscordLedger = DiscordLedger & {
  /** Rings at every change, also of the world. */
  readonly bell: Bell
  begin(entry: NewEntry): DiscordLedgerEntry
  end(entry: DiscordLedgerEntry, outcome: DiscordOutcome, result?: EntryResult): void
  note(entry: Omit<GatewayEntry, 'at'>): void
  noteInvalid(): void
}

export function createDiscordLedger(): WritableDiscordLedger {
  const entries: DiscordLedgerEntry[] = []
  const gateway: GatewayEntry[] = []
  const bell = createBell()
  let count = 0
  let invalid = 0
  const ofKind = (kind: GatewayEntry['kind']) => gateway.filter((entry) => entry.kind === kind).length
  return {
    entries,
    gateway,
    bell,
    of: (route) => entries.filter((entry) => entry.route === route),
    identifies: () => ofKind('identify'),
    resumes: () => ofKind('resume'),
    duringWait: () => entries.filter((entry) => entry.isDuringWait),
    invalidRequests: () => invalid,
    waitFor: (matches, timeoutMs) => bell.until(() => entries.find(matches), 'a Discord REST call', timeoutMs),
    waitForGateway: (matches, timeoutMs) => bell.until(() => gateway.find(matches), 'the Discord gateway', timeoutMs),
    clear: () => {
      entries.length = 0
      gateway.length = 0
      invalid = 0
    },
    begin: (fields) => {
      count += 1
      const entry: DiscordLedgerEntry = {
        n: count,
        at: Date.now(),
        ...fields,
        outcome: 'open',
        accepted: false,
        isDuringWait: false,
        status: undefined,
        code: undefined,
        description: undefined,
        message: undefined,
        endedAt: undefined,
      }
      entries.push(entry)
      bell.ring()
      return entry
    },
    end: (entry, outcome, { status, code, description } = {}) => {
      if (entry.outcome !== 'open') return
      Object.assign(entry, { outcome, status, code, description, endedAt: Date.now() })
      bell.ring()
    },
    note: (entry) => {
      gateway.push({ at: Date.now(), ...entry })
      bell.ring()
    },
    noteInvalid: () => {
      invalid += 1
    },
  }
}
