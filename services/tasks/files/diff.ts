// What differs between two states of the workspace, and between two texts. Texts are compared line by line by the algorithm of Myers ("An O(ND)
// Difference Algorithm and Its Variations", 1986), with a bound on the work: beyond it all lines between the first and the last change count as changed.
import { findMatches, type Match } from './match-lines.ts'
import type { Tree, TreeFile } from './tree.ts'

export type TreeDiff = {
  readonly added: readonly TreeFile[]
  readonly changed: readonly { readonly path: string; readonly before: TreeFile; readonly after: TreeFile }[]
  readonly removed: readonly TreeFile[]
}

export function diffTrees(before: Tree, after: Tree): TreeDiff {
  const old = new Map(before.map((file) => [file.path, file]))
  const now = new Set(after.map(({ path }) => path))
  return {
    added: after.filter(({ path }) => !old.has(path)),
    changed: after.flatMap((file) => {
      const was = old.get(file.path)
      return was && was.hash !== file.hash ? [{ path: file.path, before: was, after: file }] : []
    }),
    removed: before.filter(({ path }) => !now.has(path)),
  }
}

export type TextDiff = {
  /** Hunks of a unified diff, without the lines that name the files; empty where the texts are the same. */
  readonly text: string
  /** Lines. */
  readonly added: number
  readonly removed: number
  /** Less was found in common than there may be, since it would take too long. */
  readonly isCoarse: boolean
}

const mostContext = 3

/** The time is linear in the texts, but for a bounded part. */
export function diffText(before: string, after: string): TextDiff {
  const [old, now] = [toLines(before), toLines(after)]
  const { matches, isCoarse } = findMatches(old, now)
  const changes = toChanges(matches, old.length, now.length)
  return {
    text: toHunks(changes)
      .map((hunk) => printHunk(hunk, old, now))
      .join(''),
    added: changes.reduce((sum, { to }) => sum + to.end - to.start, 0),
    removed: changes.reduce((sum, { from }) => sum + from.end - from.start, 0),
    isCoarse,
  }
}

/** With what ends them. */
const toLines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? []

/** Lines from `start` up to `end`, which is not among them. */
type Range = { readonly start: number; readonly end: number }
type Change = { readonly from: Range; readonly to: Range }
type Hunk = readonly Change[]

/** What lies between runs of lines that are the same. */
function toChanges(matches: readonly Match[], oldLength: number, newLength: number): readonly Change[] {
  const changes: Change[] = []
  let [oldAt, newAt] = [0, 0]
  for (const { old, now, count } of [...matches, { old: oldLength, now: newLength, count: 0 }]) {
    if (old > oldAt || now > newAt) changes.push({ from: { start: oldAt, end: old }, to: { start: newAt, end: now } })
    oldAt = old + count
    newAt = now + count
  }
  return changes
}

/** Changes whose context would touch stand in one hunk. */
function toHunks(changes: readonly Change[]): readonly Hunk[] {
  const hunks: Change[][] = []
  for (const change of changes) {
    const last = hunks.at(-1)
    const end = last?.at(-1)?.from.end
    if (last && end !== undefined && change.from.start - end <= 2 * mostContext) last.push(change)
    else hunks.push([change])
  }
  return hunks
}

function printHunk(hunk: Hunk, old: readonly string[], now: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)]
  if (!first || !last) return ''
  const before = Math.min(mostContext, first.from.start)
  const after = Math.min(mostContext, old.length - last.from.end)
  const from = { start: first.from.start - before, end: last.from.end + after }
  const to = { start: first.to.start - before, end: last.to.end + after }
  const lines: string[] = []
  const add = (sign: string, all: readonly string[], { start, end }: Range): void => {
    for (const line of all.slice(start, end)) lines.push(`${sign}${line}${line.endsWith('\n') ? '' : noEnd}`)
  }
  let at = from.start
  for (const change of hunk) {
    add(' ', old, { start: at, end: change.from.start })
    add('-', old, change.from)
    add('+', now, change.to)
    at = change.from.end
  }
  add(' ', old, { start: at, end: from.end })
  return `@@ -${printRange(from)} +${printRange(to)} @@\n${lines.join('')}`
}

const noEnd = '\n\\ No newline at end of file\n'

/** Of no lines the one before them is named. */
function printRange({ start, end }: Range): string {
  const count = end - start
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`
}
