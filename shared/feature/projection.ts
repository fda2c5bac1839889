// What a feature makes of turns once they have ended.
import type { RecordLine } from '#shared/run/record.ts'
import type { LetterEffect } from './effect.ts'

/**
 * Reads the records of all conversations, each reader for itself, also those that ended before it was there, as far as they are kept: seven days
 * as a rule. Of one conversation they come in the order of writing.
 */
export type Projection = {
  /** 1–40 characters of `a-z 0-9 -`. */
  readonly name: string
  /**
   * Takes one line in. It may come again, so what is made of it is written over; what fails is tried again, and after three times the line is
   * passed over for this reader. A BotError that may be retried, since a store is away, does not count. Letters that come back are written in the unit that
   * passes the line: once, for whom the record names.
   */
  take(line: RecordLine, signal: AbortSignal): Promise<readonly LetterEffect[]>
}
