// Names of what is done with an event: of its steps, its rows, its turn. They are the same after a crash, since they come from the event
// itself; and never the same for another event, as its seq alone would be after Redis lost its last moments: a platform that dedupes
// by row would take the new answer for the old one.
import type { QueuedEvent } from '#shared/run/step.ts'

/** `t5-1k3x9ab` for the event at seq 5. */
export function toWorkId(what: string, { seq, event }: QueuedEvent): string {
  return `${what}${seq}-${hash(event.id).toString(36)}`
}

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
