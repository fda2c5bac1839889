// How a graph goes on: each function returns a new graph, and throws BotError `internal` where the state does not allow the step. Pure.
import { BotError } from '#shared/errors.ts'
import { maxNamed, maxSummaryChars, toReason, toUnrun } from './graph.ts'
import type { GraphStatus, TaskGraph, TaskNode } from './graph.ts'
import { groupEdges } from './order.ts'
import { findBehind, nextNodes, settle } from './settle.ts'

/** Seed 004 §3.2.2: after so many tries more a step has failed. */
const maxRetries = 5

const moves: Readonly<Record<GraphStatus, readonly GraphStatus[]>> = {
  created: ['running', 'paused', 'aborted'],
  running: ['paused', 'completed', 'aborted'],
  paused: ['created', 'running', 'aborted'],
  completed: ['running'],
  aborted: ['running'],
}

/** What may be done with a node, by its status. */
const allowed = {
  begin: ['pending'],
  finish: ['running'],
  fail: ['running'],
  interrupt: ['running'],
  retry: ['failed'],
  block: ['pending', 'running'],
  unblock: ['blocked'],
  skip: ['pending', 'failed', 'blocked'],
} as const satisfies Readonly<Record<string, readonly TaskNode['status'][]>>

/** Completes only what has nothing left. Aborting leaves nothing running: a node that ran is pending again. */
export function setStatus(graph: TaskGraph, status: GraphStatus): TaskGraph {
  const isOpen = status === 'completed' && lookAhead(graph).kind !== 'completed'
  if (!moves[graph.status].includes(status) || isOpen) refuse(`make a ${graph.status} graph ${status}`)
  const nodes =
    status === 'aborted' ? graph.nodes.map((node) => (node.status === 'running' ? toPending(node) : node)) : graph.nodes
  return { ...graph, status, nodes }
}

export type Outlook =
  /** These may begin as soon as the graph runs. */
  | { readonly kind: 'ready'; readonly ids: readonly string[] }
  | { readonly kind: 'running'; readonly ids: readonly string[] }
  /** Nothing is left. */
  | { readonly kind: 'completed' }
  /** Nothing goes on by itself: these failed, and these are blocked. */
  | { readonly kind: 'stuck'; readonly failed: readonly string[]; readonly blocked: readonly string[] }

export function lookAhead(graph: TaskGraph): Outlook {
  const running = idsOf(graph, 'running')
  const ready = nextNodes(graph)
  if (ready.length > 0) return { kind: 'ready', ids: ready }
  if (running.length > 0) return { kind: 'running', ids: running }
  const from = groupEdges(graph.edges, 'from')
  const done = new Set(idsOf(graph, 'done'))
  const failed = idsOf(graph, 'failed').filter(
    (id) => !(from.get(id) ?? []).some(({ condition, to }) => condition === 'on_failure' && done.has(to)),
  )
  const blocked = idsOf(graph, 'blocked')
  return failed.length + blocked.length > 0 ? { kind: 'stuck', failed, blocked } : { kind: 'completed' }
}

/** pending → running. */
export function begin(graph: TaskGraph, id: string, nowMs: number): TaskGraph {
  if (graph.status !== 'running') refuse(`begin ${id} in a ${graph.status} graph`)
  if (!nextNodes(graph).includes(id)) refuse(`begin ${id}, which must wait`)
  return change(graph, id, 'begin', (node) => ({
    ...node,
    status: 'running',
    reason: null,
    metrics: { ...node.metrics, started_at: node.metrics.started_at ?? nowMs },
  }))
}

/** What a node has brought. A longer summary is cut: the whole of it is an artifact. */
export type Ended = {
  readonly summary: string
  readonly outputs?: Partial<Pick<TaskNode['outputs'], 'artifacts_dir' | 'patch_files' | 'evidence'>> & {
    /** The artifact of each output that it made, by name; also such as it did not promise. */
    readonly named?: readonly { readonly name: string; readonly artifact: string }[]
  }
  /** Of this run; those of the runs before are added. */
  readonly metrics: { readonly costUsd: number; readonly tokens: number; readonly nowMs: number }
}

/** running → done. */
export function finish(
  graph: TaskGraph,
  id: string,
  { summary, outputs: { named = [], ...outputs } = {}, metrics }: Ended,
): TaskGraph {
  const cut = summary.length > maxSummaryChars ? `${summary.slice(0, maxSummaryChars - 1).toWellFormed()}…` : summary
  return change(graph, id, 'finish', (node) => {
    const made = new Map<string, string | null>(node.outputs.named.map(({ name, artifact }) => [name, artifact]))
    for (const { name, artifact } of named) made.set(name, artifact)
    const all = [...made].map(([name, artifact]) => ({ name, artifact })).slice(0, maxNamed)
    return {
      ...node,
      status: 'done',
      reason: null,
      outputs: { ...node.outputs, ...outputs, summary: cut, named: all },
      metrics: toSpent(node, metrics),
    }
  })
}

/** running → pending, to be tried again, or → failed: where it cannot help, or five tries more have not helped. */
export function fail(
  graph: TaskGraph,
  id: string,
  failure: { readonly text: string; readonly isRetryable: boolean; readonly metrics: Ended['metrics'] },
): { readonly graph: TaskGraph; readonly isRetried: boolean } {
  const isRetried = failure.isRetryable && graph.nodes.some((node) => node.id === id && node.retries < maxRetries)
  const changed = change(graph, id, 'fail', (node) => ({
    ...node,
    status: isRetried ? 'pending' : 'failed',
    retries: node.retries + (isRetried ? 1 : 0),
    reason: toReason('failure', failure.text),
    metrics: toSpent(node, failure.metrics),
  }))
  return { graph: changed, isRetried }
}

/** failed → pending, on a person's word: the tries are counted anew. */
export const retry = (graph: TaskGraph, id: string): TaskGraph =>
  change(graph, id, 'retry', (node) => ({ ...toPending(node), retries: 0 }))

/** running → pending: it was interrupted, and that is no failure of it. */
export const interrupt = (graph: TaskGraph, id: string): TaskGraph => change(graph, id, 'interrupt', toPending)

/** pending, running → blocked, until a person says something. */
export const block = (graph: TaskGraph, id: string, text: string): TaskGraph =>
  change(graph, id, 'block', (node) => ({
    ...node,
    status: 'blocked',
    reason: toReason('person', text),
  }))

/** Left out by a person: pending, failed, blocked → skipped. `blocked` are the nodes behind it that cannot run without it. */
export function skip(
  graph: TaskGraph,
  id: string,
  why = '',
): { readonly graph: TaskGraph; readonly blocked: readonly string[] } {
  const changed = change(graph, id, 'skip', (node) => ({
    ...node,
    status: 'skipped',
    reason: toReason('person', why),
  }))
  const behind = findBehind(graph, [id])
  return { graph: changed, blocked: idsOf(changed, 'blocked').filter((one) => one !== id && behind.has(one)) }
}

/** blocked → pending, on a person's word: it does without the nodes that kept it. */
export const unblock = (graph: TaskGraph, id: string): TaskGraph =>
  change(graph, id, 'unblock', (node) => ({
    ...toPending(node),
    waives: [...new Set([...node.waives, ...(node.reason?.kind === 'upstream' ? node.reason.nodes : [])])],
  }))

/**
 * A rollback: the nodes behind step `toStep` (0: all), and those that build on them, are as they never ran. What they were is returned, to be
 * kept. A completed graph runs again.
 */
export function setAside(
  graph: TaskGraph,
  toStep: number,
): { readonly graph: TaskGraph; readonly setAside: readonly TaskNode[] } {
  const isStep = Number.isInteger(toStep) && toStep >= 0 && toStep <= graph.nodes.length
  const isBusy = idsOf(graph, 'running').length > 0 || graph.status === 'created'
  if (!isStep || isBusy) refuse(`roll a ${graph.status} graph back to step ${toStep}`)
  const later = findBehind(
    graph,
    graph.nodes.slice(toStep).map(({ id }) => id),
  )
  const nodes = graph.nodes.map((node) => (later.has(node.id) ? toUnrun(node) : node))
  const status = graph.status === 'completed' || graph.status === 'aborted' ? 'running' : graph.status
  const ran = graph.nodes.filter(
    (node) => later.has(node.id) && (node.status !== 'pending' || node.metrics.started_at !== null),
  )
  return { graph: settle({ ...graph, status, nodes }), setAside: ran }
}

const idsOf = ({ nodes }: TaskGraph, status: TaskNode['status']): readonly string[] =>
  nodes.flatMap((node) => (node.status === status ? [node.id] : []))

const toPending = (node: TaskNode): TaskNode => ({ ...node, status: 'pending', reason: null })

const toSpent = ({ metrics }: TaskNode, { costUsd, tokens, nowMs }: Ended['metrics']): TaskNode['metrics'] => ({
  ...metrics,
  actual_cost: metrics.actual_cost + costUsd,
  tokens: metrics.tokens + tokens,
  finished_at: nowMs,
})

function change(graph: TaskGraph, id: string, what: keyof typeof allowed, to: (node: TaskNode) => TaskNode): TaskGraph {
  const status = graph.nodes.find((node) => node.id === id)?.status
  if (!allowed[what].some((one) => one === status)) refuse(`${what} ${id}, which is ${status ?? 'unknown'}`)
  return settle({ ...graph, nodes: graph.nodes.map((node) => (node.id === id ? to(node) : node)) })
}

function refuse(what: string): never {
  throw new BotError('internal', `Tried to ${what}. Ask lookAhead and the status first.`)
}
