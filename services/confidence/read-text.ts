// Makes a text comparable: one form of each character, what others said or what is code masked as □, cut into sentences. Looks at no more than
// the head and the tail of a long text, so its cost has a limit. Pure.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { toSimplified } from '#shared/chat/simplified.ts'

const headChars = 6000
const tailChars = 2000

/** A text as the cues read it. */
export type ReadText = {
  /** Folded, in lower case, code as ■, quotations, titles and links as □. */
  readonly text: string
  readonly sentences: readonly string[]
  /** Whether code or an error's words stand in it. */
  readonly hasCode: boolean
}

export function readText(raw: string): ReadText {
  const folded = fold(toWindow(raw))
  const text = mask(folded)
  let sentences: readonly string[] | undefined
  return {
    text,
    // Few verdicts look at them.
    get sentences() {
      return (sentences ??= toSentences(text))
    },
    hasCode: /`|(?:error|exception|traceback)\b/u.test(folded),
  }
}

/** The beginning and the end of a text, whose middle decides little. */
const toWindow = (raw: string): string =>
  raw.length > headChars + tailChars ? `${raw.slice(0, headChars)}\n${raw.slice(-tailChars)}` : raw

/** One form of each character, in lower case: traditional becomes simplified, full width becomes half width, but for the Chinese full stop. */
export function fold(text: string): string {
  // Plain English has but one form.
  if (/^[\x20-\x7e\n]*$/.test(text)) return text.toLowerCase().trim()
  return toSimplified(toNormalForm(text.toWellFormed().replace(/[‘’ʼ´]/gu, "'"), 'NFKC'))
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .toLowerCase()
    .trim()
}

/** A text that is one quotation altogether keeps its words. */
function mask(text: string): string {
  if (!/[`“"「『《'>]|https?:/u.test(text)) return text
  const masked = text
    .replace(/```[^]*?(?:```|$)|`[^`\n]{1,300}`/gu, '■')
    .replace(/https?:\/\/[^\s\u3000-\uffef]{1,500}/gu, '□')
    .replace(/^>[^\n]*$/gmu, '□')
    .replace(/[“"][^“”"]{0,300}[”"]|「[^」]{0,300}」|『[^』]{0,300}』|《[^》]{0,80}》/gu, '□')
    .replace(/(?<![a-z0-9])'[^'\n]{1,200}'(?![a-z0-9])/gu, '□')
  return /[\p{L}\p{N}■]/u.test(masked) ? masked : text
}

/** Cut behind the marks that end one, and at lines. */
const toSentences = (text: string): readonly string[] =>
  (text.match(/(?:[^。!?;\n.]|(?<=[a-z0-9])\.(?=[a-z0-9])){1,600}[。!?;.]?/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}□■]/u.test(sentence))

/** How much is said: a Chinese character says about as much as three letters. */
export const weigh = (text: string): number => text.length + 2 * (text.match(/[\u3400-\u9fff]/gu)?.length ?? 0)
