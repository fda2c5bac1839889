// A plan as a picture and as lines: every title is shown, and none means anything.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toId, type TaskGraph } from '#services/tasks/graph/graph.ts'
import { toLines, toMermaid } from '#services/tasks/graph/mermaid.ts'
import { begin, fail, finish, skip } from '#services/tasks/graph/progress.ts'
import { toGraph, toNode } from '#test/services/tasks/graph/graphs.ts'
import { runs } from '#test/rig/property-runs.ts'

const metrics = { costUsd: 0, tokens: 0, nowMs: 2 }
const finished = finish(begin(toGraph(5, '1>2 2>3 1!4 3*5'), 'N-001', 1), 'N-001', { summary: 'ok', metrics })
const failed = fail(begin(finished, 'N-002', 1), 'N-002', { text: 'no', isRetryable: false, metrics }).graph
const titled = (title: string): TaskGraph => ({ ...toGraph(2, '1>2'), nodes: [toNode(1, { title }), toNode(2)] })

it('draws nodes with their status and edges with their condition', () => {
  expect(toMermaid(failed).split('\n').slice(0, 10)).toEqual([
    'flowchart TD',
    '  N001["N-001 Title 1"]:::done',
    '  N002["N-002 Title 2"]:::failed',
    '  N003["N-003 Title 3"]:::blocked',
    '  N004["N-004 Title 4"]:::skipped',
    '  N005["N-005 Title 5"]:::blocked',
    '  N001 --> N002',
    '  N002 --> N003',
    '  N001 -.->|failure| N004',
    '  N003 -->|always| N005',
  ])
})

it.each([
  ['"] --> X["', '#34;#93; #45;#45;#62; X#91;#34;'],
  ['end', 'end'],
  ['a\nb\r\n%%{init: {}}%%', 'a b #37;#37;#123;init#58; #123;#125;#125;#37;#37;'],
  ['**b** `c` #35;', '#42;#42;b#42;#42; #96;c#96; #35;35#59;'],
  ['<img src=x>', '#60;img src#61;x#62;'],
  ['a\u202eb\u200fc', 'abc'],
  ['写第一章（初稿）👩‍👩‍👧', '写第一章（初稿）👩#8205;👩#8205;👧'],
])('shows %j', (title, label) => {
  expect(toMermaid(titled(title)).split('\n')[1]).toBe(`  N001["N-001 ${label}"]:::pending`)
})

it('has one line a node and an edge, whatever the titles are', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constant('x'.repeat(10_000))), (title) => {
      const [, line = '', ...more] = toMermaid(titled(title)).split('\n')
      expect(line).toMatch(/^ {2}N001\["N-001 [^"[\]{}<>`|\\]*"\]:::pending$/u)
      expect(line.length).toBeLessThan(1000)
      expect(more).toHaveLength(8)
      for (const language of ['zh', 'en'] as const) {
        const lines = toLines(titled(title), language)
        expect(lines).toHaveLength(2)
        expect(lines[0]).not.toMatch(/[\n\r\u202e]/u)
        expect(lines[0]?.length).toBeLessThan(250)
      }
    }),
    runs(500),
  )
})

it('says in lines how each step stands', () => {
  expect(toLines(begin(finished, 'N-002', 1), 'en')).toEqual([
    '✅ 1. Title 1',
    '▶️ 2. Title 2',
    '⏳ 3. Title 3',
    '⤵️ 4. Title 4 (not needed)',
    '⏳ 5. Title 5',
  ])
  expect(toLines(failed, 'zh')).toEqual([
    '✅ 1. Title 1',
    '❌ 2. Title 2',
    '⏸ 3. Title 3（等第 2 步）',
    '⤵️ 4. Title 4（用不到）',
    '⏸ 5. Title 5（等第 3 步）',
  ])
  expect(toLines(skip(toGraph(1, ''), 'N-001').graph, 'en')).toEqual(['⤵️ 1. Title 1'])
})

it('shows no markup and no command of a title', () => {
  expect(toLines(titled('[x](http://a) **b** /stop'), 'en')[0]).toBe(
    '⏳ 1. \\[x\\](http://a) \\*\\*b\\*\\* /\u2060stop',
  )
})

it('has forty lines at most, those around what comes next', () => {
  const chain = (doneCount: number): TaskGraph => {
    const graph = toGraph(100, '')
    return { ...graph, nodes: graph.nodes.map((node, at) => (at < doneCount ? { ...node, status: 'done' } : node)) }
  }
  for (const [count, first, shown, last] of [
    [0, '⏳ 1. Title 1', '⏳ 1.', '… 62 more'],
    [50, '… 47 more', '⏳ 51.', '… 15 more'],
    [100, '… 62 more', '✅ 100.', '✅ 100. Title 100'],
  ] as const) {
    const lines = toLines(chain(count), 'en')
    expect(lines.length).toBeLessThanOrEqual(40)
    expect([lines[0], lines.at(-1)]).toEqual([first, last])
    expect(lines.some((line) => line.startsWith(shown))).toBe(true)
  }
  expect(toLines(chain(0), 'zh').at(-1)).toBe('……还有 62 步')
  expect(toId(1)).toBe('N-001')
})
