// Reads MEMORY.md as people and their programs write it: full-width signs, other bullets, blocks of code around it and line ends of all kinds are read. It
// knows no record. What it does not understand it names by its line; it passes over blank lines, comments, lines that begin with ">" and fences of code.
//
// Lines are counted from the file's first line on, which is line 1. Takes time in proportion to the text.
import { levels, sections, toLineText, type End, type Level, type Line, type Section } from './document.ts'
import { isComment, readEnd, splitMark } from './mark.ts'
import { isDay } from './print.ts'

export type ReadLine = Line & { readonly line: number }

/** What a line is refused for; `text` is the line. */
export type Fault = { readonly line: number; readonly text: string } & {
  readonly kind:
    | 'no-item'
    | 'no-section'
    | 'unknown-section'
    | 'no-text'
    | 'bad-date'
    | 'box-elsewhere'
    | 'bad-mark'
    | 'bad-level'
    | 'no-pattern'
    | 'unknown-below'
    | 'second-end'
}

export type ReadMemory =
  /** Of a file with faults the lines are those that were understood. */
  | {
      readonly kind: 'read'
      readonly lines: readonly ReadLine[]
      readonly end?: End
      readonly faults: readonly Fault[]
    }
  | { readonly kind: 'too-long' }

const mostFileChars = 262_144
export const mostFileLines = 5000

const breaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/g
const fence = /^(?:`{3,}|~{3,})[a-z]{0,20}$/iu
const heading = /^[#＃]{1,6}/u
const quote = /^[>＞]/u
const bullet = /^[-*+•·－＊＋–—−](?:\s+|(?=[[［【])|$)/u
const box = /^[[［【]\s{0,2}([xXｘＸ✓✔√]?)\s{0,2}[\]］】]\s*/u
const date =
  /^[[［【]\s{0,3}([\d０-９]{4})[-－–—/.．年]([\d０-９]{1,2})[-－–—/.．月]([\d０-９]{1,2})日?\s{0,3}[\]］】]\s*/u
/** Meant for a date, and none. */
const dateLike = /^[[［【][\s\d０-９\-－–—/.．年月日]{1,20}[\]］】]/u
const below = /^(confidence|evidence|信心|置信度|可信度|证据|依据)\s{0,3}[:：](.*)$/iu

export function readMemory(written: string): ReadMemory {
  if (written.length > mostFileChars) return { kind: 'too-long' }
  const all = written.toWellFormed().replaceAll(breaks, '\n').split('\n')
  const first = all.findIndex((line) => !isPassedOver(line.trim()))
  const lines = first < 0 ? [] : all.slice(first)
  return lines.length > mostFileLines ? { kind: 'too-long' } : readLines(lines)
}

const isPassedOver = (bare: string): boolean => bare === '' || fence.test(bare)

type Reading = {
  readonly found: ReadLine[]
  end: End | undefined
  /** `undefined` before the first section, `unknown` below one that does not exist. */
  place: Section | 'unknown' | undefined
  /** Where the pattern stands that what is below it belongs to. */
  pattern: number | undefined
}

function readLines(lines: readonly string[]): ReadMemory {
  const reading: Reading = { found: [], end: undefined, place: undefined, pattern: undefined }
  const faults: Fault[] = []
  for (const [at, text] of lines.entries()) {
    const kind = readOne(reading, text, at + 1)
    if (kind) faults.push({ kind, line: at + 1, text })
  }
  const { found, end } = reading
  return { kind: 'read', lines: found, ...(end ? { end } : {}), faults }
}

/** What is wrong with the line, if anything. */
function readOne(reading: Reading, text: string, line: number): Fault['kind'] | undefined {
  const bare = text.trim()
  if (isPassedOver(bare) || quote.test(bare)) return undefined
  if (isComment(bare)) {
    const end = readEnd(bare)
    if (end && reading.end) return 'second-end'
    reading.end = end ?? reading.end
    return undefined
  }
  if (heading.test(bare)) return readHeading(reading, bare.replace(heading, ''), line)
  const { place, pattern } = reading
  if (place === 'unknown') return undefined
  if (!bullet.test(bare)) return 'no-item'
  if (place === undefined) return 'no-section'
  const rest = bare.replace(bullet, '')
  const isBelow = /^\s/u.test(text) && pattern !== undefined
  if (place === 'Patterns' && (isBelow || below.test(rest))) return readBelow(reading, rest)
  const read = readItem(rest, place)
  if ('fault' in read) return read.fault
  reading.found.push({ ...read, line })
  reading.pattern = place === 'Patterns' ? reading.found.length - 1 : undefined
  return undefined
}

function readHeading(reading: Reading, written: string, line: number): Fault['kind'] | undefined {
  const name = written.trim().toLowerCase()
  reading.pattern = undefined
  if (line === 1 && titles.has(name)) return undefined
  reading.place = sections.find(({ known }) => known.some((one) => one === name))?.name ?? 'unknown'
  return reading.place === 'unknown' ? 'unknown-section' : undefined
}

/** Evidence is counted, whatever stands there. */
function readBelow({ found, pattern }: Reading, rest: string): Fault['kind'] | undefined {
  const [, name = '', value = ''] = below.exec(rest) ?? []
  const one = pattern === undefined ? undefined : found[pattern]
  if (name === '') return 'unknown-below'
  if (!one || pattern === undefined) return 'no-pattern'
  if (evidenceNames.has(name.toLowerCase())) {
    const [count] = /\d{1,6}/.exec(value) ?? []
    if (count !== undefined) found[pattern] = { ...one, evidence: Number(count) }
    return undefined
  }
  const said = value.trim().toLowerCase()
  const level = levels.find((known) => known === said) ?? levelNames.get(said)
  if (level === undefined) return 'bad-level'
  found[pattern] = { ...one, confidence: level }
  return undefined
}

const titles = new Set(['memory', 'memory.md', '记忆'])
const evidenceNames = new Set(['evidence', '证据', '依据'])
const levelNames: ReadonlyMap<string, Level> = new Map([
  ['低', 'low'],
  ['中', 'medium'],
  ['高', 'high'],
])

type Item = Line | { readonly fault: Fault['kind'] }

/** What stands behind a bullet. */
function readItem(written: string, section: Section): Item {
  const { rest, mark, bad } = splitMark(written)
  if (bad) return { fault: 'bad-mark' }
  const [boxed, crossed] = box.exec(rest) ?? []
  if (boxed !== undefined && section !== 'Todos') return { fault: 'box-elsewhere' }
  const dated = boxed === undefined ? date.exec(rest) : null
  const day = dated ? toDay(dated) : undefined
  if (boxed === undefined && (dated ? !isDay(day ?? '') : dateLike.test(rest))) return { fault: 'bad-date' }
  const text = toLineText(rest.slice(boxed?.length ?? dated?.[0].length ?? 0))
  if (text === '') return { fault: 'no-text' }
  return {
    section,
    ...(day === undefined ? {} : { day }),
    text,
    ...(crossed ? { done: true } : {}),
    ...(mark ? { mark } : {}),
  }
}

/** Of figures of either width. */
const toDay = ([, year = '', month = '', day = '']: RegExpExecArray): string =>
  [year, month.padStart(2, '0'), day.padStart(2, '0')]
    .join('-')
    .replaceAll(/[０-９]/gu, (sign) => String(sign.charCodeAt(0) - 0xff10))
