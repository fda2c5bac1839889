// Whether a turn takes place where others see it, and which message its reply then names.
import type { ChatEvent } from '#shared/chat/event.ts'
import { findAsked, type TurnStart } from '#services/executor/run/open-turn.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { isForeign } from '#services/executor/state/told.ts'

/** A message says so itself; a press and a timer do not, but in a group people have been met by name. The turn of a task says it from its start on. */
export function isInGroup(
  { people }: Pick<ConversationState, 'people'>,
  events: readonly ChatEvent[],
  start?: Pick<TurnStart, 'group'>,
): boolean {
  if (start?.group) return true
  const told = events.flatMap((event) => ('group' in event ? [event.group] : []))
  return told.length > 0 ? told.includes(true) : Object.keys(people ?? {}).length > 0
}

/** In a group a reply names the message it answers. A turn that a button or an owner's approval began answers the last message that it comes from. */
export function toReplyTo(
  state: Pick<ConversationState, 'people'>,
  start: Pick<TurnStart, 'about'>,
  events: readonly ChatEvent[],
): { replyTo?: string } {
  if (!isInGroup(state, events)) return {}
  const asked = findAsked(events)
  const id = asked ? asked.messageId : start.about?.findLast((one) => !isForeign(one))
  return id ? { replyTo: id } : {}
}
