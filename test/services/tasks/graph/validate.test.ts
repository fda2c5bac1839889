// Which plans are refused, and that the sentence names what is wrong.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planBounds, toId, type TaskGraph } from '#services/tasks/graph/graph.ts'
import { findProblems } from '#services/tasks/graph/validate.ts'
import { anyGraphs, toGraph, toNode } from '#test/services/tasks/graph/graphs.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'

const problemsOf = (graph: unknown): string => findProblems(graph, planBounds).join('\n')

it('finds nothing in a chain, a single step, a branch and a join', () => {
  for (const graph of [toGraph(1, ''), toGraph(3, '1>2 2>3'), toGraph(4, '1>2 1!3 2>4 3*4')])
    expect(problemsOf(graph)).toBe('')
})

it.each<[string, unknown, string]>([
  ['no object', 'prose', 'no known shape'],
  ['a newer version', { ...toGraph(1, ''), v: 2 }, 'no known shape at "v"'],
  ['no node', toGraph(0, ''), 'no steps'],
  ['an unknown status', { ...toGraph(1, ''), nodes: [{ ...toNode(1), status: 'lost' }] }, 'nodes.0.status'],
  [
    'a predicate, which nothing reads',
    { ...toGraph(2, ''), edges: [{ from: 'N-001', to: 'N-002', condition: 'predicate:x' }] },
    'edges.0.condition',
  ],
  ['an id that is none', { ...toGraph(1, ''), nodes: [{ ...toNode(1), id: '__proto__' }] }, 'nodes.0.id'],
  ['one id twice', { ...toGraph(2, '1>2'), nodes: [toNode(1), toNode(1), toNode(2)] }, 'Two steps have the id N-001'],
  ['a number above the last', { ...toGraph(2, '1>2'), last: 1 }, 'highest number'],
  ['a node that waits for itself', toGraph(2, '1>2 2>2'), 'N-002 waits for itself'],
  ['a circle of two', toGraph(3, '1>2 2>3 3>2'), 'N-002 → N-003 → N-002'],
  ['a circle of three', toGraph(4, '1>2 2>3 3>4 4>2'), 'circle'],
  ['a node that stands alone', toGraph(3, '1>2'), 'N-003 stands alone'],
  ['an edge to nowhere', toGraph(2, '1>2 1>7'), 'names N-007'],
  ['two edges between two', toGraph(2, '1>2 1!2'), 'Two edges lead from N-001 to N-002'],
  [
    '31 nodes',
    toGraph(31, Array.from({ length: 30 }, (_, at) => `${at + 1}>${at + 2}`).join(' ')),
    '31 steps; at most 30',
  ],
  ['a long title', { ...toGraph(1, ''), nodes: [toNode(1, { title: 'x'.repeat(121) })] }, 'title of N-001'],
  ['a long task', { ...toGraph(1, ''), nodes: [toNode(1, { task: 'x'.repeat(1001) })] }, 'task of N-001'],
])('refuses %s', (_, graph, said) => {
  expect(problemsOf(graph)).toContain(said)
})

const reading = (text: string, edges = '1>2'): TaskGraph => {
  const made = toNode(1, { outputs: { ...toNode(1).outputs, named: [{ name: 'patch', artifact: null }] } })
  const reader = toNode(2, { inputs: { ...toNode(2).inputs, upstream_outputs: [text] } })
  return { ...toGraph(3, `${edges} 2>3 1>3`), nodes: [made, reader, toNode(3)] }
}
it.each([
  ['N-001.outputs.patch', ''],
  ['N-001.outputs.summary', ''],
  ['N-001.outputs.diff', 'has no output "diff"'],
  ['N-009.outputs.patch', 'names no output of a step'],
  ['patch', 'names no output of a step'],
  ['N-003.outputs.summary', 'does not need N-003'],
  ['N-001.outputs.constructor', 'has no output'],
])('reads %s of what is upstream: %j', (text, said) => {
  if (said === '') expect(problemsOf(reading(text))).toBe('')
  else expect(problemsOf(reading(text))).toContain(said)
})

it('adds up minutes, tokens and characters', () => {
  const limited = (seconds: number, tokens: number): TaskGraph => {
    const constraints = { allowed_tools: [], time_budget_sec: seconds, token_budget: tokens }
    return { ...toGraph(2, '1>2'), nodes: [toNode(1, { constraints }), toNode(2, { constraints })] }
  }
  expect(problemsOf(limited(900, 50_000))).toBe('')
  expect(problemsOf(limited(901, 1))).toContain('30 minutes')
  expect(problemsOf(limited(1, 50_001))).toContain('100002 tokens')
  const small = { ...planBounds, maxGraphChars: 1000 }
  expect(findProblems(toGraph(3, '1>2 2>3'), small).join()).toContain('characters; at most 1000')
})

/** By the definition, without regard to time: who can be reached. */
function findNaively({ nodes, edges }: TaskGraph): {
  cyclic: boolean
  alone: boolean
  unknown: boolean
  twice: boolean
} {
  const ids = nodes.map(({ id }) => id)
  const reached = (from: string): Set<string> => {
    const all = new Set<string>()
    for (let size = -1; size !== all.size;) {
      size = all.size
      for (const edge of edges)
        if (ids.includes(edge.from) && (edge.from === from || all.has(edge.from))) all.add(edge.to)
    }
    return all
  }
  return {
    cyclic: ids.some((id) => reached(id).has(id)),
    alone: ids.length > 1 && ids.some((id) => !edges.some(({ from, to }) => from === id || to === id)),
    unknown: edges.some(({ from, to }) => !ids.includes(from) || !ids.includes(to)),
    twice: edges.some((one, at) =>
      edges.some((other, after) => after > at && one.from === other.from && one.to === other.to),
    ),
  }
}

it('agrees with a naive check on 10,000 random graphs, and the circles that it names are there', () => {
  fc.assert(
    fc.property(anyGraphs(9), (graph) => {
      const found = findProblems(graph, planBounds)
      const says = (part: string): boolean => found.some((line) => line.includes(part))
      const naive = findNaively(graph)
      expect(found.length === 0).toBe(!Object.values(naive).includes(true))
      if (found.length === 10) return
      expect(says('circle') || says('itself')).toBe(naive.cyclic)
      expect(says('stands alone')).toBe(naive.alone)
      expect(says('no such step')).toBe(naive.unknown)
      expect(says('Two edges')).toBe(naive.twice)
      const pairs = new Set(graph.edges.map(({ from, to }) => `${from} ${to}`))
      for (const line of found.filter((one) => one.includes('circle'))) {
        const [, circle = ''] = /^([N\d→ -]+) wait/.exec(line) ?? []
        const ids = circle.split(' → ')
        expect(ids.length).toBeGreaterThan(2)
        for (const [at, id] of ids.slice(1).entries()) expect(pairs).toContain(`${ids[at]} ${id}`)
      }
    }),
    runs(10_000),
  )
}, 60_000)

it('takes time in proportion to nodes and edges', () => {
  const bounds = { ...planBounds, maxNodes: 1e6, maxGraphChars: 1e9 }
  const chain = (count: number): TaskGraph => {
    const edges = Array.from({ length: count - 1 }, (_, at) => ({
      from: toId(at + 1),
      to: toId(at + 2),
      condition: 'on_success' as const,
    }))
    return {
      ...toGraph(count, ''),
      edges: [...edges, ...edges.slice(2).map(({ to }) => ({ from: toId(1), to, condition: 'always' as const }))],
    }
  }
  const msOf = (count: number): number => {
    const [graph, from] = [chain(count), processorMs()]
    expect(findProblems(graph, bounds)).toEqual([])
    return processorMs() - from
  }
  msOf(2000)
  expect(msOf(32_000)).toBeLessThan(12 * Math.max(10, msOf(8000)))
}, 60_000)
