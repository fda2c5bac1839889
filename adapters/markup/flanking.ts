// Marks around words as CommonMark takes them: between a sign of punctuation and a letter a mark is none, which in Chinese, where no blanks
// stand between words, is every other bold phrase (‘**注意：**请看’). A sign that ends a clause goes behind the mark, before any other a
// blank is put. https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run

/** The signs beside the words. They are empty at the beginning and at the end of a paragraph. */
export type Beside = { readonly before: string; readonly after: string }

const punctuation = /^[\p{P}\p{S}]$/u
/** Symbols are no punctuation for older readers. */
const letsMark = /^(?:[\s\p{P}$+<=>^`|~])?$/u
/** Of a clause, and never the end of a character reference. */
const clauseEnd = /[：，。；！？、:,.!?\s]/

/** Marks around nothing, or inside blanks, would stand as signs. */
export function wrapFlanking(mark: string, words: string, { before, after }: Beside): string {
  const inner = words.trim()
  if (inner === '') return words
  const at = words.indexOf(inner)
  const [head, tail] = [words.slice(0, at), words.slice(at + inner.length)]
  const [marked, moved] = letsMark.test(firstOf(tail + after)) ? [inner, ''] : withoutEnd(inner)
  if (marked === '') return words
  const needsBlank = (sign: string, beside: string): boolean => punctuation.test(sign) && !letsMark.test(beside)
  const opening = needsBlank(firstOf(marked), lastOf(before + head)) ? ' ' : ''
  const closing = needsBlank(lastOf(marked), firstOf(moved + tail + after)) ? ' ' : ''
  return `${head}${opening}${mark}${marked}${mark}${closing}${moved}${tail}`
}

export const firstOf = (text: string): string => /^./su.exec(text)?.[0] ?? ''
const lastOf = (text: string): string => /.$/su.exec(text.slice(-2))?.[0] ?? ''

function withoutEnd(words: string): readonly [rest: string, end: string] {
  let at = words.length
  while (at > 0 && clauseEnd.test(words.charAt(at - 1))) at -= 1
  return [words.slice(0, at), words.slice(at)]
}
