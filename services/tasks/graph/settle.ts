// Which nodes may run, by their edges alone: what is met, what must wait, what cannot come any more. Pure.
//
// An edge is met, open, needless or dead, by how the node at its beginning stands:
//   done:    on_success and always are met; on_failure is needless
//   failed:  on_failure and always are met; on_success is dead, or needless where the branch of its failure leads to the same place in the end
//   skipped: always is met; of a branch not taken the others are needless, of a node left out by a person on_success is dead, on_failure needless
//   blocked: dead; pending, running: open; of a node that is waived: met
// A node with a dead edge is blocked; else with an open one pending; else it may run if it has no edge or one is met; else its branch is not taken.
import type { Reason, TaskEdge, TaskGraph, TaskNode } from './graph.ts'
import { findOrder, groupEdges } from './order.ts'

/** Ids of pending nodes whose edges allow them to run, in order, whatever the status of the graph. */
export function nextNodes(graph: TaskGraph): readonly string[] {
  const [stand, nodes] = [createStand(graph), byId(graph)]
  return graph.nodes.flatMap((node) => (node.status === 'pending' && stand(node, nodes) === undefined ? [node.id] : []))
}

/** These, and all that wait for them. */
export function findBehind({ edges }: TaskGraph, ids: readonly string[]): ReadonlySet<string> {
  const [behind, from] = [new Set(ids), groupEdges(edges, 'from')]
  // What is added to a set is met by whoever goes through it.
  for (const id of behind) for (const { to } of from.get(id) ?? []) behind.add(to)
  return behind
}

/** Nodes that wait, are kept or are needless by their edges alone, as those now say. For a graph whose edges or nodes were changed. */
export function settle(graph: TaskGraph): TaskGraph {
  const stand = createStand(graph)
  const settled = new Map(byId(graph))
  const ids = graph.nodes.map(({ id }) => id)
  for (const id of findOrder(ids, graph.edges).ids) {
    const node = settled.get(id)
    if (!node || !isByEdges(node)) continue
    const found = stand(node, settled)
    const reason = found === 'open' ? undefined : found
    const status = reason === undefined ? 'pending' : reason.kind === 'branch' ? 'skipped' : 'blocked'
    settled.set(id, { ...node, status, reason: reason ?? null })
  }
  return { ...graph, nodes: ids.flatMap((id) => settled.get(id) ?? []) }
}

const isByEdges = ({ status, reason }: TaskNode): boolean =>
  status === 'pending' || reason?.kind === 'upstream' || reason?.kind === 'branch'

type Nodes = ReadonlyMap<string, TaskNode>
const byId = ({ nodes }: TaskGraph): Nodes => new Map(nodes.map((node) => [node.id, node]))

/** Says of a node why it cannot run, or that it must wait; undefined when it may run. */
function createStand(graph: TaskGraph): (node: TaskNode, nodes: Nodes) => Reason | 'open' | undefined {
  const [into, from] = [groupEdges(graph.edges, 'to'), groupEdges(graph.edges, 'from')]
  /** A failure for which the plan provides: another branch comes to where this edge leads. */
  const isProvided = (edge: TaskEdge): boolean => {
    const others = (from.get(edge.from) ?? []).filter(({ condition }) => condition === 'on_failure')
    if (others.length === 0) return false
    const behind = findBehind(graph, [edge.to])
    return others.some(({ to }) => [...findBehind(graph, [to])].some((id) => behind.has(id)))
  }
  return (node, nodes) => {
    const own = into.get(node.id) ?? []
    const stands = own.map((edge) => ({ from: edge.from, is: toEdgeStand(edge, node, nodes, isProvided) }))
    const those = (is: EdgeStand): string[] => stands.flatMap((one) => (one.is === is ? [one.from] : []))
    if (those('dead').length > 0) return { kind: 'upstream', nodes: those('dead') }
    if (those('open').length > 0) return 'open'
    return own.length === 0 || those('met').length > 0 ? undefined : { kind: 'branch', nodes: those('needless') }
  }
}

type EdgeStand = 'met' | 'open' | 'needless' | 'dead'
function toEdgeStand(edge: TaskEdge, node: TaskNode, nodes: Nodes, isProvided: (edge: TaskEdge) => boolean): EdgeStand {
  const { from, condition } = edge
  const upstream = nodes.get(from)
  if (node.waives.includes(from)) return 'met'
  switch (upstream?.status) {
    case 'done':
      return condition === 'on_failure' ? 'needless' : 'met'
    case 'failed':
      if (condition !== 'on_success') return 'met'
      return isProvided(edge) ? 'needless' : 'dead'
    case 'skipped':
      if (condition === 'always') return 'met'
      return condition === 'on_success' && upstream.reason?.kind !== 'branch' ? 'dead' : 'needless'
    case 'blocked':
      return 'dead'
    case 'pending':
    case 'running':
    case undefined:
      return 'open'
  }
}
