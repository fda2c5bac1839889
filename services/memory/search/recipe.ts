// What each hint weighs in the ranking; measured on long conversations (decision 101), in the order of what it gives.

export type Recipe = {
  /** BM25: how soon a repeated word counts no more, and how much a long text counts less. */
  readonly k1: number
  readonly b: number
  /** What an entry gives of its score to the next in its session, the one after, and the one before. */
  readonly next: number
  readonly afterNext: number
  readonly before: number
  /** Times, for what a question gives to the next: an answer follows it. */
  readonly answered: number
  /** Times, for what neighbours give where one person speaks alone: sentences of a text do not answer each other. */
  readonly alone: number
  /** What the whole session's score adds. */
  readonly session: number
  /** Times, where the question names one person, for what that person said. */
  readonly named: number
  /** Times, where the question asks when, for what tells a time. */
  readonly time: number
  /** Times, for what ends in a question mark. */
  readonly asks: number
  /** What words of the best five add that the question does not have. */
  readonly feedback: number
  /** What age may take away at most, from what nobody confirmed. */
  readonly age: number
}

export const recipe: Recipe = {
  k1: 0.4,
  b: 0.6,
  next: 0.4,
  afterNext: 0.2,
  before: 0.2,
  answered: 2,
  alone: 0.3,
  session: 0.6,
  named: 1.2,
  time: 1.4,
  asks: 0.8,
  feedback: 0.1,
  age: 0.15,
}
