// Redis' time as this process knows it. Machines' own clocks may be hours apart, and what is stored by one is judged by another: when a
// session ends, which day's budget is used up, how long a hint has waited. Only lengths of time may be measured by a process's own clock.
import type { RedisClient } from '#queues/connection.ts'

export type RedisClock = {
  /** ms since 1970, within half a second of Redis'. */
  now(): number
  /** Takes a time that Redis has just told, ms. Whoever claims work learns it by that. */
  learn(redisMs: number): void
  close(): void
}

/** Answers are this much late in a busy process, so a smaller difference says nothing. */
const toleranceMs = 500
const askEveryMs = 10_000

/** Asks for the time now and every ten seconds; while Redis is away it goes by what it knows. */
export async function createRedisClock(redis: Pick<RedisClient, 'time'>): Promise<RedisClock> {
  let aheadMs = 0
  const learn = (redisMs: number): void => {
    const offMs = redisMs - (Date.now() + aheadMs)
    if (Math.abs(offMs) > toleranceMs) aheadMs += offMs
  }
  const ask = async (): Promise<void> => {
    const [seconds, micros] = await redis.time()
    learn(Number(seconds) * 1000 + Math.floor(Number(micros) / 1000))
  }
  const timer = setInterval(() => void ask().catch(() => {}), askEveryMs)
  timer.unref()
  await ask().catch(() => {})
  return { now: () => Date.now() + aheadMs, learn, close: () => clearInterval(timer) }
}
