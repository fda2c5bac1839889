// Names of what is done with an event: of its steps, its rows, its turn, its letters and timers. They come from the event's id alone, so that
// they are the same after a crash, and also where Redis lost its last seconds and took the event again in another place: a row that was
// sent is known, and so is a letter that was received. Only what an operator has replayed is work of its own.
import type { QueuedEvent } from '#shared/run/step.ts'

/** `t` and 13 signs at most for a turn. */
export function toWorkId(what: string, { event: { id, replayed } }: Pick<QueuedEvent, 'event'>): string {
  return `${what}${hash(replayed === undefined ? id : `${id} ${replayed}`).toString(36)}`
}

/** Two hashes of 32 bits as one number: of one alone two events of a conversation would share a name now and then. */
function hash(text: string): bigint {
  return (BigInt(fold(text, 0x811c9dc5, 0x01000193)) << 32n) | BigInt(fold(text, 0x9e3779b9, 0x85ebca6b))
}

/** FNV-1a, 32 bits, or one of its kind: http://www.isthe.com/chongo/tech/comp/fnv/ */
function fold(text: string, basis: number, prime: number): number {
  let value = basis
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), prime)
  return (value ^ (value >>> 15)) >>> 0
}
