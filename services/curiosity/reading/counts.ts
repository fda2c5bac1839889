// What became of what a model was asked about ended turns, for the operator.
import { drops } from './check.ts'

export const readingCounts = [
  /** Calls; batches without a sentence that rests on something unknown, which take none; answers that were none; calls that failed. */
  'asked',
  'calm',
  'misshaped',
  'failed',
  'promptTokens',
  'completionTokens',
  /** Questions that a model gave, and those that wait now; those that waited already, were asked before or had no room. */
  'given',
  'kept',
  'again',
  ...drops,
] as const
export type ReadingCount = (typeof readingCounts)[number]

/** Counted since ever. Throws BotError `store-unavailable`. */
export type ReadingCounts = {
  count(counts: ReadonlyMap<ReadingCount, number>): Promise<void>
  read(): Promise<ReadonlyMap<ReadingCount, number>>
}
