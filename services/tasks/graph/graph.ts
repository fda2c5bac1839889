// The plan of a long task: a graph of nodes and edges, as it is stored (seed 002 §6). Nothing here runs anything or knows the time.
//
// A node: pending → running → done | failed | blocked | pending (interrupted, or tried again); blocked → pending; failed → pending | skipped.
// `skipped` is beyond the seed's five: a node that a person leaves out, or whose branch is not taken, is neither done nor failed, and a graph with
// one can still complete. There is no `set_aside`: a rollback makes nodes pending again, and hands out what they were.
// The graph: created | running ⇄ paused; created → running → completed; all but completed → aborted. A rollback or more work leads from both ends back
// to running.
import { z } from 'zod'

export const nodeStatuses = ['pending', 'running', 'done', 'failed', 'blocked', 'skipped'] as const
export type NodeStatus = (typeof nodeStatuses)[number]
export const graphStatuses = ['created', 'running', 'paused', 'completed', 'aborted'] as const
export type GraphStatus = (typeof graphStatuses)[number]
/** The seed's further `predicate:<expr>` is refused: nothing reads one yet. */
export const conditions = ['on_success', 'on_failure', 'always'] as const
export type Condition = (typeof conditions)[number]

/** As much as a node keeps of a summary; the whole is an artifact. */
export const maxSummaryChars = 1000
/** As much as a list in a node has. */
export const maxLines = 100
export const maxNamed = 20
const maxReasonChars = 500

/** `N-001`; numbers are never used twice in a graph. */
const nodeId = z.string().regex(/^N-\d{3,6}$/)
const line = z.string().max(300)
const lines = z.array(line).max(maxLines).readonly()

/** Why a node is blocked, failed or skipped. `upstream`: those nodes ended otherwise than it needs. `branch`: those nodes made it needless. */
const reason = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['upstream', 'branch']), nodes: z.array(nodeId).readonly() }),
  z.object({ kind: z.enum(['person', 'failure']), text: z.string().max(maxReasonChars) }),
])
export type Reason = z.infer<typeof reason>
export const toReason = (kind: 'person' | 'failure', text: string): Reason => ({
  kind,
  text: text.slice(0, maxReasonChars).toWellFormed(),
})

/** Beyond the seed: `task`, `writes_outside`, `checkpoint`, `critical`, `reason`, `waives`, `token_budget`, `outputs.named` and `metrics.tokens`. */
export const taskNode = z.object({
  id: nodeId,
  title: z.string().min(1).max(1000),
  /** What is to be done, in words for whoever does it. */
  task: z.string().min(1).max(10_000),
  role: z.string().min(1).max(40),
  executor: z.object({ type: z.enum(['subagent', 'skill', 'command']), name: z.string().min(1).max(80) }),
  inputs: z.object({
    files: lines,
    context_refs: lines,
    /** `N-005.outputs.patch`, each of a node that an edge leads from. */
    upstream_outputs: lines,
  }),
  constraints: z.object({
    /** Empty: every tool that the task's person may use. */
    allowed_tools: lines,
    /** Null: what is left of the task's own. */
    time_budget_sec: z.number().nonnegative().nullable(),
    token_budget: z.number().nonnegative().nullable(),
  }),
  quality: z.object({ evidence_level_required: z.enum(['L0', 'L1', 'L2', 'L3']), checklist: lines }),
  status: z.enum(nodeStatuses),
  retries: z.number().int().nonnegative(),
  outputs: z.object({
    artifacts_dir: line,
    summary: z.string().max(maxSummaryChars),
    patch_files: lines,
    evidence: lines,
    /** What it is to make, by name, and the artifact that holds it; null until it is made. */
    named: z
      .array(z.object({ name: z.string().min(1).max(80), artifact: line.nullable() }))
      .max(maxNamed)
      .readonly(),
  }),
  metrics: z.object({
    /** US dollars. */
    cost_estimate: z.number().nonnegative(),
    actual_cost: z.number().nonnegative(),
    tokens: z.number().nonnegative(),
    /** Milliseconds since 1970. */
    started_at: z.number().nullable(),
    finished_at: z.number().nullable(),
  }),
  /** It changes something outside of the task. */
  writes_outside: z.boolean(),
  /** People are asked when it is done. */
  checkpoint: z.boolean(),
  /** The task is worth nothing without it. */
  critical: z.boolean(),
  reason: reason.nullable(),
  /** Nodes that a person said it need not wait for. */
  waives: z.array(nodeId).max(maxLines).readonly(),
})
export type TaskNode = z.infer<typeof taskNode>

const taskEdge = z.object({ from: nodeId, to: nodeId, condition: z.enum(conditions) })
export type TaskEdge = z.infer<typeof taskEdge>

export const taskGraph = z.object({
  v: z.literal(1),
  status: z.enum(graphStatuses),
  /** The highest number that an id had. */
  last: z.number().int().nonnegative(),
  /** Each stands behind those it waits for; step N is the Nth. */
  nodes: z.array(taskNode).readonly(),
  edges: z.array(taskEdge).readonly(),
})
export type TaskGraph = z.infer<typeof taskGraph>

export type PlanBounds = {
  readonly maxNodes: number
  readonly maxTitleChars: number
  readonly maxTaskChars: number
  /** Of the plan as JSON, without what its nodes have brought so far. */
  readonly maxGraphChars: number
  /** Of all nodes together. */
  readonly maxSeconds: number
  readonly maxTokens: number
}
/** The budgets are seed 004 §3.2.2's. */
export const planBounds: PlanBounds = {
  maxNodes: 30,
  maxTitleChars: 120,
  maxTaskChars: 1000,
  maxGraphChars: 60_000,
  maxSeconds: 30 * 60,
  maxTokens: 100_000,
}

export const toId = (number: number): string => `N-${String(number).padStart(3, '0')}`

/** The node as before it ran. */
export const toUnrun = (node: TaskNode): TaskNode => ({
  ...node,
  status: 'pending',
  retries: 0,
  outputs: {
    artifacts_dir: '',
    summary: '',
    patch_files: [],
    evidence: [],
    named: node.outputs.named.map(({ name }) => ({ name, artifact: null })),
  },
  metrics: { ...node.metrics, actual_cost: 0, tokens: 0, started_at: null, finished_at: null },
  reason: null,
  waives: [],
})

/** Without what the nodes have brought. */
export const planChars = (graph: TaskGraph): number =>
  JSON.stringify({ ...graph, nodes: graph.nodes.map(toUnrun) }).length
