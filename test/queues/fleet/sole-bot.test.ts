// Facts about keeping a second bot of the same channel off a Redis.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import { holdChannel, type SoleBot } from '#queues/fleet/sole-bot.ts'
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

const hold = (bot: string, more: Partial<SoleBot> = {}): Promise<{ stop(): void }> =>
  holdChannel({ call, channel: 'discord', bot, ttlMs: 200, onLost: () => {}, ...more })

test('lets any number of processes work for one bot, and refuses another bot with what to do', async () => {
  const held = [await hold('one'), await hold('one')]
  await expect(hold('two')).rejects.toThrow('Another discord bot works on this Redis')
  const elsewhere = await hold('two', { channel: 'telegram' })
  for (const each of [...held, elsewhere]) each.stop()
})

test('gives the place to another bot soon after the last process of the first has ended', async () => {
  const first = await hold('one')
  first.stop()
  const second = await hold('two')
  expect(await redis.get('fl:{bot-discord}')).toBe('two')
  second.stop()
})

test('says so when another bot took the place meanwhile', async () => {
  const lost = Promise.withResolvers<string>()
  const held = await hold('two', { onLost: lost.resolve })
  await redis.set('fl:{bot-discord}', 'three')
  expect(await lost.promise).toContain('Another discord bot')
  held.stop()
})
