// The order of a graph's nodes: each behind those it waits for, and else as they stand. Takes time in proportion to nodes and edges.
import type { TaskEdge } from './graph.ts'

type Edges = readonly Pick<TaskEdge, 'from' | 'to'>[]
export type Order = {
  /** Every id once, also those in a cycle. */
  readonly ids: readonly string[]
  /** Ids of nodes that wait for each other, each cycle in the order of its edges. The first five that are met. */
  readonly cycles: readonly (readonly string[])[]
}
const mostCycles = 5

/** Edges by the node at one of their ends. */
export function groupEdges<E extends Edges[number]>(edges: readonly E[], by: 'from' | 'to'): ReadonlyMap<string, E[]> {
  const grouped = new Map<string, E[]>()
  for (const edge of edges) {
    const known = grouped.get(edge[by])
    if (known) known.push(edge)
    else grouped.set(edge[by], [edge])
  }
  return grouped
}

/** Edges of unknown nodes count for nothing. */
export function findOrder(ids: readonly string[], edges: Edges): Order {
  const into = groupEdges(edges, 'to')
  const known = new Set(ids)
  const placed = new Set<string>()
  const cycles: string[][] = []
  /** The way from a node up to the one that is looked at, and how many of each one's edges were followed. */
  const [way, followed]: [string[], number[]] = [[], []]
  const onWay = new Set<string>()
  const enter = (id: string): void => {
    way.push(id)
    followed.push(0)
    onWay.add(id)
  }
  for (const first of ids) {
    if (!placed.has(first)) enter(first)
    for (let id = way.at(-1); id !== undefined; id = way.at(-1)) {
      const at = followed.pop() ?? 0
      const edge = into.get(id)?.[at]
      if (edge === undefined) {
        way.pop()
        onWay.delete(id)
        placed.add(id)
        continue
      }
      followed.push(at + 1)
      if (onWay.has(edge.from)) {
        if (cycles.length < mostCycles) cycles.push([edge.from, ...way.slice(way.indexOf(edge.from) + 1).toReversed()])
      } else if (known.has(edge.from) && !placed.has(edge.from)) enter(edge.from)
    }
  }
  return { ids: [...placed], cycles }
}
