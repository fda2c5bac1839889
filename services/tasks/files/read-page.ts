// A page of a file for the model: its lines with their numbers, as many as a tool's result may have, and how to read on.
import { quotePath } from './check-path.ts'

/** Short enough that no page is cut again. */
const mostPageChars = 3500
/** So much of one line at once. */
const mostLineChars = 3000
const mostLines = 500

export type Wanted = {
  /** The first line, from 1. */
  readonly offset?: number | undefined
  /** So many lines. */
  readonly limit?: number | undefined
  /** In the first line, from which character on, from 1. */
  readonly column?: number | undefined
}

export function readPage(path: string, text: string, { offset = 1, limit = mostLines, column = 1 }: Wanted): string {
  const lines = toLines(text)
  const named = quotePath(path)
  if (lines.length === 0) return `${named} is empty.`
  if (offset > lines.length) return `${named} has ${lines.length} lines.`
  const shown: string[] = []
  let [room, end, on] = [mostPageChars, offset - 1, '']
  while (end < lines.length && shown.length < Math.min(limit, mostLines) && on === '') {
    const line = lines[end] ?? ''
    const from = end === offset - 1 ? toStart(line, column - 1) : 0
    const to = toEnd(line, from)
    const said = `${end + 1}\t${line.slice(from, to)}`
    if (shown.length > 0 && said.length > room) break
    shown.push(said)
    room -= said.length + 1
    end += 1
    if (to < line.length) on = `; line ${end} goes on: offset ${end}, column ${to + 1}`
  }
  if (on === '' && end < lines.length) on = `; offset ${end + 1} goes on`
  return `[${named}, lines ${offset} to ${end} of ${lines.length}${on}]\n${shown.join('\n')}`
}

/** Without their ends, and without a byte order mark. What ends the last line begins no other one. */
function toLines(text: string): readonly string[] {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  const lines = body.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Not within a character of two halves. */
const toStart = (line: string, at: number): number => (isSecondHalf(line, at) ? at - 1 : at)

function toEnd(line: string, from: number): number {
  const to = Math.min(line.length, from + mostLineChars)
  return isSecondHalf(line, to) ? to - 1 : to
}

const isSecondHalf = (line: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(line.slice(Math.max(0, at - 1), at + 1)) && at > 0
