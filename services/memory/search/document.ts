// An entry as search sees it: its tokens are made once, when it is written.
import type { Entry } from '#shared/memory/entry.ts'
import { toTokens } from './tokens.ts'

/** What engines keep. They give it back as it was. */
export type SearchDocument = {
  readonly entry: Entry
  /** In order, each as often as it stands there: of the text, the speaker's name, and the day. All are `[a-z0-9]{1,100}`. */
  readonly tokens: readonly string[]
  /** Of the entry's text, where it was made. */
  readonly vector?: DocumentVector
}

export type DocumentVector = {
  /** Which model made it, as a hash. Vectors of two models say nothing of each other. */
  readonly model: string
  /** Of the model and the text; equal texts have the same. */
  readonly mark: string
  /** Its length is 1. */
  readonly values: Float32Array
}

export type Tokenizer = (text: string) => readonly string[]

/** A question may name who said it and when, so both are among the tokens. */
export function toDocument(entry: Entry, tokenize: Tokenizer = toTokens): SearchDocument {
  return { entry, tokens: tokenize(`${entry.speaker ?? ''}\n${entry.text}\n${toDay(entry)}`) }
}

const months = 'January February March April May June July August September October November December'.split(' ')
const han = /\p{Script=Han}/u

/** By UTC: a search for a day takes what was said around it. Empty for a time beyond all calendars. */
function toDay({ atMs, text }: Entry): string {
  const at = new Date(atMs)
  if (Number.isNaN(at.getTime())) return ''
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  return han.test(text) ? `${year}年${month + 1}月${day}日` : `${day} ${months[month] ?? ''} ${year}`
}
