// What a dialogue is, what a question to a person is, and what stands between: doubts, which the bot's own words give away.

export type Turn = {
  readonly who: string
  readonly text: string
  readonly at: string
  /** Tools of the bot's that failed before it said so. */
  readonly failed?: readonly string[]
}

/** A record of memory that the person who asked may know. */
export type KnownRecord = {
  readonly category: string
  readonly who: string
  readonly content: string
  readonly status: 'confirmed' | 'unconfirmed'
}

export type Dialogue = {
  readonly language: 'en' | 'zh'
  readonly chat: 'direct' | 'group'
  /** Whoever can be asked. */
  readonly people: readonly string[]
  readonly memory: readonly KnownRecord[]
  /** In order; the bot's are of `bot`. */
  readonly turns: readonly Turn[]
}

export type QuestionKind = 'choice' | 'yes-no' | 'words' | 'action' | 'judgement'

export type Question = {
  /** One sentence that is understood without the dialogue. */
  readonly ask: string
  readonly to: string
  readonly kind: QuestionKind
  readonly why: string
  /** What an answer changes. */
  readonly changes: string
  /** What is taken to be so while nobody answers. */
  readonly assumed: string
  readonly options?: readonly string[]
  /** Stays the same however the question is worded: its words, sorted. */
  readonly key: string
  /** The bot's sentence. */
  readonly said: string
}

/** Something that an answer of the bot's rests on and that it did not know. */
export type Doubt = {
  /** Without what it is asked for: "How long is the slot?" */
  readonly ask: string
  readonly kind: QuestionKind
  readonly options?: readonly string[]
  /** What an answer to it would speak of: the matter, and the value that was taken. */
  readonly about: string
  /** The rest of the sentence: what the matter is needed for. */
  readonly premise: string
  readonly assumed: string
  /** The bot's sentence. */
  readonly said: string
  /** What the bot said would follow. */
  readonly changes?: string
  /** Whom the sentence names as the one who knows. */
  readonly to?: string
  /** The bot asked it openly, so that whoever puts it off is not asked again. */
  readonly isAsked?: boolean
  /** The ask names its subject already: nothing is put before it. */
  readonly isWhole?: boolean
}

/** The name under which the bot's turns stand. */
export const bot = 'bot'
