// The rows of a plan: one where the model has made it, in the unit that journals its words, and one that changes that message at the turn's end.
import type { Language } from '#shared/chat/message.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import { toPlanEndRow, toPlanRow, type OutBody, type OutRow } from '#shared/run/out-row.ts'
import { toReplyTo } from '#services/executor/context/in-group.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'
import type { TurnRun } from '#services/executor/turn/turn-run.ts'
import { foldProgress, mayPlan, type Progress } from './progress.ts'
import { showPlan, type PlanState } from './show-plan.ts'

/** What a step stores besides the words that the model finished with it. */
export function toPlanned(run: TurnRun, finished: JournalEntry): { readonly rows?: readonly OutRow[] } {
  const before = run.turn()
  if (!mayPlan(run.start) || foldProgress(before)) return {}
  const turn = { ...before, entries: [...before.entries, finished] }
  const progress = foldProgress(turn)
  if (!progress) return {}
  const { language, events } = run.facts()
  const body = { ...toBody(progress, language, 'going-on'), ...toReplyTo(run.claim.state, run.start, events) }
  return { rows: [{ id: toPlanRow(run.start.turn), body, expiresInMs: run.deps.replyExpiresInMs }] }
}

type Ended = {
  readonly turn: OpenTurn
  readonly ending: TurnEnding | 'set-aside'
  readonly language: Language
  readonly expiresInMs: number
}

/** What becomes of it when the turn has ended. */
export function planEndRow({ turn, ending, language, expiresInMs }: Ended): OutRow[] {
  const progress = foldProgress(turn)
  if (!progress) return []
  const body = toBody(progress, language, toState(turn, ending, progress))
  const { turn: id } = turn.start
  return [{ id: toPlanEndRow(id), body: { ...body, replaces: toPlanRow(id) }, expiresInMs }]
}

const toBody = (progress: Progress, language: Language, state: PlanState): Extract<OutBody, { kind: 'send' }> => ({
  v: 1,
  kind: 'send',
  text: showPlan(progress, language, state),
  answers: [],
  language,
  plan: true,
})

/** Done only where nothing speaks against it: the model did not stop before the last step by its own count, and not all its tools failed. */
function toState({ entries }: OpenTurn, ending: Ended['ending'], { plan, step, named }: Progress): PlanState {
  if (ending === 'stopped' || ending === 'suspended') return ending
  const results = entries.filter((entry) => entry.t === 'tool:fin')
  const isUnfinished = named !== undefined && step < plan.total
  const hasFailed = results.length > 0 && !results.some(({ ok }) => ok)
  return ending !== 'answered' || isUnfinished || hasFailed ? 'unfinished' : 'done'
}
