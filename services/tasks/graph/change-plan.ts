// Changes a plan while its task is at work, as a model asks by the tool `task_update_plan`. What is done or running stays as it is.
import { toList, toObject } from '#shared/json.ts'
import { toId, toUnrun, type PlanBounds, type TaskEdge, type TaskGraph, type TaskNode } from './graph.ts'
import { findOrder } from './order.ts'
import { settle } from './settle.ts'
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
import type { Resolve, Step } from './read-step.ts'
import { findProblems } from './validate.ts'

const stepName = { type: 'string', description: 'A step by its number or id.' } as const
/** JSON Schema of the arguments of `task_update_plan`. */
export const changeParameters: Record<string, unknown> = {
  type: 'object',
  properties: {
    add: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          after: {
            type: 'string',
            description:
              'The step that it follows; what followed that follows it. "start" for the beginning. The end when neither this nor "needs" is given.',
          },
          ...stepProperties,
        },
        required: ['title', 'task'],
      },
    },
    remove: { type: 'array', items: stepName },
    change: {
      type: 'array',
      items: { type: 'object', properties: { id: stepName, ...stepProperties }, required: ['id'] },
      description: 'What is not named stays.',
    },
  },
}

export type PlanChanged =
  | {
      readonly kind: 'changed'
      readonly graph: TaskGraph
      readonly added: readonly string[]
      readonly removed: readonly string[]
    }
  /** Sentences for the model, at most ten. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] }

const mostChanges = 60
/** The status of the graph stays; one that was completed has work left after it. */
export function changePlan(graph: TaskGraph, unchecked: unknown, bounds: PlanBounds): PlanChanged {
  const given = toObject(unchecked) ?? {}
  const asked = { add: toList(given['add']), remove: toList(given['remove']), change: toList(given['change']) }
  const count = asked.add.length + asked.remove.length + asked.change.length
  const refused = (problems: readonly string[]): PlanChanged => ({ kind: 'refused', problems: problems.slice(0, 10) })
  if (graph.status === 'aborted') return refused(['This task has ended. Its plan stays as it is.'])
  if (count === 0) return refused(['Nothing is changed. Give "add", "remove" or "change".'])
  if (count > mostChanges) return refused([`These are ${count} changes; at most ${mostChanges} at once.`])
  const draft: Draft = {
    bounds,
    nodes: new Map(graph.nodes.map((node) => [node.id, node])),
    own: new Map(),
    problems: [],
    edges: graph.edges,
    last: graph.last,
  }
  add(draft, asked.add, graph.nodes.at(-1)?.id)
  for (const [at, one] of asked.change.entries()) change(draft, one, `Change ${at + 1}`)
  // Numbers are those of the steps as the model knows them, so all are read before any is gone.
  for (const node of asked.remove.map((one) => findFree(draft, toName(one)))) remove(draft, node)
  const { nodes, edges, last } = draft
  const ordered = findOrder([...nodes.keys()], edges).ids.flatMap((id) => nodes.get(id) ?? [])
  const waiving = ordered.map((node) => ({ ...node, waives: node.waives.filter((id) => nodes.has(id)) }))
  const changed = settle({ ...graph, last, nodes: withInputs(waiving, edges), edges })
  const problems = draft.problems.length > 0 ? draft.problems : findProblems(changed, bounds)
  if (problems.length > 0) return refused(problems)
  const isNew = ({ id }: TaskNode): boolean => Number(id.slice(2)) > graph.last
  const removed = graph.nodes.filter(({ id }) => !nodes.has(id))
  return { kind: 'changed', graph: changed, added: toIds(ordered.filter(isNew)), removed: toIds(removed) }
}

const toIds = (nodes: readonly TaskNode[]): readonly string[] => nodes.map(({ id }) => id)

type Draft = {
  readonly bounds: PlanBounds
  readonly nodes: Map<string, TaskNode>
  /** What the model calls those that it adds. */
  readonly own: Map<string, string>
  readonly problems: string[]
  edges: readonly TaskEdge[]
  last: number
}

/** A node that stays as it is: it ran, runs, or a person left it out. */
const isFixed = (node: TaskNode | undefined): boolean =>
  node !== undefined &&
  (node.status === 'done' || node.status === 'running' || (node.status === 'skipped' && node.reason?.kind === 'person'))

const toResolve = ({ nodes, own }: Draft): Resolve =>
  createResolve([...nodes.values()].map((node) => ({ node, own: own.get(node.id) })))

/** Undefined, and said among the problems, where there is none. */
function find(draft: Draft, name: string): string | undefined {
  const id = toResolve(draft)(name)
  if (id === undefined) draft.problems.push(`There is no step "${name.slice(0, 40)}".`)
  return id
}

function findFree(draft: Draft, name: string): TaskNode | undefined {
  const node = draft.nodes.get(find(draft, name) ?? '')
  if (!node || !isFixed(node)) return node
  draft.problems.push(`${node.id} is ${node.status} and stays as it is.`)
  return undefined
}

function connect(draft: Draft, node: TaskNode, step: Pick<Step, 'needs' | 'when'>): void {
  const made = toNeeds(node, step, { resolve: toResolve(draft), byId: draft.nodes })
  draft.problems.push(...made.problems)
  draft.edges = [...draft.edges.filter(({ to }) => to !== node.id), ...made.edges]
}

function add(draft: Draft, asked: readonly unknown[], end: string | undefined): void {
  /** The newest one that was added behind a node: the next one follows it. */
  const newest = new Map<string | undefined, string>()
  for (const [at, one] of asked.entries()) {
    const name = `Added step ${at + 1}`
    const step = readStep(one, name)
    const node = isStep(step) ? withStep(toBlank(toId(draft.last + 1)), step, { ...draft.bounds, name }) : step
    if (!isStep(step) || !isNode(node)) {
      draft.problems.push(...(isNode(node) ? [] : node))
      continue
    }
    const isStart = step.after && /^\s*(?:start|begin|beginning|0)\s*$/i.test(step.after)
    const after = isStart ? undefined : step.after ? find(draft, step.after) : end
    draft.last += 1
    draft.nodes.set(node.id, node)
    if (step.id) draft.own.set(node.id, step.id)
    if (step.needs?.length && !step.after) connect(draft, node, step)
    else {
      insert(draft, node.id, { after: newest.get(after) ?? after, when: step.when ?? 'on_success' })
      newest.set(after, node.id)
    }
  }
}

function change(draft: Draft, one: unknown, name: string): void {
  const step = readStep(one, name)
  if (!isStep(step) || !step.id) {
    draft.problems.push(...(isStep(step) ? [`${name} names no step. Give its "id".`] : step))
    return
  }
  const node = findFree(draft, step.id)
  if (!node) return
  const changed = withStep(node, step, draft.bounds)
  if (!isNode(changed)) {
    draft.problems.push(...changed)
    return
  }
  // It failed as it was: changed, it is another try.
  draft.nodes.set(node.id, node.status === 'failed' ? { ...toUnrun(changed), waives: node.waives } : changed)
  const needs = step.needs ?? draft.edges.flatMap(({ from, to }) => (to === node.id ? [from] : []))
  if (step.needs || step.when) connect(draft, changed, { needs, when: step.when })
}

const toName = (one: unknown): string => (typeof one === 'string' || typeof one === 'number' ? String(one) : '')

function remove(draft: Draft, node: TaskNode | undefined): void {
  if (!node) return
  draft.edges = without(draft.edges, node.id)
  draft.nodes.delete(node.id)
}

/** Between a node and those that follow it; without one, before all that wait for nothing. */
function insert(
  draft: Draft,
  id: string,
  { after, when }: { readonly after: string | undefined; readonly when: TaskEdge['condition'] },
): void {
  const { edges, nodes } = draft
  const canMove = (to: string): boolean => !isFixed(nodes.get(to))
  if (after === undefined) {
    const waiting = new Set([id, ...edges.map(({ to }) => to)])
    const first = [...nodes.keys()].filter((one) => !waiting.has(one) && canMove(one))
    draft.edges = [...edges, ...first.map((to): TaskEdge => ({ from: id, to, condition: 'on_success' }))]
    return
  }
  const moved = edges.map((edge) =>
    edge.from === after && edge.condition !== 'on_failure' && canMove(edge.to) ? { ...edge, from: id } : edge,
  )
  draft.edges = [...moved, { from: after, to: id, condition: when }]
}

/** Those that waited for it wait for what it waited for. */
function without(edges: readonly TaskEdge[], id: string): readonly TaskEdge[] {
  const left = edges.filter(({ from, to }) => from !== id && to !== id)
  const pairs = new Set(left.map(({ from, to }) => `${from} ${to}`))
  const joined = edges.flatMap((edge) =>
    edge.from !== id
      ? []
      : edges.flatMap(({ from, to, condition }) =>
          to === id && from !== edge.to ? [{ from, to: edge.to, condition }] : [],
        ),
  )
  return [...left, ...joined.filter(({ from, to }) => !pairs.has(`${from} ${to}`))]
}
