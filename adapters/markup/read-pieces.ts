// Looks through a text for what Markdown must not change: formulas, stars and underscores of numbers and names, paths of Windows; and for what
// its parser would read wrong: addresses that a mark or a Chinese sign ends, and line breaks of HTML. Code and written links are left alone.
import { createFormulaFinder } from './formulas.ts'
import { toBareAddress } from './bare-address.ts'
import { isStarOfWord, toNameEnd } from './word-marks.ts'
import type { StandIns } from './stand-ins.ts'

/** A piece of the source that becomes a node of its own. */
export type Piece = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'formula'; readonly value: string; readonly tex: string; readonly isBlock: boolean }
  | { readonly kind: 'link' | 'break' }
)

/** Where something of these may begin. Most texts hold none. */
const mayHold = /[*_$\\`~]|<\/?br|https?:|www\.|\]\(|>[=\d>]|^[ \t>]{0,8}(?:={1,2}|--?)[ \t]{0,8}$/im
const begins =
  />(?=[=\d])(?<=^[ \t]{0,8}>)|>>>(?=[ \t])(?<=^[ \t]{0,8}>>>)|(?<=^[ \t>]{0,8})(?:={1,2}|--?)(?=[ \t]{0,8}$)|(?<=^|[\s(（])([*~@^;-])_{1,3}\1(?=$|[\s.,!?)）])|\[(?<=[\w)\]]\[)[\w+\-*, ]{1,40}\]\([\w+\-*, '"]{0,40}\)|`+|~{3,}|\\|\$+|\*+|_+|<|https?:\/\/|www\.|[A-Za-z]:(?=\\)(?<![A-Za-z][A-Za-z]:)/gim
const lineBreak = /<\/?br[ \t]{0,4}\/?>/iy
const writtenAddress = /<[a-z][a-z\d+.-]{1,30}:[^\s<>]{0,2000}>/iy
const windowsPath = /[A-Za-z]:\\[^\s`*|<>"“”，。；]{0,300}/y
/** `\\\\server\share` */
const sharePath = /\\\\[A-Za-z0-9][\w.-]{0,60}\\[\w$.-][^\s`*|<>"“”，。；]{0,300}/y
/** Of a path, a pattern or TeX, in a word. */
const backslashed = /\\[A-Za-z0-9]/
/** What Markdown never needs to escape. */
const neverMark = /\\(?:["'/?^{},;]|(?<=[/*+?^|\]]\\)\.|\\(?=\s|$))/y
const nearChars = 60
const target = /\([^\s()<>]{0,2000}/y

/** The pieces, in order. They and what else has to stay are hidden. */
export function hidePieces(source: string, standIns: StandIns): readonly Piece[] {
  if (!mayHold.test(source)) return []
  const pieces: Piece[] = []
  const findFormula = createFormulaFinder(source)
  const findCodeEnd = createCodeFinder(source)
  const add = (piece: Piece): number => {
    pieces.push(piece)
    standIns.hidePiece(piece.from, piece.to)
    return piece.to
  }
  const hide = (from: number, to: number): number => {
    standIns.hide(from, to)
    return to
  }
  const lookAt = (from: number, found: string): number => {
    const to = from + found.length
    const sign = found.charAt(0)
    if (sign === '`' || found.startsWith('~~')) {
      const end = findCodeEnd(from, to)
      hideBars(source, { from: to, to: end - found.length }, hide)
      return end
    }
    // `>= 5` and `>>> f()` begin no quote, and `f[0](x)` is no link.
    if (sign === '>' || sign === '[') return hide(from, to)
    if (sign === '=' || sign === '-') return isAfterItem(source, from) ? to : hide(from, to)
    if (/^[*~@^;]_+[*~@^;]$/.test(found)) return hide(from, to)
    if (sign === '*') return isStarOfWord(source, from, to) ? hide(from, to) : to
    if (sign === '_') {
      const end = toNameEnd(source, from, to)
      return end === undefined ? to : hide(from, end)
    }
    if (sign === '\\' || sign === '$') {
      const formula = found.length <= 2 ? findFormula(from) : undefined
      if (formula) return add({ kind: 'formula', from, to: formula.end, ...formula })
      if (source.startsWith('\\__', from)) return hide(to + 1, to + 2)
      if (sign === '$') return to
      const end = /[\w\\]/.test(source.charAt(from - 1)) ? undefined : matchAt(sharePath, source, from)
      if (end !== undefined) return hide(from, end)
      return isOfPattern(source, from) ? hide(from, to + 1) : to + 1
    }
    if (sign === '<') {
      const end = matchAt(lineBreak, source, from)
      if (end !== undefined) return add({ kind: 'break', from, to: end })
      return matchAt(writtenAddress, source, from) ?? to
    }
    if (found.length === 2) {
      const end = matchAt(windowsPath, source, from) ?? to
      return source.slice(from + 3, end).includes('\\\\') ? to : hide(from, end)
    }
    if (source.startsWith('](', from - 2)) return matchAt(target, source, from - 1) ?? to
    const { end, rest } = toBareAddress(source, from)
    return end === undefined ? rest : add({ kind: 'link', from, to: end })
  }
  begins.lastIndex = 0
  for (let match = begins.exec(source); match; match = begins.exec(source)) {
    begins.lastIndex = lookAt(match.index, match[0])
  }
  return pieces
}

/** Whether the backslash here stands for itself: `\d+\.\d{2}`, `..\lib\_a`, `"say \"hi\""`. */
function isOfPattern(source: string, at: number): boolean {
  if (matchAt(neverMark, source, at) !== undefined) return true
  const head =
    source
      .slice(Math.max(0, at - nearChars), at)
      .split(/\s/)
      .at(-1) ?? ''
  const [tail = ''] = source.slice(at, at + nearChars).split(/\s/, 1)
  return backslashed.test(head + tail)
}

/** One or two signs below a line are no underline of a heading, but below an item they may begin another one. */
function isAfterItem(source: string, at: number): boolean {
  const before =
    source
      .slice(Math.max(0, at - 400), at)
      .split('\n')
      .at(-2) ?? ''
  return /^[\s>]*(?:$|[-*+]|\d{1,9}[.)])/.test(before)
}

/** A bar in code ends no cell, although GFM says so. */
function hideBars(
  source: string,
  { from, to }: { from: number; to: number },
  hide: (from: number, to: number) => void,
): void {
  const code = source.slice(from, to)
  if (code.includes('\n') || !/[^\s|`]/.test(code)) return
  for (const bar of code.matchAll(/(?<!\\)\|/g)) hide(from + bar.index, from + bar.index + 1)
}

function matchAt(pattern: RegExp, source: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(source) ? pattern.lastIndex : undefined
}

/** Where the code ends that a run of ticks (or a fence) begins; else where the run ends. */
function createCodeFinder(source: string): (from: number, to: number) => number {
  /** Lengths of runs that do not come again from there on. */
  const unclosed = new Map<number, number>()
  return (from, to) => {
    const length = to - from
    const before = (from > 90 ? '' : '\n') + source.slice(Math.max(0, from - 90), from)
    const lineEnd = source.indexOf('\n', to)
    const isFence = length >= 3 && /\n[ \t>*+\-\d.)]{0,80}$/.test(before)
    const sign = source.charAt(from)
    if (isFence && (sign === '~' || !source.slice(to, lineEnd < 0 ? undefined : lineEnd).includes('`'))) {
      const closing = new RegExp(`\\n[ \\t>]*${sign}{${length},}[ \\t]*(?=\\n|$)`, 'g')
      closing.lastIndex = to
      return closing.test(source) ? closing.lastIndex : source.length
    }
    if (sign === '~' || from >= (unclosed.get(length) ?? Infinity)) return to
    const runs = /`+|\n[ \t]*\n/g
    runs.lastIndex = to
    for (let run = runs.exec(source); run; run = runs.exec(source)) {
      if (run[0].startsWith('\n')) return to
      if (run[0].length === length) return runs.lastIndex
    }
    unclosed.set(length, from)
    return to
  }
}
