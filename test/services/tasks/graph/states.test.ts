// The nine states of a task: what leads on, what is refused, and what they are called elsewhere.
import { describe, expect, it } from 'vitest'
import { BotError } from '#shared/errors.ts'
import {
  freshMachine,
  machine,
  next,
  stateWords,
  taskStates,
  type Machine,
  type TaskEvent,
} from '#services/tasks/graph/states.ts'

const along = (...events: readonly TaskEvent[]): Machine => events.reduce(next, freshMachine)
const executing: readonly TaskEvent[] = ['task_spec_ready', 'plan_validated']
const verifying: readonly TaskEvent[] = [...executing, 'milestone_reached']
const finalizing: readonly TaskEvent[] = [...executing, 'all_tasks_complete']
const completed: readonly TaskEvent[] = [...finalizing, 'output_generated']
const stateAfter = (...events: readonly TaskEvent[]): string => along(...events).current_state

describe('seed 004 §3.7', () => {
  it.each<[string, readonly TaskEvent[]]>([
    ['INIT', []],
    ['PLANNING', ['task_spec_ready']],
    ['EXECUTING', executing],
    ['VERIFYING', verifying],
    ['FINALIZING', finalizing],
    ['EXECUTING', [...verifying, 'verification_passed_more_tasks']],
    ['FINALIZING', [...verifying, 'verification_passed_final_milestone']],
    ['REPLANNING', [...verifying, 'verification_failed']],
    ['EXECUTING', [...verifying, 'verification_failed', 'new_plan_ready']],
    ['COMPLETED', completed],
    ['EXECUTING', [...finalizing, 'work_left']],
    ['REPLANNING', [...executing, 'replanning_requested']],
    ['EXECUTING', [...completed, 'rolled_back']],
    ['PAUSED', ['user_interrupt']],
    ['INIT', ['user_interrupt', 'user_resume']],
    ['VERIFYING', [...verifying, 'user_interrupt', 'user_resume']],
    ['EXECUTING', [...verifying, 'user_interrupt', 'rolled_back']],
    ['ERROR', [...executing, 'unrecoverable_error']],
    ['ERROR', [...executing, 'user_interrupt', 'unrecoverable_error']],
    ['ERROR', [...executing, 'user_cancel']],
    ['ERROR', [...executing, 'limits_reached']],
    ['EXECUTING', [...executing, 'limits_reached', 'user_resume']],
    ['EXECUTING', [...executing, 'user_interrupt', 'limits_reached', 'user_resume']],
    ['EXECUTING', [...executing, 'unrecoverable_error', 'rolled_back']],
  ])('comes to %s by %j', (state, events) => {
    expect(stateAfter(...events)).toBe(state)
  })

  it.each<readonly TaskEvent[]>([
    ['plan_validated'],
    ['output_generated'],
    ['rolled_back'],
    [...executing, 'task_spec_ready'],
    [...verifying, 'all_tasks_complete'],
    [...completed, 'user_interrupt'],
    [...completed, 'unrecoverable_error'],
    [...completed, 'user_cancel'],
    [...executing, 'user_interrupt', 'user_interrupt'],
    [...executing, 'user_interrupt', 'all_tasks_complete'],
    [...executing, 'user_resume'],
    [...executing, 'unrecoverable_error', 'user_resume'],
    [...executing, 'user_cancel', 'user_resume'],
    [...executing, 'user_cancel', 'user_cancel'],
    [...executing, 'limits_reached', 'unrecoverable_error'],
  ])('refuses what ends %j', (...events) => {
    along(...events.slice(0, -1))
    expect(() => along(...events)).toThrow(BotError)
  })
})

it('knows why it ended, and is stored as JSON', () => {
  expect(along(...executing, 'limits_reached')).toEqual({
    current_state: 'ERROR',
    state_before: 'EXECUTING',
    why: 'limits',
  })
  expect(along(...executing, 'user_cancel').why).toBe('cancelled')
  expect(along(...executing, 'limits_reached', 'user_cancel')).toMatchObject({ state_before: null, why: 'cancelled' })
  expect(machine.parse(JSON.parse(JSON.stringify(along(...verifying, 'user_interrupt'))))).toMatchObject({
    state_before: 'VERIFYING',
  })
})

it('has words of both seeds for each state', () => {
  expect(Object.keys(stateWords)).toEqual([...taskStates])
  expect(new Set(Object.values(stateWords).map(({ graph }) => graph)).size).toBe(5)
  expect(new Set(Object.values(stateWords).map(({ chain }) => chain)).size).toBe(4)
  expect(stateWords.VERIFYING.chain).toBe('waiting_confirmation')
})
