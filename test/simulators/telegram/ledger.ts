// Every Bot API call with its time, parameters and outcome. An entry ends once; the first cause wins:
// `ok` answered; `refused` answered with an error; `lost` took effect, but its answer never came; `dropped` neither;
// `aborted` the client left before its answer, `accepted` tells whether it took effect.
import { createBell, type Bell } from '#test/simulators/signals.ts'
import type { WebhookPush } from './webhook.ts'

export type TelegramOutcome = 'ok' | 'refused' | 'lost' | 'dropped' | 'aborted'

export type TelegramLedgerEntry = {
  /** Counts from 1, in order of arrival. */
  readonly n: number
  /** ms since 1970. */
  readonly at: number
  readonly method: string
  /** The parameters; uploaded files by name and size. */
  readonly params: Readonly<Record<string, unknown>>
  outcome: 'open' | TelegramOutcome
  /** Whether the method took effect. */
  accepted: boolean
  /** It came while the bot had to wait. */
  isDuringWait: boolean
  status: number | undefined
  description: string | undefined
  /** The message that a send or edit was about. */
  message: number | undefined
  endedAt: number | undefined
}

export type TelegramLedger = {
  readonly entries: readonly TelegramLedgerEntry[]
  readonly pushes: readonly WebhookPush[]
  /** The entries of one method. */
  of(method: string): TelegramLedgerEntry[]
  /** Resolves with the first entry, past or future, that matches. Rejects after 10 s unless told otherwise. */
  waitFor(matches: (entry: TelegramLedgerEntry) => boolean, timeoutMs?: number): Promise<TelegramLedgerEntry>
  clear(): void
}

export type WritableTelegramLedger = TelegramLedger & {
  /** Rings at every change, also of the world. */
  readonly bell: Bell
  begin(method: string, params: Readonly<Record<string, unknown>>): TelegramLedgerEntry
  end(entry: TelegramLedgerEntry, outcome: TelegramOutcome, result?: EntryResult): void
  notePush(push: WebhookPush): void
}

export type EntryResult = { readonly status?: number; readonly description?: string }

export function createTelegramLedger(): WritableTelegramLedger {
  const entries: TelegramLedgerEntry[] = []
  const pushes: WebhookPush[] = []
  const bell = createBell()
  let count = 0
  return {
    entries,
    pushes,
    bell,
    of: (method) => entries.filter((entry) => entry.method === method),
    waitFor: (matches, timeoutMs) => bell.until(() => entries.find(matches), 'a Bot API call', timeoutMs),
    clear: () => {
      entries.length = 0
      pushes.length = 0
    },
    begin: (method, params) => {
      count += 1
      const entry: TelegramLedgerEntry = {
        n: count,
        at: Date.now(),
        method,
        params,
        outcome: 'open',
        accepted: false,
        isDuringWait: false,
        status: undefined,
        description: undefined,
        message: undefined,
        endedAt: undefined,
      }
      entries.push(entry)
      bell.ring()
      return entry
    },
    end: (entry, outcome, { status, description } = {}) => {
      if (entry.outcome !== 'open') return
      Object.assign(entry, { outcome, status, description, endedAt: Date.now() })
      bell.ring()
    },
    notePush: (push) => {
      pushes.push(push)
      bell.ring()
    },
  }
}
