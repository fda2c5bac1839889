// What somebody said as one short line, and as sentences. Pure, and linear in the text.

/** What breaks or hides a line. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** One line of at most so many characters; what is cut off is told by an ellipsis. */
export function toExcerpt(text: string, mostChars: number): string {
  // A text that begins with much of nothing is nothing.
  const line = text
    .slice(0, mostChars * 4)
    .replaceAll(hidden, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (line.length <= mostChars) return line.toWellFormed()
  const cut = line.slice(0, mostChars - 1)
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).toWellFormed().trimEnd()}…`
}

/** Marks of lists, headings and emphasis before a line's words. */
const marks = /^[\s>#*_+•-]*(?:\d{1,2}(?:[.)]\s|、))?/u
const ends = /(?<=[。！？!?；;\n])|(?<=\.)(?=\s)/u

/** Without quotations and blocks of code, which are others' words or none. */
export function toSentences(text: string): readonly string[] {
  let isCode = false
  const lines = text.split('\n').filter((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    return !isCode && !isFence && !line.startsWith('>')
  })
  return lines
    .flatMap((line) => line.replace(marks, '').split(ends))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Whether a sentence asks something. */
export const asks = (sentence: string): boolean => /[?？]["'”’」』)）*_`]{0,3}$/u.test(sentence)
