// Makes a message comparable: one form of each character, quoted material masked, cut into clauses. Looks at no more
// than the head and the tail of a long text, so its cost has a limit. Pure.
import { formsOf } from './grammar.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { toSimplified } from '#shared/chat/simplified.ts'

const grammar = formsOf('text')
const headChars = 2000
const tailChars = 400
const maxClauses = 60
/** Between Chinese characters a space is a comma. */
const spaced = /(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])/u

/** A stretch between punctuation marks. `question` is true when a question mark or a question word stands in it. */
export type Clause = { readonly text: string; readonly question: boolean }
/** `cased`: as written but folded; `text`: lower case; `bare`: `text` with quotations, code, links and material as □. */
export type NormalText = {
  readonly cased: string
  readonly text: string
  readonly bare: string
  readonly clauses: readonly Clause[]
}

/** Folds, masks and cuts `raw`. A text that is one quotation altogether keeps its words. */
export function normalise(raw: string, spell: (text: string) => string): NormalText {
  const window = raw.length > headChars + tailChars ? `${raw.slice(0, headChars)}\n${raw.slice(-tailChars)}` : raw
  const cased = fold(window)
  const text = spell(cased.toLowerCase())
  const bare = mask(text)
  return { cased, text, bare, clauses: cut(/[\p{L}\p{N}]/u.test(bare) ? bare : text) }
}

/** One form of each character, case kept: what a text and a configured word are compared in. */
export function fold(text: string): string {
  return (
    // Quotation marks come first, since the normal form takes the last of them apart.
    toSimplified(toNormalForm(text.toWellFormed().replace(/[‘’ʼ´]/gu, "'"), 'NFKC'))
      .replace(/[\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd]|(?![\n\t])\p{Cc}/gu, '')
      .replace(/([a-z])\1{2,}/giu, (run, sign: string, at: number, all: string) =>
        /[a-z]/iu.test(all.charAt(at + run.length)) ? sign + sign : sign,
      )
      .trim()
  )
}

/** True when `raw` has more than `limit` characters; never counts further than it must. */
export function isLongerThan(raw: string, limit: number): boolean {
  return raw.length > 2 * limit || Array.from(raw).length > limit
}

function mask(text: string): string {
  return text
    .replace(/```[^]*?(?:```|$)|`[^`\n]{1,300}`/gu, '□')
    .replace(/https?:\/\/[^\s\u3000-\uffef]{1,500}/gu, '□')
    .replace(/[“"][^“”"]{0,400}[”"]|「[^」]{0,400}」|『[^』]{0,400}』|《[^》]{0,80}》/gu, '□')
    .replace(/(?<![a-z0-9])'[^'\n]{1,200}'(?![a-z0-9])/gu, '□')
    .replace(grammar.material, '$1□')
}

function cut(text: string): readonly Clause[] {
  const plain = text.replace(/(?:\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})+/gu, ', ')
  const pieces = plain.match(/(?:[^。！!?？;；,，、\n….:~—]|(?<=[a-z0-9])[.:](?=[a-z0-9])){1,400}[?？]?/gu) ?? []
  const parts = pieces.flatMap((piece) => (spaced.test(piece) ? piece.split(spaced) : [piece]))
  const few = parts.length > maxClauses ? [...parts.slice(0, maxClauses - 12), ...parts.slice(-12)] : parts
  return few.flatMap((part) => {
    const clause = part.replace(/[?？]$/u, '').trim()
    if (clause === '') return []
    return [{ text: clause, question: clause.length < part.trim().length || grammar.questionWords.test(clause) }]
  })
}
