// Graphs for tests: named in short, and at random.
import fc from 'fast-check'
import {
  conditions,
  planBounds,
  toId,
  type TaskEdge,
  type TaskGraph,
  type TaskNode,
} from '#services/tasks/graph/graph.ts'
import { readPlan } from '#services/tasks/graph/read-plan.ts'
import { settle } from '#services/tasks/graph/settle.ts'
import { toBlank } from '#services/tasks/graph/read-step.ts'

export const toNode = (number: number, more: Partial<TaskNode> = {}): TaskNode => ({
  ...toBlank(toId(number)),
  title: `Title ${number}`,
  task: `Task ${number}`,
  ...more,
})

/** `1>2` on success, `1!2` on failure, `1*2` always. */
export function toGraph(count: number, edges: string, more: Partial<TaskGraph> = {}): TaskGraph {
  const toEdge = (text: string): TaskEdge => {
    const [from = '', sign = '', to = ''] = text.split(/([>!*])/)
    const condition = sign === '!' ? 'on_failure' : sign === '*' ? 'always' : 'on_success'
    return { from: toId(Number(from)), to: toId(Number(to)), condition }
  }
  return {
    v: 1,
    status: 'running',
    last: count,
    nodes: Array.from({ length: count }, (_, at) => toNode(at + 1)),
    edges: edges === '' ? [] : edges.split(' ').map(toEdge),
    ...more,
  }
}

/** A plan of a model that is none of those refused. */
export function toPlan(steps: readonly unknown[]): TaskGraph {
  const read = readPlan({ steps }, planBounds)
  if (read.kind === 'refused') throw new Error(read.problems.join(' '))
  return read.graph
}

const pairs = (most: number) =>
  fc.array(
    fc.tuple(fc.integer({ min: 1, max: most }), fc.integer({ min: 1, max: most }), fc.constantFrom(...conditions)),
    {
      maxLength: 2 * most,
    },
  )

/** Any edges: cycles, doubles, nodes that are not there. */
export const anyGraphs = (most: number): fc.Arbitrary<TaskGraph> =>
  fc.tuple(fc.integer({ min: 1, max: most }), pairs(most + 1)).map(([count, edges]) => ({
    ...toGraph(count, ''),
    edges: edges.map(([from, to, condition]) => ({ from: toId(from), to: toId(to), condition })),
  }))

/** Sound in their edges, but for nodes that stand alone. */
export const soundGraphs = (most: number): fc.Arbitrary<TaskGraph> =>
  fc.tuple(fc.integer({ min: 1, max: most }), pairs(most)).map(([count, found]) => {
    const edges = new Map<string, TaskEdge>()
    for (const [one, other, condition] of found) {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      if (from !== to && to <= count) edges.set(`${from} ${to}`, { from: toId(from), to: toId(to), condition })
    }
    return settle({ ...toGraph(count, ''), edges: [...edges.values()] })
  })
