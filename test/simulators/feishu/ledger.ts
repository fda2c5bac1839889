// Every call with its time, body and outcome; every attempt to bring an event; what happened on the long connections. A call ends once,
// and the first cause wins: `ok` answered; `refused` answered with an error; `lost` took effect, but its answer never came; `dropped`
// neither; `aborted` the client left before its answer, `accepted` tells whether it took effect.
import { createBell, type Bell } from '#test/simulators/signals.ts'

export type FeishuOutcome = 'ok' | 'refused' | 'lost' | 'dropped' | 'aborted'

export type FeishuLedgerEntry = {
  /** Counts from 1, in order of arrival. */
  readonly n: number
  /** ms since 1970. */
  readonly at: number
  /** The name of the route, as `createMessage`; `unknown` for one that does not exist. */
  readonly route: string
  /** Such as `POST /im/v1/messages`. */
  readonly call: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
  outcome: 'open' | FeishuOutcome
  /** Whether the call took effect. */
  accepted: boolean
  /** It came although an earlier answer had told to wait. */
  isDuringWait: boolean
  status: number | undefined
  /** Feishu's code; 0 for success. */
  code: number | undefined
  description: string | undefined
  /** How long the answer told the bot to wait. */
  waitMs: number | undefined
  /** The chat that it was about, once known. */
  chat: string | undefined
  /** The message that it made or changed, and what that says then. */
  message: string | undefined
  text: string | undefined
  endedAt: number | undefined
}

export type DeliveryEntry = {
  readonly at: number
  readonly event: string
  readonly type: string
  readonly via: 'connection' | 'webhook'
  /** 1 for the first one. */
  readonly attempt: number
  readonly connection: number | undefined
  readonly outcome: 'ok' | 'refused' | 'silent' | 'absent'
}

export type ConnectionEntry = {
  readonly at: number
  readonly kind: 'open' | 'ping' | 'close' | 'bad-frame'
  readonly connection: number
  readonly detail?: number | undefined
}

export type FeishuLedger = {
  readonly entries: readonly FeishuLedgerEntry[]
  readonly deliveries: readonly DeliveryEntry[]
  readonly connections: readonly ConnectionEntry[]
  /** The entries of one route. */
  of(route: string): FeishuLedgerEntry[]
  /** Calls made during an announced wait. */
  duringWait(): FeishuLedgerEntry[]
  /** Resolves with the first call, past or future, that matches. Rejects after 10 s unless told otherwise. */
  waitFor(matches: (entry: FeishuLedgerEntry) => boolean, timeoutMs?: number): Promise<FeishuLedgerEntry>
  waitForDelivery(matches: (entry: DeliveryEntry) => boolean, timeoutMs?: number): Promise<DeliveryEntry>
  waitForConnection(matches: (entry: ConnectionEntry) => boolean, timeoutMs?: number): Promise<ConnectionEntry>
  clear(): void
}

export type NewEntry = Pick<FeishuLedgerEntry, 'route' | 'call' | 'query' | 'body' | 'files'>
export type EntryResult = {
  readonly status?: number
  readonly code?: number
  readonly description?: string
  readonly waitMs?: number | undefined
}

export type WritableFeishuLedger = FeishuLedger & {
  /** Rings at every change, also of the world. */
  readonly bell: Bell
  begin(entry: NewEntry): FeishuLedgerEntry
  end(entry: FeishuLedgerEntry, outcome: FeishuOutcome, result?: EntryResult): void
  noteDelivery(entry: Omit<DeliveryEntry, 'at'>): void
  noteConnection(entry: Omit<ConnectionEntry, 'at'>): void
}

export function createFeishuLedger(): WritableFeishuLedger {
  const entries: FeishuLedgerEntry[] = []
  const deliveries: DeliveryEntry[] = []
  const connections: ConnectionEntry[] = []
  const bell = createBell()
  let count = 0
  return {
    entries,
    deliveries,
    connections,
    bell,
    of: (route) => entries.filter((entry) => entry.route === route),
    duringWait: () => entries.filter((entry) => entry.isDuringWait),
    waitFor: (matches, timeoutMs) => bell.until(() => entries.find(matches), 'a call of the Feishu API', timeoutMs),
    waitForDelivery: (matches, timeoutMs) =>
      bell.until(() => deliveries.find(matches), 'an event of Feishu', timeoutMs),
    waitForConnection: (matches, timeoutMs) =>
      bell.until(() => connections.find(matches), 'a long connection of Feishu', timeoutMs),
    clear: () => {
      entries.length = 0
      deliveries.length = 0
      connections.length = 0
    },
    begin: (fields) => {
      count += 1
      const entry: FeishuLedgerEntry = {
        n: count,
        at: Date.now(),
        ...fields,
        outcome: 'open',
        accepted: false,
        isDuringWait: false,
        status: undefined,
        code: undefined,
        description: undefined,
        waitMs: undefined,
        chat: undefined,
        message: undefined,
        text: undefined,
        endedAt: undefined,
      }
      entries.push(entry)
      bell.ring()
      return entry
    },
    end: (entry, outcome, { status, code, description, waitMs } = {}) => {
      if (entry.outcome !== 'open') return
      Object.assign(entry, { outcome, status, code, description, waitMs, endedAt: Date.now() })
      bell.ring()
    },
    noteDelivery: (entry) => {
      deliveries.push({ at: Date.now(), ...entry })
      bell.ring()
    },
    noteConnection: (entry) => {
      connections.push({ at: Date.now(), ...entry })
      bell.ring()
    },
  }
}
