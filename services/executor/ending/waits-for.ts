// How a turn that waits for a person says so: by its card alone where that is shown, by a sentence where the card comes later. Pure.
import { toFirstRow, type OutRow } from '#shared/run/out-row.ts'
import type { TurnEnding } from '#shared/run/journal.ts'
import type { Caused } from '#shared/run/step.ts'
import { findAhead } from '#services/executor/state/asking.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { waitsOf, type OpenTurn } from '#services/executor/run/open-turn.ts'

type End = {
  readonly turn: OpenTurn
  readonly hasReply: boolean
  readonly ending: TurnEnding
  /** Nobody could be asked for an approval. */
  readonly isUnasked?: boolean
  /** What features have said at its end. */
  readonly caused: Caused
  /** Its own rows, the reply first. */
  readonly rows: readonly OutRow[]
}

/** Where the card, or the line that an owner was asked, says all that there is to say, the reply is no message. */
export function withoutTold(
  { features }: Pick<ExecutorDeps, 'features'>,
  { asking }: Pick<ConversationState, 'asking'>,
  { turn, hasReply, ending, isUnasked, caused, rows: [reply, ...rows] }: End,
): readonly OutRow[] {
  const { turn: id } = turn.start
  const approves = features.all.find(({ approvals }) => approvals !== undefined)?.name
  const isAsked = caused.rows?.some(({ id: row }) => row.startsWith(`${id}-${approves}-`))
  const isCardShown = asking?.shown.some(({ card }) => card.startsWith(`${id}-`))
  const isToldElsewhere = (isAsked || isCardShown) && waitsOf(turn).length === 0
  if (reply?.body.kind !== 'send' || ending !== 'suspended' || isUnasked || hasReply || !isToldElsewhere)
    return reply ? [reply, ...rows] : []
  // Nobody waits for an answer to what was said any more.
  const { v, answers, language } = reply.body
  return [{ ...reply, body: { v, kind: 'unbutton', replaces: toFirstRow(id), answers, language } }, ...rows]
}

/** Whether what this turn asks comes only after another question to its person, so that no card is shown yet. */
export const isBehind = (
  { asking }: Pick<ConversationState, 'asking'>,
  { turn, principal }: Pick<OpenTurn['start'], 'turn' | 'principal'>,
  how: { readonly isAwaiting: boolean; readonly nowMs: number },
): boolean => {
  const line = { to: principal, ...(how.isAwaiting ? { guards: true as const } : {}) }
  const ahead = asking && findAhead(asking, line, how.nowMs)
  return ahead !== undefined && !ahead.card.startsWith(`${turn}-`)
}
