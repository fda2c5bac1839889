// What differs between two trees, and between two texts: a diff leads from the one to the other, and is made in time.
import { processorMs } from '#test/rig/processor-ms.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffText, diffTrees } from '#services/tasks/files/diff.ts'
import { emptyTree } from '#services/tasks/files/tree.ts'
import { runs } from '#test/rig/property-runs.ts'
import { treeOf } from './trees.ts'

const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `${from + at}\n`).join('')

/** Does what a unified diff says, and throws where the text is another one. */
function patch(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+/g) ?? []
  const made: string[] = []
  let at = 0
  const lines = diff.match(/[^\n]*\n/g) ?? []
  for (const [nth, line] of lines.entries()) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n$/.exec(line)
    if (head) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1)
      made.push(...old.slice(at, start))
      at = start
    }
    if (head || line.startsWith('\\')) continue
    const said = lines[nth + 1]?.startsWith('\\') ? line.slice(1, -1) : line.slice(1)
    if (line.startsWith('+')) made.push(said)
    else if (old[at] === said) {
      at += 1
      if (line.startsWith(' ')) made.push(said)
    } else throw new Error(`Line ${at + 1} of the text is another one than the diff says.`)
  }
  return [...made, ...old.slice(at)].join('')
}

test('of trees it tells what is new, what is changed and what is gone', () => {
  const before = treeOf({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' })
  const after = treeOf({ 'a.md': 'a', 'b.md': 'more', 'd.md': 'c' })
  const paths = ({ path: one }: { readonly path: string }): string => one
  const { added, changed, removed } = diffTrees(before, after)
  expect([added.map(paths), changed.map(paths), removed.map(paths)]).toEqual([['d.md'], ['b.md'], ['c.md']])
  expect(changed[0]).toMatchObject({ before: { bytes: 1 }, after: { bytes: 4 } })
  expect(diffTrees(before, before)).toEqual({ added: [], changed: [], removed: [] })
  expect(diffTrees(emptyTree, before).added).toEqual(before)
})

test('a diff has three lines around each change, and one hunk for changes that are near', () => {
  const before = numbers(1, 31)
  const after = before.replace('5\n', 'five\n').replace('9\n10\n', '').replace('25\n', '25\nmore\n')
  expect(diffText(before, after)).toEqual({
    text: `@@ -2,12 +2,10 @@
 2
 3
 4
-5
+five
 6
 7
 8
-9
-10
 11
 12
 13
@@ -23,6 +21,7 @@
 23
 24
 25
+more
 26
 27
 28
`,
    added: 2,
    removed: 3,
    isCoarse: false,
  })
})

test.each([
  ['the same', 'a\n', 'a\n', ''],
  ['both empty', '', '', ''],
  ['a new text', '', 'a\nb\n', '@@ -0,0 +1,2 @@\n+a\n+b\n'],
  ['a text that is emptied', 'a\n', '', '@@ -1 +0,0 @@\n-a\n'],
  ['an end of line that is added', 'a', 'a\n', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n'],
  ['other line ends', 'a\n', 'a\r\n', '@@ -1 +1 @@\n-a\n+a\r\n'],
  ['no end at the end of both', 'a\nb', 'c\nb', '@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n'],
])('%s', (_, before, after, text) => {
  expect(diffText(before, after).text).toBe(text)
})

const lines = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'long\r\n', '长\n'), { maxLength: 40 })
  .map((all) => all.join(''))

/** How many lines two texts have in common in order, by the usual table. */
function countCommon(before: string, after: string): number {
  const [a, b] = [before.match(/[^\n]*\n/g) ?? [], after.match(/[^\n]*\n/g) ?? []]
  let row = b.map(() => 0)
  for (const one of a) {
    const next: number[] = []
    for (const [at, other] of b.entries())
      next.push(one === other ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}

test('a diff leads from any text to any other, and is as short as can be', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const { text, removed, added } = diffText(before, after)
      expect(patch(before, text)).toBe(after)
      const common = countCommon(before, after)
      const count = (whole: string): number => whole.match(/\n/g)?.length ?? 0
      expect([removed, added]).toEqual([count(before) - common, count(after) - common])
    }),
    runs(1000),
  )
})

/** The same sequence each time. */
function createDice(): () => number {
  let seed = 7
  return () => (seed = (seed * 48_271) % 2_147_483_647)
}

test.each([
  ['without a common line', 150, (at: number) => `a${at}\n`, (at: number) => `b${at}\n`],
  ['of nothing but line ends', 500, () => '\n', () => '\n'],
  ['of one line', 500, () => 'a', () => 'b'],
  ['of the same lines in the other order', 500, (at: number) => `${at}\n`, (at: number) => `${100_000 - at}\n`],
  [
    'of few lines that come again and again',
    500,
    (at: number) => `${(at * at) % 7}\n`,
    (at: number) => `${(at * at) % 11}\n`,
  ],
])('two texts of 256 KB %s are compared in time', (_, mostMs, first, second) => {
  const fill = (line: (at: number) => string): string => {
    const all: string[] = []
    for (let [at, chars] = [0, 0]; chars < 250_000; at++) {
      all.push(line(at))
      chars += line(at).length
    }
    return all.join('')
  }
  const [before, after] = [fill(first), fill(second)]
  diffText(before.slice(0, 1000), after.slice(0, 1000))
  const times = [1, 2, 3].map(() => {
    const beganAt = processorMs()
    diffText(before, after)
    return processorMs() - beganAt
  })
  expect(Math.min(...times)).toBeLessThan(mostMs)
  expect(patch(before, diffText(before, after).text) === after).toBe(true)
})

test('of texts with too many changes a coarse diff is made, which leads from one to the other all the same', () => {
  const dice = createDice()
  const fill = (): string => Array.from({ length: 60_000 }, () => `${dice() % 50}\n`).join('')
  const [before, after] = [`same\n${fill()}end\n`, `same\n${fill()}end\n`]
  const diff = diffText(before, after)
  expect(diff.isCoarse).toBe(true)
  expect(patch(before, diff.text) === after).toBe(true)
})
