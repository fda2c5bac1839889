// Facts about keeping another kind of process off a Redis: a second bot of the same channel, another layout of state.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import { holdPlace, type SoleHolder } from '#queues/fleet/sole-holder.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

let server: PrivateRedis
let redis: RedisClient
let call: CallUnit
beforeAll(async () => {
  server = await startRedis()
  redis = connectKernel(server.url)
  if (redis.status !== 'ready') await once(redis, 'ready')
  call = createUnits(redis, { patienceMs: 100 })
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})

const hold = (holder: string, more: Partial<SoleHolder> = {}): Promise<{ stop(): void }> =>
  holdPlace({
    call,
    place: 'bot-discord',
    holder,
    refusal: 'Another works here.',
    ttlMs: 200,
    onLost: () => {},
    ...more,
  })

test('lets any number of processes hold one place, and refuses another kind with what to do', async () => {
  const held = [await hold('one'), await hold('one')]
  await expect(hold('two')).rejects.toThrow('Another works here.')
  const elsewhere = await hold('two', { place: 'bot-telegram' })
  for (const each of [...held, elsewhere]) each.stop()
})

test('gives the place to another kind soon after the last process of the first has ended', async () => {
  const first = await hold('one')
  first.stop()
  const second = await hold('two')
  expect(await redis.get('fl:{bot-discord}')).toBe('two')
  second.stop()
})

test('says so when another kind took the place meanwhile', async () => {
  const lost = Promise.withResolvers<string>()
  const held = await hold('two', { onLost: lost.resolve })
  await redis.set('fl:{bot-discord}', 'three')
  expect(await lost.promise).toBe('Another works here.')
  held.stop()
})
