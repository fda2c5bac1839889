// A session's end: one timer of a conversation, armed when a turn ends and none is. It says when the session may be over: somebody may have
// spoken since, and then it is armed anew for what is left, so that a message costs nothing.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { unbutton } from '#shared/run/out-row.ts'
import { joinCaused, type Caused, type QueuedEvent, type Timer } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { nothing, type Applied } from './applied.ts'
import { toRows } from '#services/executor/step/carry.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'

type Ended = { readonly state: ConversationState; readonly caused: Caused }

/** Arms it with the step that ends a turn, unless it is armed. */
export function withSessionTimer(
  deps: ExecutorDeps,
  { conversation }: Pick<Claim, 'conversation'>,
  { state, caused, principal, step }: Ended & { readonly principal: PrincipalId; readonly step: string },
): Ended {
  if (state.session.timed) return { state, caused }
  const timers = [toTimer({ conversation, principal, step }, deps.sessionIdleMs)]
  return { state: { ...state, session: { ...state.session, timed: true } }, caused: joinCaused(caused, { timers }) }
}

/** What was asked under the last answer ends with the session; the talk itself is left out only once somebody speaks again. */
export function endSession(deps: ExecutorDeps, claim: Claim, item: QueuedEvent): Applied {
  const { state, conversation } = claim
  const { session, under } = state
  const step = toWorkId('e', item)
  // A machine whose clock was ahead may have said when somebody spoke last.
  const leftMs = Math.min(session.lastAt + deps.sessionIdleMs - deps.now(), deps.sessionIdleMs)
  if (leftMs > 0) {
    const timer = toTimer({ conversation, principal: item.event.principal, step }, leftMs)
    return { ...nothing(state, 'session'), timers: [timer] }
  }
  return {
    ...nothing({ ...state, under: undefined, session: { ...session, timed: undefined } }, 'session-end'),
    rows: under ? toRows(deps, step, [unbutton(under.card)]) : [],
    closes: under?.questions ?? [],
    endsSession: true,
  }
}

function toTimer(
  { step, ...whose }: { readonly conversation: string; readonly principal: PrincipalId; readonly step: string },
  inMs: number,
): Timer {
  return { name: 'session', inMs, event: { v: 1, kind: 'session_end', id: `${step}-session`, ...whose } }
}
