// Pieces of a time as people write it, each found where the reader stands.
import type { Day, Weekday } from './when.ts'

export type Part = 'dawn' | 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'
export type Clock = {
  readonly hour: number
  readonly minute: number
  readonly half?: 'am' | 'pm'
  /** Written as on a clock of 24 hours. */
  readonly isWhole: boolean
}

/** What was read of it so far; each at most once, and a day or weekdays. */
export type Draft = {
  readonly day?: Day
  readonly weekdays?: readonly Weekday[]
  /** Of every month. */
  readonly monthDay?: number
  /** It stands at the end of the text, where the short name of a weekday is a word. */
  readonly isLast?: true
  readonly part?: Part
  readonly clock?: Clock
  /** Of the clock, where one was said; `unclear` where it may mean several. */
  readonly zone?: string
}

/** `read` gives undefined for what only looks like one. Expressions are sticky. */
export type Piece = {
  readonly pattern: RegExp
  readonly read: (
    found: readonly string[],
  ) => (Draft & { /** How much of the match it takes. */ readonly chars?: number }) | undefined
}

/** The end of a word in Latin letters. */
export const end = String.raw`(?![a-z0-9_'’-])`
export const sticky = (source: string): RegExp => new RegExp(source, 'iy')

/** What an expression finds at this place, groups that are missing as empty texts. */
export function findAt(pattern: RegExp, text: string, at: number): readonly string[] | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.map((group: string | undefined) => group ?? '')
}
