// What a feature makes of turns once they have ended.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { RecordLine } from '#shared/run/record.ts'
import type { LetterEffect } from './effect.ts'

/** The workers that read records: each is a process of its own where roles run apart, with a queue and a budget of its name. */
export const readerWorkers = ['reflection', 'curiosity'] as const
export type ReaderWorker = (typeof readerWorkers)[number]

/**
 * Reads the records of all conversations, each reader for itself, also those that ended before it was there, as far as they are kept: seven days
 * as a rule. Of one conversation they come in the order of writing.
 */
export type Projection = {
  /** 1–40 characters of `a-z 0-9 -`. */
  readonly name: string
  /** `reflection` unless given. */
  readonly worker?: ReaderWorker
  /**
   * Takes one line in, by rules alone: a call of a model or over the network belongs to `work`. It may come again, so what is made of it is written
   * over; what fails is tried again, and after three times the line is passed over for this reader. A BotError that may be retried, since a store is
   * away, does not count. Letters and jobs that come back are written in the unit that passes the line: once. Letters are for whom the record names.
   */
  take(line: RecordLine, signal: AbortSignal): Promise<readonly (LetterEffect | JobEffect)[]>
  /**
   * Does a job that takes long, in any process of its worker, beside many others and in no order, never while the fleet is quiet. It may come again
   * where its process died, so what it writes it writes over; its letters are written once, with the end of the job, and not where the record is
   * forgotten by then. After three failures, five deaths of its process or a day of trying the job is dropped, which `doctor` counts.
   * `signal` aborts after two minutes, when the fleet becomes quiet, and when the process stops.
   */
  work?(job: ReaderJob, signal: AbortSignal): Promise<readonly LetterEffect[]>
  readonly tick?: Tick
}

/** Has the projection's `work` done for the line that is taken in. */
export type JobEffect = {
  readonly kind: 'job'
  /** How much later at the earliest, ms, a day at most; at once unless given. */
  readonly inMs?: number
}

/** What `work` is to do: for a line, or for a conversation by the clock. What is forgotten meanwhile never comes. */
export type ReaderJob = {
  readonly conversation: ConversationId
  /** The line's name, or that of a tick's job, before its time: `<name>@<ms>`. */
  readonly name: string
  readonly line?: RecordLine
}

/** Work by the clock of the whole fleet: in one process at a time, and once for all that was missed while none ran or the fleet was quiet. */
export type Tick = {
  /** From a minute to 31 days. */
  readonly everyMs: number
  /**
   * `dueMs`: since when it was due, ms since 1970, in Redis' time. It says which jobs there are to do, by rules alone. It may come again for the same
   * time. `name`: 1–40 characters of `a-z 0-9 -`.
   */
  run(dueMs: number, signal: AbortSignal): Promise<readonly TickJob[]>
}
export type TickJob = { readonly conversation: ConversationId; readonly name: string }
