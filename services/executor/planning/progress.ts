// How far a turn is with its plan: a fold of its journal, so that whoever goes on with the turn shows the same.
import type { OpenTurn, TurnStart } from '#services/executor/run/open-turn.ts'
import { findStep, readPlan, withoutPlan, type Plan } from './read-plan.ts'

export type Progress = {
  readonly plan: Plan
  /** The step that is being done, from 1 on. */
  readonly step: number
  /** The last step that the model named itself. */
  readonly named?: number | undefined
}

/** Whether the model was asked for a plan that people are to see. */
export const mayPlan = (start: TurnStart): boolean => start.class.complex && start.last === undefined

/**
 * The plan that the first answer with words in it begins with, if it went on to call tools: else it is the head of the whole answer. Where
 * the model does not name the step that it is at, each further answer is at the next one.
 */
export function foldProgress({ start, entries }: OpenTurn): Progress | undefined {
  if (!mayPlan(start)) return undefined
  let progress: Progress | undefined
  for (const entry of entries) {
    if (entry.t !== 'llm:fin' || (!progress && entry.text.trim() === '')) continue
    if (progress) {
      const { plan, step, named } = progress
      const said = findStep(entry.text, plan.total)
      progress = { plan, step: said ?? Math.min(step + 1, plan.total), named: said ?? named }
    } else {
      const plan = entry.toolCalls.length > 0 ? readPlan(entry.text) : undefined
      if (!plan) return undefined
      const named = findStep(plan.rest, plan.total)
      progress = { plan, step: named ?? 1, named }
    }
  }
  return progress
}

/** What people read of an answer, where the plan stands in a row of its own. */
export const besidePlan = (turn: OpenTurn, text: string): string => (foldProgress(turn) ? withoutPlan(text) : text)
