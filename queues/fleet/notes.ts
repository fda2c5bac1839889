// What all processes remember of something on a platform for a time, such as a message that one of them has sent: the platform is asked only
// for what nobody has noted. Each note is a key of its own, which goes by itself.
import { text } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'

/** Both throw BotError `store-unavailable`, and are safe to repeat. */
export type Notes = {
  /** Undefined when nothing is noted, or no longer. */
  find(name: string): Promise<string | undefined>
  /** In place of what was noted before. */
  put(name: string, words: string, forMs: number): Promise<void>
}

/** `prefix`: a note's name is told apart by it from those of others, e.g. `feishu`. */
export function createNotes(call: CallUnit, prefix: string): Notes {
  const toKey = (name: string): string => `fl:{note-${prefix}-${name}}`
  return {
    find: async (name) => text(await call('note', toKey(name), ['find'])) || undefined,
    async put(name, words, forMs) {
      await call('note', toKey(name), ['put', words, forMs])
    },
  }
}
