// Which kinds of questions, timers, letters, commands and tools some executor of the fleet knows, so that one of another release leaves to it what it
// does not know itself. What none has said for a while, as after a feature was taken out, is known to nobody.
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

export type KnownKinds = {
  /** Says again and again that this process knows them, until what comes back is called. What fails is said again. */
  announce(kinds: readonly string[]): () => void
  /** Whether a process that runs, or ran until a moment ago, knows it. Throws BotError `store-unavailable`. */
  isKnown(kind: string): Promise<boolean>
}

/** By kind, until when it counts as known, in Redis' time. */
const key = 'fl:{kinds}'
const everyMs = 20_000
const knownForMs = 3 * everyMs

/** `now`: Redis' time, ms. */
export function createKnownKinds(redis: RedisClient, now: () => number): KnownKinds {
  return {
    announce(kinds) {
      const say = (): void => {
        const until = Math.round(now() + knownForMs)
        Promise.all([
          redis.zadd(key, ...kinds.flatMap((kind) => [until, kind])),
          redis.zremrangebyscore(key, '-inf', Math.round(now() - knownForMs)),
        ]).catch(() => {})
      }
      if (kinds.length === 0) return () => {}
      say()
      const timer = setInterval(say, everyMs)
      timer.unref()
      return () => clearInterval(timer)
    },
    async isKnown(kind) {
      return Number((await fromStore(redis.zscore(key, kind))) ?? 0) > now()
    },
  }
}
