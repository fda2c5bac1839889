// An owner can stop all that the fleet does by itself, or curiosity alone. Each is a field beside the access list, which every process looks at again
// after a second.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

/** Both throw BotError `store-unavailable` while Redis is away. */
export type Quiet = {
  /** As it was a second ago at most. */
  isQuiet(): Promise<boolean>
  /** `by`: who says so. */
  setQuiet(on: boolean, by: PrincipalId): Promise<void>
}

const key = 'fl:{access}'
const knownForMs = 1000

/** `elapsed`: ms of a clock that nobody sets. */
export function createQuiet(
  redis: RedisClient,
  field: 'quiet' | 'incurious' = 'quiet',
  elapsed: () => number = () => performance.now(),
): Quiet {
  let last: { readonly atMs: number; readonly found: Promise<boolean> } | undefined
  const look = (): Promise<boolean> => fromStore(redis.hexists(key, field)).then((found) => found === 1)
  return {
    async isQuiet() {
      if (last && elapsed() - last.atMs < knownForMs) return await last.found
      const now = { atMs: elapsed(), found: look() }
      last = now
      return await now.found.catch((error: unknown) => {
        if (last === now) last = undefined
        throw error
      })
    },
    async setQuiet(on, by) {
      await fromStore(on ? redis.hset(key, field, by) : redis.hdel(key, field))
      last = undefined
    },
  }
}
