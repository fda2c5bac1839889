// Redis' time as this process knows it. Machines' own clocks may be hours apart, and what is stored by one is judged by another: when a
// session ends, which day's budget is used up, how long a hint has waited. Only lengths of time may be measured by a process's own clock.
import type { RedisClient } from '#queues/connection.ts'

export type RedisClock = {
  /** ms since 1970, within half a second of Redis'. */
  now(): number
  /**
   * Takes a time that Redis told, ms. Whoever claims work learns it by that. `askedAtMs`: this process's own clock when it asked. An
   * answer that took longer than half a second says nothing: the process may have stood still between Redis' answer and its reading.
   */
  learn(redisMs: number, askedAtMs: number): void
  close(): void
}

/** Answers are this much late in a busy process, so a smaller difference says nothing. */
const toleranceMs = 500
const readEveryMs = 10_000
/** At the start nothing is known yet, so a busy machine asks again. */
const firstAsks = 3

/** Asks for the time now and every ten seconds; while Redis is away it goes by what it knows. */
export async function createRedisClock(redis: Pick<RedisClient, 'time'>): Promise<RedisClock> {
  let aheadMs = 0
  const isTimely = (askedAtMs: number): boolean => Math.abs(Date.now() - askedAtMs) <= toleranceMs
  const learn = (redisMs: number, askedAtMs: number): void => {
    const offMs = redisMs - (Date.now() + aheadMs)
    if (isTimely(askedAtMs) && Math.abs(offMs) > toleranceMs) aheadMs += offMs
  }
  /** Whether the answer came in time. */
  const read = async (): Promise<boolean> => {
    const askedAtMs = Date.now()
    const [seconds, micros] = await redis.time()
    learn(Number(seconds) * 1000 + Math.floor(Number(micros) / 1000), askedAtMs)
    return isTimely(askedAtMs)
  }
  const timer = setInterval(() => {
    read().catch(() => {})
  }, readEveryMs)
  timer.unref()
  for (let asks = 1; asks <= firstAsks && !(await read().catch(() => true)); asks++);
  return { now: () => Date.now() + aheadMs, learn, close: () => clearInterval(timer) }
}
