// Whose words a turn begins with where they are given to it, and what others wrote that they come from: a question may be asked again by somebody
// else, and a timer may say what a model wanted said.
import type { ChatEvent } from '#shared/chat/event.ts'
import { toOwnQuote, withoutMarks } from '#shared/chat/spoken.ts'
import { joinTaint, toTainted, type Taint } from '#shared/model/taint.ts'
import type { TurnStart } from '#services/executor/open-turn.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import type { HistoryItem } from './history-item.ts'

type Whose = Pick<TurnStart, 'principal' | 'taint' | 'response'>

/** Whose question a turn was, where that may be another's; what is asked again keeps it. */
export function toOrigin({ principal, taint }: Whose, events: readonly ChatEvent[]): ConversationState['lastOf'] {
  const isGroup = events.some((event) => 'group' in event && event.group)
  return isGroup || taint?.length ? { ...(isGroup ? { by: principal } : {}), ...toTainted(taint) } : undefined
}

/** What others wrote that these words come from, which an event has made a turn of. */
export function taintOfGiven({ lastText, lastOf }: ConversationState, given: string, event: ChatEvent): Taint {
  const came = 'taint' in event ? event.taint : undefined
  if (lastOf === undefined || given !== lastText) return joinTaint(came)
  const isOthers = lastOf.by !== undefined && lastOf.by !== event.principal
  return joinTaint(came, lastOf.taint, isOthers ? ['another member'] : [])
}

/** An answer to a question of the bot stands below what was asked. */
export const toGivenItem = ({ principal: by, taint, response }: Whose, given: string): HistoryItem => ({
  role: 'user',
  text: [...(response ? [toOwnQuote(response.asked)] : []), withoutMarks(given)].join('\n'),
  source: 'person',
  by,
  ...toTainted(taint),
})
