// Whether a turn takes place where others see it.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

/** A message says so itself; a press and a timer do not, but in a group people have been met by name. */
export function isInGroup({ people }: Pick<ConversationState, 'people'>, events: readonly ChatEvent[]): boolean {
  const told = events.flatMap((event) => ('group' in event ? [event.group] : []))
  return told.length > 0 ? told.includes(true) : Object.keys(people ?? {}).length > 0
}
