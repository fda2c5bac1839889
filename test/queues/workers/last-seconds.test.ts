// What is given to Redis again after it lost it: in the order in which it was taken.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { connectKernel, connectProducer } from '#queues/connection.ts'
import { createHints } from '#queues/jobs/hints.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import { createLastSeconds } from '#queues/workers/last-seconds.ts'
import { startRedis } from '#test/rig/redis.ts'

test('a stop stays before what was said after it, though its sender has to be looked up', async () => {
  await using redis = await startRedis()
  const connection = connectKernel(redis.url)
  const producer = connectProducer(redis.url)
  await Promise.all([once(connection, 'ready'), once(producer, 'ready')])
  const kernel = createRedisKernel(connection, createUnits(connection, { patienceMs: 5000 }))
  const hints = createHints(producer)
  const lastSeconds = createLastSeconds(connection)
  const isOwner = async (): Promise<boolean> => (await connection.get('owner')) === '1'
  const ingest = createIngest({ kernel, hints, lastSeconds, isOwner })
  const conversation = 'telegram:-7'
  const base = {
    v: 1,
    kind: 'message',
    conversation,
    principal: 'telegram:1',
    at: 1,
    addressed: true,
    group: true,
  } as const
  const said = async () =>
    (await kernel.inbox(conversation, 10)).events.map(({ event }) => 'text' in event && event.text)
  for (const text of ['first', '/stop', 'second']) {
    const command = text === '/stop' ? { command: { name: 'stop', args: '' } } : {}
    await ingest.take({ ...base, id: text, text, ...command }, { dedupeKey: text })
  }
  expect(await said()).toEqual(['first', '/stop', 'second'])
  await redis.kill()
  await redis.restart()
  await expect.poll(said, { timeout: 10_000 }).toHaveLength(3)
  expect(await said()).toEqual(['first', '/stop', 'second'])
  await hints.close().catch(() => {})
  for (const client of [connection, producer]) client.disconnect()
})
