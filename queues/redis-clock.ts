// Redis' time as this process knows it. Machines' own clocks may be hours apart, and what is stored by one is judged by another: when a
// session ends, which day's budget is used up, how long a hint has waited. Only lengths of time may be measured by a process's own clock.
//
// Where Redis' own machine is set to another time, that is doubted at first: no talk ends since a clock was wrong for some minutes.
//   followed -Redis alone is more than five minutes off-> doubted -agrees again-> followed;  doubted -for ten minutes-> followed
import type { RedisClient } from '#queues/connection.ts'

export type RedisClock = {
  /** ms since 1970, within half a second of Redis', unless that is doubted. */
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
/** Where the machine's own clock was set, what is measured meanwhile is as wrong as that. */
const lookEveryMs = 1000
/** A clock that is mended by more than this may as well be wrong now. */
const mostStepMs = 5 * 60_000
const doubtedForMs = 10 * 60_000
/** At the start nothing is known yet, so a busy machine asks again. */
const firstAsks = 3

/** Asks for the time now, every ten seconds, and once the machine's own clock was set; while Redis is away it goes by what it knows. */
export async function createRedisClock(redis: Pick<RedisClient, 'time'>): Promise<RedisClock> {
  let aheadMs = 0
  // When Redis' time was last believed, by the clock of the machine and by one that nobody sets.
  let believed: { readonly dateMs: number; readonly steadyMs: number } | undefined
  let doubtedSinceMs: number | undefined
  const believe = (offMs: number): void => {
    aheadMs += offMs
    believed = { dateMs: Date.now(), steadyMs: performance.now() }
    doubtedSinceMs = undefined
  }
  /** By how much this machine's own clock was set since, ms. */
  const findSetByMs = (): number =>
    believed ? Date.now() - believed.dateMs - (performance.now() - believed.steadyMs) : 0
  const isDoubtful = (offMs: number): boolean => {
    if (!believed || Math.abs(offMs) <= mostStepMs) return false
    const steadyMs = performance.now()
    // By as much as the two differ now.
    if (Math.abs(offMs + findSetByMs()) <= toleranceMs) return false
    doubtedSinceMs ??= steadyMs
    return steadyMs - doubtedSinceMs < doubtedForMs
  }
  const isTimely = (askedAtMs: number): boolean => Math.abs(Date.now() - askedAtMs) <= toleranceMs
  const learn = (redisMs: number, askedAtMs: number): void => {
    const offMs = redisMs - (Date.now() + aheadMs)
    if (!isTimely(askedAtMs) || isDoubtful(offMs)) return
    believe(Math.abs(offMs) > toleranceMs ? offMs : 0)
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
  const look = setInterval(() => {
    if (Math.abs(findSetByMs()) > toleranceMs) read().catch(() => {})
  }, lookEveryMs)
  for (const one of [timer, look]) one.unref()
  for (let asks = 1; asks <= firstAsks && !(await read().catch(() => true)); asks++);
  return { now: () => Date.now() + aheadMs, learn, close: () => [timer, look].forEach((one) => clearInterval(one)) }
}
