// A letter as units take it.
import type { Letter } from '#shared/run/step.ts'

/** Whom it is for, its id, and what it says. */
export const toLetterArgs = ({ event }: Letter): readonly string[] => [
  event.conversation,
  event.id,
  JSON.stringify(event),
]
