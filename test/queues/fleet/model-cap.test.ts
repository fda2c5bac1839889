// Facts about the cap on model calls that all workers share.
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import { createModelCap, type ModelCap } from '#queues/fleet/model-cap.ts'
import { createUnits } from '#queues/kernel/units.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

const holdMs = 300
let server: PrivateRedis
let redis: RedisClient
let cap: ModelCap
beforeAll(async () => {
  server = await startRedis()
  redis = connectKernel(server.url)
  if (redis.status !== 'ready') await once(redis, 'ready')
  cap = createModelCap(createUnits(redis, { patienceMs: 100 }), { most: 1, holdMs })
})
beforeEach(async () => {
  await redis.flushall()
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})

const within = (ms: number): AbortSignal => AbortSignal.timeout(ms)

test('keeps the place of a call that lasts longer than the holding time', async () => {
  const leave = await cap.enter('long call', within(1000))
  await expect(cap.enter('next', within(holdMs * 3))).rejects.toThrow()
  await leave()
  await (
    await cap.enter('next', within(1000))
  )()
})

test('gives the place of a dead worker away soon', async () => {
  // A dead worker keeps nothing: only what it wrote is left.
  await redis.zadd('fl:{model-cap}', Date.now() + holdMs, 'killed')
  expect(await cap.enter('next', within(holdMs * 10))).toBeTypeOf('function')
})

test('does not end a long pause for a short one', async () => {
  await cap.pause(60_000)
  await cap.pause(10)
  await expect(cap.enter('eager', within(200))).rejects.toThrow()
})
