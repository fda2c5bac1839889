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

export type Category = Exclude<MemoryKind, 'note'>

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

/** What a clause says, before it is put into the third person. */
export type Finding = {
  readonly category: Category
  /** The clause as it was said, without what only leads in. */
  readonly text: string
  /** Finer than the category: clauses of one topic are one statement. */
  readonly topic: string
}
