// What is judged, and what comes of it.
import type { MemoryKind } from '#shared/memory/record.ts'

export type JudgedMessage = {
  readonly chat: 'direct' | 'group'
  /** When it was said, ms since 1970. */
  readonly atMs: number
  /** The shown name of who said it. */
  readonly speaker: string
  readonly text: string
  /** Whoever spoke just before, by their shown names: they may be addressed. */
  readonly others?: readonly string[]
}

export type Category = Exclude<MemoryKind, 'note' | 'skill'>

export type Candidate = {
  readonly category: Category
  /** Third person, in the language of the text, at most 1,000 characters. */
  readonly content: string
  /** Its speaker orders it to be kept. */
  readonly explicit: boolean
  /** The first day on which it holds, `YYYY-MM-DD`. */
  readonly validFrom?: string
}

/** One sentence of it, without what is not prose. */
export type Sentence = {
  readonly text: string
  readonly isQuestion: boolean
  /** An order to remember leads to it or follows it. */
  readonly explicit: boolean
}

/** What a clause says. Clauses of one topic, which is finer than the category, are one statement. */
export type Verdict = {
  readonly category: Category
  readonly topic: string
  /** Words at the head that only lead to it: "we agreed that". */
  readonly skip?: number
}

export type Place = { readonly isGroup: boolean; readonly explicit: boolean }

/** A candidate before its days are resolved. */
export type Rough = { readonly category: Category; readonly content: string; readonly topic: string }
