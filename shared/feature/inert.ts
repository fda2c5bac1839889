// Words of the model, or of anybody, that stand in a card of ours: as they were written, and nothing in them is markup, a mark of ours, a call by
// name or a command to tap. Takes time in proportion to the text.
import { toNormalForm } from '#shared/chat/normal-form.ts'

/** What nobody sees, but for what joins emoji. */
const hidden = /(?!\u200d)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu
/** Keeps `@` and `/` from being read together with what follows. */
const joiner = '\u2060'

/** At most so many characters, on one line. */
export function toPlainLine(text: string, maxChars: number): string {
  const head = text.slice(0, 4 * maxChars).toWellFormed()
  const line = head.replaceAll(/\s+/g, ' ').replaceAll(hidden, '').trim()
  return line.length > maxChars ? `${line.slice(0, maxChars - 1).toWellFormed()}…` : line
}

/** The same, so that Markdown shows it as it is. */
export const toInertLine = (text: string, maxChars: number): string => escape(toPlainLine(text, maxChars))

/** Lines as a quotation: what stands in it is nobody's but who was quoted. */
export function toInertQuote(text: string, maxChars: number, maxLines = 12): string {
  const cut = text.length > maxChars ? `${text.slice(0, maxChars - 1).toWellFormed()}…` : text
  const lines = cut.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => line.trim() !== '')
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines), '…'] : lines
  return shown.map((line) => `> ${toInertLine(line, maxChars)}`).join('\n')
}

function escape(line: string): string {
  return line
    .replaceAll('⟦', '[')
    .replaceAll('⟧', ']')
    .replaceAll(/[\\`*~|<>[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\$&`)
    .replace(/^(?:[#+=-]|\d{1,9}(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}${joiner}` : `\\${mark}`))
    .replaceAll(/(?<![^\s(（“"'])[@＠/](?=[\p{L}\p{N}_])/gu, (sign) => `${sign}${joiner}`)
}

/** Letters of other alphabets that look like Latin ones. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'аa',
    'еe',
    'оo',
    'рp',
    'сc',
    'уy',
    'хx',
    'іi',
    'јj',
    'ѕs',
    'ԁd',
    'һh',
    'кk',
    'мm',
    'тt',
    'вb',
    'нh',
    'οo',
    'αa',
    'νv',
    'ιi',
    'ρp',
    'κk',
    'τt',
    'υu',
    'χx',
    'εe',
    'ⅼl',
    'ı\u0069',
  ].map((pair) => [pair.slice(0, 1), pair.slice(1)]),
)

/** Two texts that people would take for one another have the same. */
export const toLook = (text: string): string =>
  [
    ...toNormalForm(text, 'NFKD')
      .toLowerCase()
      .replaceAll(/[\p{M}\p{C}\p{Z}\p{P}]/gu, ''),
  ]
    .map((sign) => lookalikes[sign] ?? sign)
    .join('')
