// When the clock of each reader strikes next, in Redis' time. A reader that is new waits for one interval.
import { integer } from '#queues/reply.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

/** All throw BotError `store-unavailable`. */
export type Ticks = {
  /** ms since 1970. */
  find(reader: string, everyMs: number): Promise<{ readonly dueMs: number; readonly nowMs: number }>
  pass(reader: string, nextMs: number): Promise<void>
}

const key = 'fl:{ticks}'

export const createTicks = (redis: RedisClient): Ticks => ({
  async find(reader, everyMs) {
    const [seconds, micros] = await fromStore(redis.time())
    const nowMs = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
    const found = integer((await fromStore(redis.hget(key, reader))) ?? '0')
    // A clock that was set far ahead meanwhile keeps nobody waiting for longer than its interval.
    if (found > 0 && found <= nowMs + everyMs) return { dueMs: found, nowMs }
    const dueMs = nowMs + everyMs
    await fromStore(redis.hset(key, reader, dueMs))
    return { dueMs, nowMs }
  },
  async pass(reader, nextMs) {
    await fromStore(redis.hset(key, reader, nextMs))
  },
})
