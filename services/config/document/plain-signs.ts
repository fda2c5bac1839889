// A pasted document in plain signs: what chat programs and keyboards of people make of a text is taken back. Pure, and linear in the text.
import { toNormalForm } from '#shared/chat/normal-form.ts'

const breaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/g
/** What nobody sees. */
const hidden = /\p{Cf}|\p{Variation_Selector}|\u034f|(?![\n\t])\p{Cc}/gu

/** Full-width signs, spaces of any kind and line breaks of any kind in their plain form; what nobody sees goes. Lines stay lines. */
export function toPlainSigns(text: string): string {
  // Each sign by itself: a text of accents in a row takes the square of its length to be brought in order.
  const signs = text.toWellFormed().replaceAll(/[^\0-\x7f]/gu, (sign) => toNormalForm(sign, 'NFKC'))
  return signs.replaceAll(breaks, '\n').replaceAll(hidden, '')
}

/** Quotation marks as they are typed, or made by a chat program, each with what ends it. */
const quotes: ReadonlyMap<string, string> = new Map([
  ['"', '"”“'],
  ['“', '”“"'],
  ['”', '”"'],
  ["'", "'’"],
  ['‘', "’'"],
  ['’', "’'"],
  ['「', '」'],
  ['『', '』'],
])

/** A value and what stands behind its comment sign or its closing quotation mark; `rest` is empty where all of it is the value. */
export function toValue(written: string): { readonly value: string; readonly rest: string } {
  const text = written.trim()
  const closing = quotes.get(text.charAt(0))
  if (closing !== undefined) {
    const end = findFirst(text, closing, 1)
    if (end > 0) return { value: text.slice(1, end).trim(), rest: withoutComment(text.slice(end + 1)) }
  }
  return { value: withoutComment(text), rest: '' }
}

function findFirst(text: string, signs: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (signs.includes(text.charAt(at))) return at
  return -1
}

/** A comment begins with `#` behind a space. */
function withoutComment(text: string): string {
  const at = text.search(/(?:^|\s)#/u)
  return (at < 0 ? text : text.slice(0, at)).trim()
}
