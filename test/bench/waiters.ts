// `model`: what 3,000 calls that wait for 50 places cost the process they wait in, and Redis.
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import { createModelGate } from '#queues/fleet/model-gate.ts'
import { createUnits } from '#queues/units.ts'
import { round } from './figures.ts'

const places = 50
const callMs = 1000
const measureMs = 10_000
const unlimited = { tokens: 0, micros: 0 }

export async function measureWaiters(redisUrl: string, waiters: number) {
  const redis = connectKernel(redisUrl)
  if (redis.status !== 'ready') await once(redis, 'ready')
  const gate = createModelGate(createUnits(redis, { patienceMs: 5000 }), {
    limits: { person: unlimited, owner: unlimited, chat: unlimited, total: unlimited },
    most: places,
    holdMs: 9000,
  })
  try {
    const none = await measure(redis)
    const stop = new AbortController()
    const calls = Array.from({ length: places + waiters }, async (_, n) => {
      for (let turn = 0; !stop.signal.aborted; turn++) {
        await gate.enter({ role: 'main' }, `call ${n}/${turn}`, stop.signal)
        await sleep(callMs, undefined, { signal: stop.signal })
        await gate.leave(`call ${n}/${turn}`)
      }
    })
    const ended = Promise.allSettled(calls)
    await sleep(2000)
    const crowd = await measure(redis)
    stop.abort()
    await ended
    return { waiters, waitersLagMs: crowd.lagMs, idleLagMs: none.lagMs, scriptsPerSecond: crowd.scriptsPerSecond }
  } finally {
    gate.close()
    redis.disconnect()
  }
}

/** The event loop's p99 delay, ms, and the scripts that Redis ran. */
async function measure(redis: RedisClient): Promise<{ lagMs: number; scriptsPerSecond: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const before = await countScripts(redis)
  delay.enable()
  await sleep(measureMs)
  delay.disable()
  const scripts = (await countScripts(redis)) - before
  return { lagMs: round(delay.percentile(99) / 1e6), scriptsPerSecond: round((scripts / measureMs) * 1000) }
}

async function countScripts(redis: RedisClient): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1])
}
