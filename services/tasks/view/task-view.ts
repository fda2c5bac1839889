// What there is to see of a task, made of what it keeps: its steps, the points that can be gone back to, and what it waits for. Pure.
import type { Ours } from '#shared/feature/kept.ts'
import type { NodeStatus, TaskGraph } from '#services/tasks/graph/graph.ts'
import type { TaskState } from '#services/tasks/graph/states.ts'
import type { TaskOwn } from '#services/tasks/run/own.ts'
import { commonStep, isOnWay } from '#services/tasks/run/ways.ts'
import { outputKey, readOutputName, type Output } from '#services/tasks/run/texts.ts'

export type StepView = {
  /** Its place in the plan, from 1. */
  readonly number: number
  /** The number of its id, by which its texts and logs are named; it stays when the plan changes. */
  readonly id: number
  readonly title: string
  readonly task: string
  readonly status: NodeStatus
  /** The turn at work is for it. */
  readonly isNow: boolean
  /** People are to look when it is done. */
  readonly isCheckpoint: boolean
  readonly writesOutside: boolean
  /** Which text holds what it came to. */
  readonly output: Output | undefined
  /** ms since 1970. */
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  /** Steps that it waits for, by number. */
  readonly waitsFor: readonly number[]
}

export function toSteps({ nodes }: TaskGraph, own: TaskOwn): readonly StepView[] {
  const numbers = new Map(nodes.map(({ id }, at) => [id, at + 1]))
  return nodes.map((node, at) => {
    const { metrics, reason, status } = node
    return {
      number: at + 1,
      id: Number(node.id.slice(2)),
      title: node.title,
      task: node.task,
      status,
      isNow: own.node === node.id && isAtWork(own) && own.phase === 'step',
      isCheckpoint: node.checkpoint,
      writesOutside: node.writes_outside,
      output: outputOf(node),
      startedAt: metrics.started_at ?? undefined,
      finishedAt: status === 'running' ? undefined : (metrics.finished_at ?? undefined),
      waitsFor: reason?.kind === 'upstream' ? reason.nodes.flatMap((id) => numbers.get(id) ?? []) : [],
    }
  })
}

const outputOf = ({ outputs }: TaskGraph['nodes'][number]): Output | undefined =>
  readOutputName(outputs.named.find(({ name }) => name === outputKey)?.artifact ?? '')

/** A turn is at work, or one is to begin at any moment. */
export const isAtWork = ({ machine, waits, phase, outcome }: TaskOwn): boolean =>
  waits === 'nothing' && phase !== 'none' && outcome !== 'waits' && !isQuiet(machine.current_state)

const isQuiet = (state: TaskState): boolean => state === 'PAUSED' || state === 'COMPLETED' || state === 'ERROR'

export type PointView = {
  /** Its place among the points that are kept, from 0. */
  readonly at: number
  /** After so many steps. */
  readonly step: number
  readonly generation: number
  /** The work stands here now. */
  readonly isHere: boolean
  /** What was done on from it was set aside by a rollback, or a new plan. */
  readonly isAside: boolean
  /** Going there sets aside what is done behind this step. */
  readonly common: number
  /** Turns since then that changed something outside. */
  readonly outside: number
  /** The artifact of its files; '' for none. */
  readonly tree: Ours
}

/** In the order in which they were reached. */
export function toPoints(graph: TaskGraph | undefined, own: TaskOwn): readonly PointView[] {
  const steps = graph ? toSteps(graph, own) : []
  const done = steps.filter(({ status }) => status === 'done' || status === 'skipped').length
  const all = own.points.map((point, at) => ({
    at,
    step: point.step,
    generation: point.generation,
    isHere: point.step === done && point.generation === own.generation,
    isAside: !isOnWay(own, point),
    /** Up to here the way to it is the one to where the task stands. */
    common: commonStep(own, point),
    outside: own.writes.filter(({ nth }) => nth >= point.writes).length,
    tree: point.tree,
  }))
  const here = all.findLast(({ isHere }) => isHere)
  return all.map((one) => ({ ...one, isHere: one === here }))
}

/** People have to do something before it goes on. */
export const isAskingPeople = ({ machine, waits, outcome }: TaskOwn): boolean =>
  !isQuiet(machine.current_state) && (waits !== 'nothing' || outcome === 'waits')

type Placed = Pick<StepView, 'number' | 'id' | 'status'>

/** What a task does, or waits for. */
export type Outlook =
  | { readonly kind: 'work'; readonly of: 'plan' | 'step' | 'result' | 'undo'; readonly step: number }
  | { readonly kind: 'waits'; readonly waits: Exclude<TaskOwn['waits'], 'nothing'> | 'approval'; readonly step: number }
  | { readonly kind: 'paused' | 'done' | 'failed' | 'limits' | 'cancelled' }

/** `step` is the one that it is about, from 1; 0 for none. */
export function toOutlook(own: TaskOwn, steps: readonly Placed[]): Outlook {
  const { machine, waits, outcome, phase } = own
  const { current_state: state } = machine
  const step = steps.find(({ id }) => id === Number(own.node.slice(2)))?.number ?? 0
  if (state === 'COMPLETED') return { kind: 'done' }
  if (state === 'PAUSED') return { kind: 'paused' }
  if (state === 'ERROR') return { kind: machine.why ?? 'failed' }
  if (waits !== 'nothing') return { kind: 'waits', waits, step }
  if (outcome === 'waits') return { kind: 'waits', waits: 'approval', step }
  if (phase === 'undo') return { kind: 'work', of: 'undo', step: 0 }
  if (phase === 'result') return { kind: 'work', of: 'result', step: 0 }
  if (phase === 'step') return { kind: 'work', of: 'step', step }
  return { kind: 'work', of: 'plan', step: 0 }
}

/** The step that comes after what is done and what is at work; 0 for none. Of a paused task the step that the pause interrupted comes next. */
export const toNext = (steps: readonly Placed[], isPaused: boolean): number =>
  steps.find(({ status }) => status === 'pending' || status === 'blocked' || (isPaused && status === 'running'))
    ?.number ?? 0
