// Commands that only tell something, and ask nothing: whoever says one between a question and its answer has still said nothing to the question. Pure.
import type { ChatEvent, SlashCommand } from '#shared/chat/event.ts'

const asides: ReadonlySet<string> = new Set(['help', 'questions', 'curiosity', 'why', 'memory', 'log', 'tasks'])

export const isAside = ({ name }: SlashCommand): boolean => asides.has(name)

/** How many of them stand right before the event at this place, of those that wait. */
export function countAsides(events: readonly ChatEvent[], at: number): number {
  const said = events
    .slice(0, at)
    .findLastIndex((one) => one.kind !== 'message' || one.command === undefined || !isAside(one.command))
  return at - 1 - said
}
