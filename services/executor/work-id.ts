// Names of what is done with an event: of its steps, its rows, its turn, its letters and timers. They come from the event's id alone, so that
// they are the same after a crash, and also where Redis lost its last seconds and took the event again in another place: a row that was
// sent is known, and so is a letter that was received. Only what an operator has replayed is work of its own. Older releases put the place
// before the hash (`t5-1k3x9ab`); names are never read, so what they named so goes on under its name.
import type { QueuedEvent } from '#shared/run/step.ts'

/** `t` and 13 signs at most for a turn. */
export function toWorkId(what: string, { event: { id, replayed } }: Pick<QueuedEvent, 'event'>): string {
  return `${what}${hash(replayed === undefined ? id : `${id} ${replayed}`).toString(36)}`
}

/** FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ With 32 two events of one conversation would share a name now and then. */
function hash(text: string): bigint {
  let value = 0xcbf29ce484222325n
  for (let i = 0; i < text.length; i++)
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n)
  return value
}
