// A message of a group that is read and not answered: it is remembered.
import type { MessageEvent } from '#shared/chat/event.ts'
import { meet } from '#shared/chat/people.ts'
import { toUserItem } from '#services/executor/context/turn-items.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { messageIdsOf, quotedIdsOf } from '#services/executor/run/open-turn.ts'
import { type ConversationState } from '#services/executor/state/state.ts'
import { toHistoryRoom, remember } from '#services/executor/state/remember.ts'

export function observe(deps: ExecutorDeps, state: ConversationState, event: MessageEvent): ConversationState {
  const people = meet(state.people, [event])
  const { lastText, lastAbout, lastQuoted, turns } = state
  const about = [...quotedIdsOf([event]), ...messageIdsOf([event])]
  const heard = { items: toUserItem(event, people), messageIds: [], about, text: '', tokens: 0 }
  const fit = toHistoryRoom(deps)
  return { ...remember({ ...state, people }, heard, fit), lastText, lastAbout, lastQuoted, turns }
}
