// The nine states of a task (seed 004 §3.7), what leads from one to another, and what 002 §6.3 and 000 §6.4 call them. Pure.
//
// A task that ends at its limits (30 minutes, 100,000 tokens, money) is in ERROR, with `why: 'limits'`: this is the seed's COMPLETED_WITH_LIMITS. It
// hands over what there is, but is never called completed, since its order is not met. More time leads it back (`user_resume`). A task that a
// person cancels is in ERROR too, with `why: 'cancelled'`: of the nine it is the only end without a result.
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import type { GraphStatus } from './graph.ts'

export const taskStates = [
  'INIT',
  'PLANNING',
  'EXECUTING',
  'VERIFYING',
  'REPLANNING',
  'FINALIZING',
  'COMPLETED',
  'ERROR',
  'PAUSED',
] as const
export type TaskState = (typeof taskStates)[number]

export const machine = z.object({
  current_state: z.enum(taskStates),
  /** Of PAUSED, and of ERROR at the limits: the state that resuming leads to. */
  state_before: z.enum(taskStates).nullable(),
  /** Of ERROR. */
  why: z.enum(['failed', 'limits', 'cancelled']).nullable(),
})
export type Machine = z.infer<typeof machine>
export const freshMachine: Machine = { current_state: 'INIT', state_before: null, why: null }

/** The seed's own; of `verification_passed` two, by what is left; and, below them, what its text says besides. */
const moves = {
  task_spec_ready: { INIT: 'PLANNING' },
  plan_validated: { PLANNING: 'EXECUTING' },
  milestone_reached: { EXECUTING: 'VERIFYING' },
  all_tasks_complete: { EXECUTING: 'FINALIZING' },
  verification_passed_more_tasks: { VERIFYING: 'EXECUTING' },
  verification_passed_final_milestone: { VERIFYING: 'FINALIZING' },
  verification_failed: { VERIFYING: 'REPLANNING' },
  new_plan_ready: { REPLANNING: 'EXECUTING' },
  output_generated: { FINALIZING: 'COMPLETED' },
  /** §3.2.1: the result falls short, or work was added. */
  work_left: { FINALIZING: 'EXECUTING' },
  /** §4.2.2, the tool `request_replanning`. */
  replanning_requested: { EXECUTING: 'REPLANNING', VERIFYING: 'REPLANNING', FINALIZING: 'REPLANNING' },
  /** 000 §6.2: also what has ended can be gone back into. */
  rolled_back: {
    EXECUTING: 'EXECUTING',
    VERIFYING: 'EXECUTING',
    REPLANNING: 'EXECUTING',
    FINALIZING: 'EXECUTING',
    COMPLETED: 'EXECUTING',
    PAUSED: 'EXECUTING',
    ERROR: 'EXECUTING',
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<TaskState, TaskState>>>>>

/** From any state that is no end; `user_interrupt` not from PAUSED. */
const endings = { unrecoverable_error: 'failed', limits_reached: 'limits', user_cancel: 'cancelled' } as const

export type TaskEvent = keyof typeof moves | keyof typeof endings | 'user_interrupt' | 'user_resume'

/** Throws BotError `internal` for what the state does not allow. */
export function next(from: Machine, event: TaskEvent): Machine {
  const { current_state: state } = from
  const isEnd = state === 'COMPLETED' || state === 'ERROR'
  const isPaused = state === 'PAUSED'
  if (event === 'user_resume') {
    if ((!isPaused && from.why !== 'limits') || from.state_before === null) return refuse(state, event)
    return { current_state: from.state_before, state_before: null, why: null }
  }
  if (event === 'user_interrupt') {
    if (isEnd || isPaused) return refuse(state, event)
    return { current_state: 'PAUSED', state_before: state, why: null }
  }
  if (isEnding(event)) {
    const canEnd = event === 'user_cancel' ? state !== 'COMPLETED' && from.why !== 'cancelled' : !isEnd
    if (!canEnd) return refuse(state, event)
    const before = event === 'limits_reached' ? (from.state_before ?? state) : null
    return { current_state: 'ERROR', state_before: before, why: endings[event] }
  }
  const to: TaskState | undefined = Object.entries(moves[event]).find(([one]) => one === state)?.[1]
  return to === undefined ? refuse(state, event) : { current_state: to, state_before: null, why: null }
}

const isEnding = (event: TaskEvent): event is keyof typeof endings => Object.hasOwn(endings, event)

function refuse(state: TaskState, event: TaskEvent): never {
  throw new BotError('internal', `A task in ${state} was told "${event}", which that state does not allow.`)
}

export type ChainStatus = 'active' | 'waiting_confirmation' | 'completed' | 'aborted'

/** VERIFYING is the checkpoint, where a person looks; the last check by code belongs to FINALIZING. PAUSED waits for a person as well. */
export const stateWords: Readonly<Record<TaskState, { readonly graph: GraphStatus; readonly chain: ChainStatus }>> = {
  INIT: { graph: 'created', chain: 'active' },
  PLANNING: { graph: 'created', chain: 'active' },
  EXECUTING: { graph: 'running', chain: 'active' },
  VERIFYING: { graph: 'running', chain: 'waiting_confirmation' },
  REPLANNING: { graph: 'running', chain: 'active' },
  FINALIZING: { graph: 'running', chain: 'active' },
  COMPLETED: { graph: 'completed', chain: 'completed' },
  ERROR: { graph: 'aborted', chain: 'aborted' },
  PAUSED: { graph: 'paused', chain: 'waiting_confirmation' },
}
