// The plan of a task as a model gives it by the tool `task_plan`, made a graph. Ids are ours; steps that name no needs follow one another.
import { parseJson, toObject } from '#shared/json.ts'
import { toId, type PlanBounds, type TaskEdge, type TaskGraph, type TaskNode } from './graph.ts'
import { findOrder } from './order.ts'
import {
  createResolve,
  isNode,
  isStep,
  readStep,
  stepProperties,
  toBlank,
  toNeeds,
  withInputs,
  withStep,
} from './read-step.ts'
import type { Step } from './read-step.ts'
import { findProblems } from './validate.ts'

/** JSON Schema of the arguments of `task_plan`. */
export const planParameters: Record<string, unknown> = {
  type: 'object',
  properties: {
    steps: {
      type: 'array',
      description: 'In order. They are called N-001, N-002 and so on.',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, ...stepProperties },
        required: ['title', 'task'],
      },
    },
  },
  required: ['steps'],
}

export type PlanRead =
  | { readonly kind: 'plan'; readonly graph: TaskGraph }
  /** Sentences for the model, at most ten. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] }

const refused = (problems: readonly string[]): PlanRead => ({ kind: 'refused', problems: problems.slice(0, 10) })

export function readPlan(unchecked: unknown, bounds: PlanBounds): PlanRead {
  const given = toSteps(unchecked, bounds)
  if (given === undefined || given.length === 0)
    return refused(['This is no plan. Give {"steps": [{"title": …, "task": …}]} with at least one step.'])
  if (given.length > bounds.maxNodes)
    return refused([`The plan has ${given.length} steps; at most ${bounds.maxNodes}. Join some.`])
  const [steps, nodes, problems] = [new Array<Step>(), new Array<TaskNode>(), new Array<string>()]
  for (const [at, one] of given.entries()) {
    const step = readStep(one, `Step ${at + 1}`)
    const node = isStep(step) ? withStep(toBlank(toId(at + 1)), step, bounds) : step
    if (!isStep(step) || !isNode(node)) {
      problems.push(...(isNode(node) ? [] : node))
      continue
    }
    steps.push(step)
    nodes.push(node)
  }
  const owned = steps.flatMap(({ id }) => id?.trim().toLowerCase() ?? [])
  const twice = owned.find((id, at) => owned.indexOf(id) !== at)
  if (twice !== undefined) problems.push(`Two steps have the id "${twice.slice(0, 40)}".`)
  if (problems.length > 0) return refused(problems)
  const { edges, problems: unknown } = connect(steps, nodes)
  const graph: TaskGraph = { v: 1, status: 'created', last: nodes.length, nodes: withInputs(nodes, edges), edges }
  const wrong = [...unknown, ...findProblems(graph, bounds)]
  return wrong.length > 0 ? refused(wrong) : { kind: 'plan', graph: inOrder(graph) }
}

/** Not an array: too much is told by its length alone. */
function toSteps(unchecked: unknown, bounds: PlanBounds): readonly unknown[] | undefined {
  const found = Array.isArray(unchecked) ? unchecked : toObject(unchecked)?.['steps']
  const isShort = typeof found === 'string' && found.length <= 2 * bounds.maxGraphChars
  const read: unknown = isShort ? parseJson(found) : found
  return Array.isArray(read) ? read : undefined
}

function connect(
  steps: readonly Step[],
  nodes: readonly TaskNode[],
): { readonly edges: readonly TaskEdge[]; readonly problems: readonly string[] } {
  const resolve = createResolve(nodes.map((node, at) => ({ node, own: steps[at]?.id ?? undefined })))
  const known = { resolve, byId: new Map(nodes.map((node) => [node.id, node])) }
  // Many models write an empty list for each step and mean a chain.
  const isChain = steps.every(({ needs }) => !needs?.length)
  const [all, problems] = [new Array<readonly TaskEdge[]>(), new Array<string>()]
  for (const [at, node] of nodes.entries()) {
    const { needs, when } = steps[at] ?? {}
    const before = nodes[at - 1]
    const isNext = before !== undefined && (isChain || !needs)
    const made = isNext
      ? { edges: toNext(node.id, before.id, when, all[at - 1]), problems: [] }
      : toNeeds(node, { needs, when }, known)
    all.push(made.edges)
    problems.push(...made.problems)
  }
  return { edges: all.flat(), problems }
}

/** Behind a step that runs only where another one failed, the next one follows both: whichever of them succeeds leads to it. */
function toNext(
  to: string,
  before: string,
  when: Step['when'],
  intoBefore: readonly TaskEdge[] = [],
): readonly TaskEdge[] {
  const condition = when ?? 'on_success'
  const rescued = condition === 'on_success' ? intoBefore.filter((edge) => edge.condition === 'on_failure') : []
  return [...rescued.map(({ from }) => from), before].map((from) => ({ from, to, condition }))
}

/** Each node behind those it waits for, and numbered in that order. */
function inOrder(graph: TaskGraph): TaskGraph {
  const { ids } = findOrder(
    graph.nodes.map(({ id }) => id),
    graph.edges,
  )
  const names = new Map(ids.map((id, at) => [id, toId(at + 1)]))
  const toName = (id: string): string => names.get(id) ?? id
  const edges = graph.edges.map((edge) => ({ ...edge, from: toName(edge.from), to: toName(edge.to) }))
  const byId = new Map(graph.nodes.map((node) => [node.id, node]))
  const nodes = ids.flatMap((id) => {
    const node = byId.get(id)
    return node ? [{ ...node, id: toName(id) }] : []
  })
  return { ...graph, edges, nodes: withInputs(nodes, edges) }
}
