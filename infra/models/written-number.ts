// Numbers as a model wrote them: `1234567890123456789` and `1.10` would lose digits as a number, and `00012` was meant as a text. Pure.
import { isList, isObject, parseJson, type Fields } from '#shared/json.ts'

/** A number that would not print as it was written. */
export class WrittenNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export const isFields = (value: unknown): value is Fields => isObject(value) && !(value instanceof WrittenNumber)

/** The number of a text, in whose place its digits stay where it would lose some. */
export function toNumber(text: string): number | WrittenNumber {
  const count = Number(text)
  return String(count) === text ? count : new WrittenNumber(text)
}

const token = /"(?:[^"\\]|\\[^])*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g
const isKey = /^\s{0,8}:/

/** JSON with its numbers as they were written. Signs that JSON wants escaped, such as line breaks, may stand in its texts. Undefined for what is no JSON. */
export function parseWritten(text: string): unknown {
  let mark = '#number:'
  while (text.includes(mark)) mark += '#'
  let hasWritten = false
  const mended = text.replace(token, (one: string, at: number) => {
    if (one.startsWith('"')) return escapeControls(one)
    if (String(Number(one)) === one || isKey.test(text.slice(at + one.length, at + one.length + 9))) return one
    hasWritten = true
    return `"${mark}${one}"`
  })
  const read = parseJson(mended)
  return hasWritten ? toWritten(read, mark) : read
}

const escapeControls = (text: string): string =>
  /\p{Cc}/u.test(text) ? text.replace(/(\\?)(\p{Cc})|\\[^]/gu, escapeControl) : text

function escapeControl(whole: string, _: unknown, control: string | undefined): string {
  return control === undefined ? whole : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function toWritten(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? new WrittenNumber(value.slice(mark.length)) : value
  if (isList(value)) return value.map((one) => toWritten(one, mark))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toWritten(one, mark)]))
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/** As JSON, with the digits of numbers as they were written: as a text where the schema wants one. */
export function toJson(value: unknown, schema: unknown): string {
  const { type, properties, items } = isObject(schema) ? schema : {}
  if (value instanceof WrittenNumber) return toDigits(value.text, type)
  if (typeof value === 'number' && type === 'string') return JSON.stringify(String(value))
  if (isList(value)) return `[${value.map((one) => toJson(one, items)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const known = isObject(properties) ? properties : {}
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${toJson(one, known[key])}`)
  return `{${fields.join(',')}}`
}

function toDigits(text: string, type: unknown): string {
  const count = Number(text)
  if (type === 'string' || !Number.isFinite(count)) return JSON.stringify(text)
  if (jsonNumber.test(text)) return text
  // What begins with zeros was meant as a text.
  return /^[-+]?0\d/.test(text) && type !== 'number' && type !== 'integer' ? JSON.stringify(text) : String(count)
}
