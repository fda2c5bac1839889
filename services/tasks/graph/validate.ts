// What is wrong with a plan, in sentences that a model can act on. Takes time in proportion to nodes and edges.
import { planChars, taskGraph, type PlanBounds, type TaskGraph, type TaskNode } from './graph.ts'
import { findOrder } from './order.ts'

/** More of them help nobody. */
const mostProblems = 10
/** `N-005.outputs.patch`. */
const reference = /^(N-\d{3,6})\.outputs\.(.{1,80})$/u
/** Every node has these. */
const ownOutputs: ReadonlySet<string> = new Set(['summary', 'artifacts_dir', 'patch_files', 'evidence'])

/** None for a sound one. `unchecked` is whatever should be a task graph. */
export function findProblems(unchecked: unknown, bounds: PlanBounds): readonly string[] {
  const read = taskGraph.safeParse(unchecked)
  if (!read.success)
    return read.error.issues
      .slice(0, mostProblems)
      .map(({ path, message }) => `The graph has no known shape at "${path.join('.')}": ${message}.`)
  const { data: graph } = read
  const problems = [...toSizes(graph, bounds), ...toEdges(graph), ...toReferences(graph), ...toBudgets(graph, bounds)]
  return problems.slice(0, mostProblems)
}

function toSizes(graph: TaskGraph, bounds: PlanBounds): string[] {
  const { nodes } = graph
  if (nodes.length === 0) return ['The plan has no steps. Give at least one.']
  const { maxNodes, maxTitleChars, maxTaskChars, maxGraphChars } = bounds
  const chars = planChars(graph)
  return [
    ...(nodes.length > maxNodes ? [`The plan has ${nodes.length} steps; at most ${maxNodes}. Join some.`] : []),
    ...(chars > maxGraphChars ? [`The plan has ${chars} characters; at most ${maxGraphChars}. Say less.`] : []),
    ...nodes.flatMap(({ id, title, task }) => [
      ...(title.length > maxTitleChars ? [`The title of ${id} has more than ${maxTitleChars} characters.`] : []),
      ...(task.length > maxTaskChars ? [`The task of ${id} has more than ${maxTaskChars} characters.`] : []),
    ]),
  ]
}

function toEdges({ nodes, edges, last }: TaskGraph): string[] {
  const ids = nodes.map(({ id }) => id)
  const known = new Set(ids)
  const problems = findTwice(ids).map((id) => `Two steps have the id ${id}.`)
  if (ids.some((id) => Number(id.slice(2)) > last)) problems.push(`The graph says ${last} is its highest number.`)
  for (const id of new Set(edges.flatMap(({ from, to }) => [from, to])))
    if (!known.has(id)) problems.push(`An edge names ${id}, and there is no such step.`)
  for (const pair of findTwice(edges.map(({ from, to }) => `${from} to ${to}`)))
    problems.push(`Two edges lead from ${pair}.`)
  for (const [id = '', ...more] of findOrder(ids, edges).cycles)
    problems.push(
      more.length === 0
        ? `${id} waits for itself. Take that need out.`
        : `${[id, ...more, id].join(' → ')} wait for each other in a circle. Take one of these needs out.`,
    )
  const joined = new Set(edges.flatMap(({ from, to }) => [from, to]))
  for (const id of nodes.length > 1 ? known : [])
    if (!joined.has(id))
      problems.push(`${id} stands alone: it needs no step, and none needs it. Say in "needs" where it belongs.`)
  return problems
}

function toReferences({ nodes, edges }: TaskGraph): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const pairs = new Set(edges.map(({ from, to }) => `${from} ${to}`))
  return nodes.flatMap(({ id, inputs }) =>
    inputs.upstream_outputs.flatMap((text) => {
      const [, from = '', name = ''] = reference.exec(text) ?? []
      const node = byId.get(from)
      if (!node) return [`${id} reads "${text.slice(0, 80)}", which names no output of a step.`]
      if (!hasOutput(node, name)) return [`${id} reads "${text}", and ${from} has no output "${name}".`]
      return pairs.has(`${from} ${id}`) ? [] : [`${id} reads "${text}" and does not need ${from}.`]
    }),
  )
}

const hasOutput = ({ outputs }: TaskNode, name: string): boolean =>
  ownOutputs.has(name) || outputs.named.some((one) => one.name === name)

function toBudgets({ nodes }: TaskGraph, { maxSeconds, maxTokens }: PlanBounds): string[] {
  const sum = (of: (node: TaskNode) => number | null): number => nodes.reduce((all, node) => all + (of(node) ?? 0), 0)
  const [seconds, tokens] = [
    sum(({ constraints }) => constraints.time_budget_sec),
    sum(({ constraints }) => constraints.token_budget),
  ]
  const toMinutes = (one: number): number => Math.round(one / 6) / 10
  return [
    ...(seconds > maxSeconds
      ? [`The steps take ${toMinutes(seconds)} minutes together; at most ${toMinutes(maxSeconds)}. Give them less.`]
      : []),
    ...(tokens > maxTokens ? [`The steps take ${tokens} tokens together; at most ${maxTokens}.`] : []),
  ]
}

function findTwice(all: readonly string[]): string[] {
  const [seen, twice] = [new Set<string>(), new Set<string>()]
  for (const one of all) (seen.has(one) ? twice : seen).add(one)
  return [...twice]
}
