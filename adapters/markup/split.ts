// Splits Markdown into parts that each fit a platform's limit once rendered: at block borders, then at list items, lines, words,
// and only at last inside a word. A code fence is closed and opened again, a table's header repeated, and a heading goes with what it
// heads. No text is lost.
import type { Code, Nodes, Root, Table } from 'mdast'
import { parseMarkdown } from './markdown.ts'

export type SplitLimit = {
  readonly limit: number
  /** The length of a part as the platform counts it. */
  readonly measure: (markdown: string) => number
}

/** A part that ends at a coarse border is taken when it fills this much of the limit; else a finer border is sought. */
const goodFill = 0.3
/** At a border of its kind a part that fills this much is not made longer: each look at one costs reading it. */
const fullFill = 0.97
/** What is read to find a cut, in limits: what stands before it, and a little behind. */
const nearLimits = 1.25

/** With `most` parts cut off, what remains is one last part, however long. */
export function splitMarkdown(source: string, how: SplitLimit, most = Number.POSITIVE_INFINITY): string[] {
  const steps = splitInSteps(source, how, most)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same in steps, each of which reads a text of at most a few limits. */
export function* splitInSteps(source: string, how: SplitLimit, most: number): Steps<string[]> {
  const parts: string[] = []
  let rest = source.toWellFormed()
  // Reading is what costs: a text several times the limit is cut without being measured whole.
  while (parts.length < most && (rest.length > how.limit * 2 || how.measure(rest) > how.limit)) {
    yield
    const cut = yield* findCut(rest, how)
    parts.push(cut.head)
    rest = cut.rest
    yield
  }
  if (parts.length === 0) return [rest]
  if (rest.trim() !== '') parts.push(rest.trimEnd())
  return parts
}

type Steps<T> = Generator<undefined, T, void>
type Cut = { readonly head: string; readonly rest: string }

function* findCut(source: string, how: SplitLimit): Steps<Cut> {
  const near = source.slice(0, Math.ceil(how.limit * nearLimits)).toWellFormed()
  const root = parseMarkdown(near)
  let best: Cut | undefined
  let bestLength = 0
  for (const level of toLevels(root, near)) {
    const offsets = level().filter((at) => at > 0 && at < source.length && at <= how.limit)
    const found = yield* findLongest(offsets, (at) => cutAt(source, root, at), how)
    if (!found) continue
    if (found.length > bestLength) {
      best = found.cut
      bestLength = found.length
    }
    if (bestLength >= how.limit * goodFill) break
  }
  // Even one character does not fit: the limit is smaller than any text, which no platform's is.
  return best ?? { head: source.slice(0, how.limit), rest: source.slice(how.limit) }
}

/**
 * The cut furthest on whose head fits, or nearly. Most often that is the last one, since text seldom grows by rendering; then the next is
 * looked for where the limit would lie if the text grew evenly, and from the second time on half way.
 */
function* findLongest(
  offsets: readonly number[],
  cut: (at: number) => Cut,
  how: SplitLimit,
): Steps<{ readonly cut: Cut; readonly length: number } | undefined> {
  let low = 0
  let high = offsets.length - 1
  let next = high
  let found: { readonly cut: Cut; readonly length: number } | undefined
  for (let looks = 1; low <= high; looks++) {
    yield
    const at = offsets[next] ?? 0
    const candidate = cut(at)
    const isEmpty = candidate.head.trim() === ''
    const length = isEmpty ? 0 : how.measure(candidate.head)
    if (length <= how.limit) {
      if (!isEmpty) found = { cut: candidate, length }
      if (length >= how.limit * fullFill) break
      low = next + 1
    } else high = next - 1
    const even = length > how.limit ? (at * how.limit) / length : Infinity
    const guess = offsets.findLastIndex((offset, i) => i <= high && offset <= even)
    next = looks === 1 ? Math.max(low, guess) : (low + high) >> 1
  }
  return found
}

/** Offsets to cut at, ascending, from the coarsest borders to the finest. */
function toLevels(root: Root, source: string): (() => number[])[] {
  const items: number[] = []
  const lines: number[] = []
  const words: number[] = []
  const letters: number[] = []
  walk(root, (node, parent) => {
    if (node.type === 'listItem') items.push(source.lastIndexOf('\n', startOf(node)) + 1)
    if (node.type === 'tableRow') lines.push(startOf(node))
    const isLoose = node.type === 'text' && parent.type === 'paragraph'
    if (node.type !== 'code' && !isLoose) return
    for (let at = startOf(node) + 1; at < endOf(node); at++) {
      if (!isBetween(source, at)) continue
      letters.push(at)
      const before = source.charAt(at - 1)
      if (before === '\n') lines.push(at)
      else if (/[\s。！？；，、]/.test(before)) words.push(at)
    }
  })
  const every = (): number[] =>
    Array.from({ length: source.length }, (_, at) => at).filter((at) => isBetween(source, at))
  return [() => root.children.slice(1).map(startOf), () => items, () => lines, () => words, () => letters, every]
}

/** Neither inside a surrogate pair nor after the backslash of an escape. */
function isBetween(source: string, at: number): boolean {
  const unit = source.charCodeAt(at)
  return !(unit >= 0xdc00 && unit <= 0xdfff) && source.charAt(at - 1) !== '\\'
}

function cutAt(source: string, root: Root, at: number): Cut {
  const plain = { head: source.slice(0, at).trimEnd(), rest: source.slice(at).replace(/^\s*\n/, '') }
  const inside = findInside(root, at)
  const again =
    inside === undefined ? plain : inside.type === 'code' ? cutCode(source, inside, at) : cutTable(source, inside, at)
  return toBeforeHeading(source, root, again.rest.length < source.length ? again : plain)
}

/** A part does not end with headings, unless it is nothing else. */
function toBeforeHeading(source: string, root: Root, cut: Cut): Cut {
  const before = root.children.filter((node) => startOf(node) < cut.head.length)
  const kept = before.findLastIndex(({ type }) => type !== 'heading')
  const first = before[kept + 1]
  const last = before.at(-1)
  if (kept < 0 || !first || !last || source.slice(0, endOf(last)).trimEnd() !== cut.head) return cut
  return { head: source.slice(0, startOf(first)).trimEnd(), rest: source.slice(startOf(first)) }
}

function cutCode(source: string, code: Code, at: number): Cut {
  const [opening = ''] = source.slice(startOf(code), endOf(code)).split('\n', 1)
  const fence = /^[`~]+/.exec(opening)?.[0] ?? '```'
  // Not inside the opening line, and not inside the closing one.
  const from = startOf(code) + opening.length + 1
  if (at <= from) return { head: source.slice(0, startOf(code)).trimEnd(), rest: source.slice(startOf(code)) }
  const before = marksBefore(source, code)
  const tail = source.slice(at)
  const isLineStart = source.charAt(at - 1) === '\n'
  const body = tail.startsWith('\n') ? tail.slice(1) : isLineStart ? tail : `${before}${tail}`
  const head = source.slice(0, at).replace(isLineStart ? /\n$/ : marksAtEnd, '')
  return { head: `${head}\n${before}${fence}`, rest: `${before}${opening}\n${body}` }
}

function cutTable(source: string, table: Table, at: number): Cut {
  const first = table.children[1]
  if (!first || at <= startOf(first))
    return { head: source.slice(0, startOf(table)).trimEnd(), rest: source.slice(startOf(table)) }
  const head = source.slice(startOf(table), startOf(first))
  return {
    head: source.slice(0, at).replace(marksAtEnd, '').trimEnd(),
    rest: marksBefore(source, table) + head + source.slice(at),
  }
}

const marksAtEnd = /\n[ >]*$/

/** What each line of a block in a quote or a list begins with. */
function marksBefore(source: string, node: Nodes): string {
  const lineStart = source.lastIndexOf('\n', startOf(node)) + 1
  return source.slice(lineStart, startOf(node)).replaceAll(/[^>\s]/g, ' ')
}

function findInside(root: Root, at: number): Code | Table | undefined {
  let found: Code | Table | undefined
  walk(root, (node) => {
    if ((node.type === 'code' || node.type === 'table') && startOf(node) < at && at < endOf(node)) found = node
  })
  return found
}

function walk(node: Nodes, visit: (node: Nodes, parent: Nodes) => void): void {
  if (!('children' in node)) return
  for (const child of node.children) {
    visit(child, node)
    walk(child, visit)
  }
}

const startOf = (node: Nodes): number => node.position?.start.offset ?? 0
const endOf = (node: Nodes): number => node.position?.end.offset ?? 0
