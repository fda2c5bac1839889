// Which kinds of questions, timers, letters, commands and tools some executor of the fleet knows, so that one of another release leaves to it what it
// does not know itself. What none has said for a while, as after a feature was taken out, is known to nobody.
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

export type KnownKinds = {
  /** Says again and again that this process knows them, as they are each time, until what comes back is called. What fails is said again. */
  announce(kinds: () => readonly string[]): () => void
  /**
   * Whether a process that runs, or ran until a moment ago, knows it; also while nobody can tell, since Redis was away or its clock has
   * changed: then it is to be asked again. Throws BotError `store-unavailable`.
   */
  isKnown(kind: string): Promise<boolean>
}

/** By kind, until when it counts as known, in Redis' time. */
const key = 'fl:{kinds}'
const everyMs = 20_000
const knownForMs = 3 * everyMs
/** Where this process could not say what it knows for so long, what others said may be over too; all have said it again in that time. */
const longestGapMs = everyMs + 10_000
const saidAgainMs = everyMs + 5000
/** More than two measurements of Redis' clock differ by. */
const jumpMs = 10_000

/** `now`: Redis' time, ms; `elapsed`: ms of a clock that nobody sets. */
export function createKnownKinds(
  redis: RedisClient,
  now: () => number,
  elapsed: () => number = () => performance.now(),
): KnownKinds {
  let said: { readonly atMs: number; readonly aheadMs: number } | undefined
  let sureFromMs = -Infinity
  /** Whether it was said on time, on one clock. */
  const isBroken = (): boolean =>
    said !== undefined && (elapsed() - said.atMs > longestGapMs || Math.abs(now() - elapsed() - said.aheadMs) > jumpMs)
  const noteSaid = (): void => {
    if (isBroken()) sureFromMs = elapsed() + saidAgainMs
    said = { atMs: elapsed(), aheadMs: now() - elapsed() }
  }
  return {
    announce(given) {
      const say = (): void => {
        const kinds = given()
        if (kinds.length === 0) return
        const until = Math.round(now() + knownForMs)
        Promise.all([
          redis.zadd(key, ...kinds.flatMap((kind) => [until, kind])),
          redis.zremrangebyscore(key, '-inf', Math.round(now() - knownForMs)),
        ]).then(noteSaid, () => {})
      }
      say()
      const timer = setInterval(say, everyMs)
      timer.unref()
      redis.on('ready', say)
      return () => {
        clearInterval(timer)
        redis.off('ready', say)
      }
    },
    async isKnown(kind) {
      const until = Number((await fromStore(redis.zscore(key, kind))) ?? 0)
      return until > now() || isBroken() || elapsed() < sureFromMs
    },
  }
}
