// The growing answer of a turn that may have a plan: how far the plan is goes along with each draft, and is no part of the answer itself.
import type { Draft } from '#shared/run/draft.ts'
import { toPlanRow } from '#shared/run/out-row.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'
import { foldProgress, mayPlan } from './progress.ts'
import { findRest, withoutPlan } from './read-plan.ts'
import { showPlan } from './show-plan.ts'

/**
 * The first words of a turn that begin with a plan become no message while they grow, until they are so many, or so many behind the plan: before,
 * tools may be called, and the plan is a message of its own.
 */
const mostHeldChars = 1200
const mostBesideChars = 400

export type PlanDrafts = Pick<RunStore, 'draft'> & {
  /** Whether the plan is further than was shown. */
  hasNews(): boolean
}

export function planDrafts(store: Pick<RunStore, 'draft'>, turn: () => OpenTurn): PlanDrafts {
  let shown = 0
  return {
    hasNews: () => mayPlan(turn().start) && (foldProgress(turn())?.step ?? shown) !== shown,
    draft(draft) {
      if (!mayPlan(turn().start)) return store.draft(draft)
      const progress = foldProgress(turn())
      if (!progress) return store.draft(isFirst(turn()) ? toHeldBack(draft) : draft)
      shown = progress.step
      const { turn: id, language = 'en' } = draft
      const plan = { row: toPlanRow(id), text: showPlan(progress, language, 'going-on') }
      store.draft({ ...draft, text: withoutPlan(draft.text), plan })
    },
  }
}

/** Whether the model has said nothing before. */
const isFirst = ({ entries }: OpenTurn): boolean =>
  !entries.some((entry) => entry.t === 'llm:fin' && entry.text.trim() !== '')

function toHeldBack(draft: Draft): Draft {
  const rest = draft.text.length > mostHeldChars ? undefined : findRest(draft.text)
  if (rest === undefined || rest.trim().length > mostBesideChars) return draft
  const { principal: _, ...held } = draft
  return held
}
