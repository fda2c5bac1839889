// Reads one value as models write it that know no JSON: Python's literals, and the compact form of Gemma, whose keys are bare and whose texts stand between
// marks of their own. Every JSON is such a value as well. Pure, and each sign is looked at once.

import { toNumber } from './written-number.ts'

export type Loose = { readonly value: unknown; readonly end: number }

/** What a text stands between. The longest first. */
const quotes = ['<|"|>', '<escape>', '"""', "'''", '"', "'"]
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '' }
const words = new Map<string, unknown>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
])
const mostLevels = 16
const bareKey = /[A-Za-z_][\w-]{0,63}/y
const plain = /[-+]?\d[\d_]{0,30}(?:\.\d{0,30})?(?:[eE][-+]?\d{1,3})?|[A-Za-z_]\w{0,63}/y
const gap = /(?:\s|#[^\n]{0,400}\n){1,400}/y

/** The value that begins at `from`; undefined where none does, or it is not whole. */
export function readLoose(text: string, from: number, level = 0): Loose | undefined {
  const at = skipGap(text, from)
  const first = text.charAt(at)
  if (level > mostLevels) return undefined
  if (first === '{') return readFields(text, at + 1, { closes: '}', level: level + 1 })
  if (first === '[' || first === '(') return readItems(text, at + 1, first === '[' ? ']' : ')', level + 1)
  const quote = quotes.find((one) => text.startsWith(one, at))
  if (quote !== undefined) return readText(text, at + quote.length, quote)
  const [word] = execAt(plain, text, at) ?? []
  if (word === undefined) return undefined
  const end = at + word.length
  if (words.has(word)) return { value: words.get(word), end }
  const digits = word.replaceAll('_', '')
  return Number.isFinite(Number(digits)) ? { value: toNumber(digits), end } : undefined
}

/** Names and values up to `closes`: with a colon between them, or with the sign of Python's calls. */
export function readFields(
  text: string,
  from: number,
  {
    closes,
    level = 0,
    separator = ':',
  }: { readonly closes: string; readonly level?: number; readonly separator?: string },
): { readonly value: Readonly<Record<string, unknown>>; readonly end: number } | undefined {
  const fields: [string, unknown][] = []
  for (let at = skipGap(text, from); ;) {
    if (text.charAt(at) === closes) return { value: Object.fromEntries(fields), end: at + 1 }
    const key = readKey(text, at)
    const between = key === undefined ? at : skipGap(text, key.end)
    if (key === undefined || text.charAt(between) !== separator) return undefined
    const isColon = separator === ':'
    const read = [readLoose(text, between + 1, level), isColon ? readBare(text, between + 1) : undefined]
      .map((one) => one && { value: one.value, end: skipComma(text, one.end, closes) })
      .find((one) => one?.end !== undefined)
    if (read?.end === undefined) return undefined
    fields.push([key.value, read.value])
    at = read.end
  }
}

function readItems(text: string, from: number, closes: string, level: number): Loose | undefined {
  const items: unknown[] = []
  for (let at = skipGap(text, from); ;) {
    if (text.charAt(at) === closes) return { value: items, end: at + 1 }
    const read = readLoose(text, at, level)
    const end = read && skipComma(text, read.end, closes)
    if (!read || end === undefined) return undefined
    items.push(read.value)
    at = end
  }
}

function readKey(text: string, at: number): { readonly value: string; readonly end: number } | undefined {
  const quote = quotes.find((one) => text.startsWith(one, at))
  if (quote !== undefined) return readText(text, at + quote.length, quote)
  const [key] = execAt(bareKey, text, at) ?? []
  return key === undefined ? undefined : { value: key, end: at + key.length }
}

/** Gemma's small models leave the marks of a text out: it goes to the next comma or bracket. */
function readBare(text: string, from: number): Loose | undefined {
  bareText.lastIndex = from
  const [bare] = bareText.exec(text) ?? []
  return bare === undefined ? undefined : { value: bare.trim(), end: from + bare.length }
}
const bareText = /[^,{}[\]"'<>\n]{1,400}/y

function readText(
  text: string,
  from: number,
  quote: string,
): { readonly value: string; readonly end: number } | undefined {
  const knowsEscapes = quote.length !== 5 && quote.length !== 8
  let read = ''
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return { value: read, end: at + quote.length }
    const sign = text.charAt(at)
    if (sign !== '\\' || !knowsEscapes) {
      read += sign
      continue
    }
    at += 1
    const next = text.charAt(at)
    const code = /^u([\da-fA-F]{4})/.exec(text.slice(at, at + 5))?.[1]
    if (code !== undefined) {
      read += String.fromCharCode(Number.parseInt(code, 16))
      at += 4
    } else read += escapes[next] ?? next
  }
  return undefined
}

/** Behind a comma, or at the end; undefined where neither is. */
function skipComma(text: string, from: number, closes: string): number | undefined {
  const at = skipGap(text, from)
  if (text.charAt(at) === ',') return skipGap(text, at + 1)
  return text.charAt(at) === closes ? at : undefined
}

/** Behind white space and comments. */
export function skipGap(text: string, at: number): number {
  const [skipped = ''] = execAt(gap, text, at) ?? []
  return at + skipped.length
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
