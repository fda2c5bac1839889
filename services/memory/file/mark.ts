// The sign behind a line, `<!-- 3 4f2a01b7 -->`: the number of its record, three figures for whom it is kept, and five for its words as they were printed. So
// an edit of the line is an edit of that record, another person's file is known as such, and so is what changed meanwhile.
import { hash } from 'node:crypto'
import type { MemoryRecord } from '#shared/memory/record.ts'
import type { End, Mark } from './document.ts'

const toHash = (text: string): string => hash('sha256', text, 'hex')
const placeSigns = 3
const wordsSigns = 5
const seenSigns = 16

export const toPlaceSign = (scope: string): string => toHash(`scope ${scope}`).slice(0, placeSigns)

/** Its words, and those of no other record. */
export const toSeen = ({ id, text }: Pick<MemoryRecord, 'id' | 'text'>): string =>
  toHash(`${id}\n${text}`).slice(0, seenSigns)

export const toMark = (record: MemoryRecord): Mark => ({
  number: record.number,
  place: toPlaceSign(record.scope),
  words: toSeen(record).slice(0, wordsSigns),
})

export const isOf = ({ number, words }: Mark, record: MemoryRecord): boolean =>
  record.number === number && toSeen(record).startsWith(words)

export const printMark = ({ number, place, words }: Mark): string => `<!-- ${number} ${place}${words} -->`
export const printEnd = ({ from, to, place }: End): string => `<!-- end: ${from}-${to} ${place} -->`

/** Some programs make one long dash of two short ones. */
const mark = /^<!(?:--|[–—])\s{0,3}(\d{1,9})\s{1,3}([\da-f]{3})([\da-f]{5})\s{0,3}(?:--|[–—])>$/u
const end = /^<!(?:--|[–—])\s{0,3}end[:：]\s{0,3}(\d{1,9})-(\d{1,9})\s{1,3}([\da-f]{3})\s{0,3}(?:--|[–—])>$/u
const opens = /^<!(?:--|[–—])/u
const closes = /(?:--|[–—])>$/u

/** The sign at the end of a line, and the line without it. `bad`: a sign that is none of ours. */
export function splitMark(line: string): { readonly rest: string; readonly mark?: Mark; readonly bad?: true } {
  const at = closes.test(line) ? line.lastIndexOf('<!') : -1
  const sign = line.slice(at)
  if (at < 0 || !opens.test(sign)) return { rest: line }
  const [, number, place, words] = mark.exec(sign) ?? []
  if (number === undefined || place === undefined || words === undefined) return { rest: line, bad: true }
  return { rest: line.slice(0, at).trimEnd(), mark: { number: Number(number), place, words } }
}

/** Undefined for any other line. */
export function readEnd(line: string): End | undefined {
  const [, from, to, place] = end.exec(line) ?? []
  return place === undefined ? undefined : { from: Number(from), to: Number(to), place }
}

export const isComment = (line: string): boolean => opens.test(line) && closes.test(line)
