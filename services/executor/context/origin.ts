// Whose words a turn begins with where they are given to it, and what others wrote that they come from: a question may be asked again by somebody
// else, and a timer may say what a model wanted said.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { toOwnQuote, withoutMarks } from '#shared/chat/spoken.ts'
import { joinTaint, toTainted, type Taint } from '#shared/model/taint.ts'
import type { TurnStart } from '#services/executor/run/open-turn.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'

type Whose = Pick<TurnStart, 'principal' | 'taint' | 'response' | 'for'>

/** Whose question a turn was, where that may be another's; what is asked again keeps it. */
export function toOrigin(
  { principal, taint, for: eyes }: Whose,
  events: readonly ChatEvent[],
): ConversationState['lastOf'] {
  const isGroup = events.some((event) => 'group' in event && event.group)
  if (!isGroup && !taint?.length && eyes === undefined) return undefined
  return { ...(isGroup ? { by: principal } : {}), ...toTainted(taint), ...(eyes === undefined ? {} : { for: eyes }) }
}

/** What others wrote that these words come from, which an event has made a turn of. */
export function taintOfGiven({ lastText, lastOf }: ConversationState, given: string, event: ChatEvent): Taint {
  const came = 'taint' in event ? event.taint : undefined
  if (lastOf === undefined || given !== lastText) return joinTaint(came)
  const isOthers = lastOf.by !== undefined && lastOf.by !== event.principal
  return joinTaint(came, lastOf.taint, isOthers ? ['another member'] : [])
}

/** Who alone may see these words, where they are ones that were said in private. */
export function eyesOfGiven({ lastText, lastOf, putOff }: ConversationState, given: string): PrincipalId | undefined {
  if (given === lastText && lastOf?.for !== undefined) return lastOf.for
  return Object.values(putOff ?? {}).find((one) => one.text === given && one.for !== undefined)?.for
}

/** Who alone may see what a turn works on: it is begun by a private answer, or one that its person may see is in its prompt. */
export const eyesOf = (
  { principal, for: eyes }: Pick<TurnStart, 'principal' | 'for'>,
  { history }: Pick<ConversationState, 'history'>,
): PrincipalId | undefined => eyes ?? (history.some((item) => item.for === principal) ? principal : undefined)

/** An answer to a question of the bot stands below what was asked. */
export const toGivenItem = ({ principal: by, taint, response, for: eyes }: Whose, given: string): HistoryItem => ({
  role: 'user',
  text: [...(response ? [toOwnQuote(response.asked)] : []), withoutMarks(given)].join('\n'),
  source: 'person',
  by,
  ...toTainted(taint),
  ...(eyes === undefined ? {} : { for: eyes }),
})
