// Jobs are only hints: one that cannot be understood harms nobody, and doctor names it.
import { Queue } from 'bullmq'
import { expect, test } from 'vitest'
import { checkParked, checkPutBack } from '#infra/doctor/checks.ts'
import { queuePrefix } from '#queues/jobs/queue-names.ts'
import { countPutBack, findParked, repairConversation } from '#queues/workers/inspect.ts'
import { startFleet, until } from '#test/rig/fleet.ts'

test('a job of an unknown version is put back and named, and others go on', async () => {
  await using fleet = await startFleet()
  const queue = new Queue('inbound', { connection: fleet.redis.admin, prefix: queuePrefix('inbound') })
  await queue.add('hint', { v: 99, conversation: 'web:room', more: true })
  await until(async () => ((await countPutBack(fleet.runtime.redis, ['inbound'])).get('inbound') ?? 0) === 1)
  const [finding] = checkPutBack(await countPutBack(fleet.runtime.redis, ['inbound']))
  expect(finding).toMatchObject({ level: 'warning', about: 'queue inbound' })
  expect((await fleet.ask('are others served, why?')).text).toContain('echo')
  await queue.close()
})

test('a job whose data is not JSON harms nobody', async () => {
  await using fleet = await startFleet({ parts: ['executor'] })
  const queue = new Queue('inbound', { connection: fleet.redis.admin, prefix: queuePrefix('inbound') })
  const job = await queue.add('hint', { v: 1, conversation: 'web:room' })
  await fleet.redis.admin.hset(`${queuePrefix('inbound')}:inbound:${job.id}`, 'data', '{"v":1,"conv')
  fleet.startRouter()
  expect((await fleet.ask('are others served, why?', { conversation: 'web:other' })).text).toContain('echo')
  await queue.close()
})

test('a conversation with a snapshot of an unknown shape is parked, not tried for ever', async () => {
  await using fleet = await startFleet()
  await fleet.ask('first, why?', { conversation: 'web:odd' })
  const key = (await fleet.redis.admin.keys('fl:*:r:web:odd'))[0] ?? ''
  await fleet.redis.admin.hset(key, 'snap', '{"v":1}')
  await fleet.tell('second, why?', { conversation: 'web:odd' })
  const parked = await until(async () => (await findParked(fleet.runtime.redis))[0])
  expect(parked).toMatchObject({
    conversation: 'web:odd',
    reason: expect.stringContaining('unknown shape'),
  })
})

test('a conversation with a snapshot of a newer version is left until somebody can read it', async () => {
  await using fleet = await startFleet()
  await fleet.ask('first, why?', { conversation: 'web:newer' })
  const key = (await fleet.redis.admin.keys('fl:*:r:web:newer'))[0] ?? ''
  const stored = (await fleet.redis.admin.hget(key, 'snap')) ?? ''
  await fleet.redis.admin.hset(key, 'snap', '{"v":99}')
  await fleet.tell('second, why?', { conversation: 'web:newer' })
  // It was taken, and given back.
  await until(async () => (await fleet.redis.admin.hget(key, 'starts')) === '' || undefined)
  expect((await fleet.ask('are others served, why?', { conversation: 'web:fine' })).text).toContain('echo')
  expect(await findParked(fleet.runtime.redis)).toEqual([])
  await fleet.redis.admin.hset(key, 'snap', stored)
  expect((await fleet.ask('third, why?', { conversation: 'web:newer' })).text).toContain('third')
})

test('a conversation with a hole in its mailbox is parked with the reason; others are served; it can be put back', async () => {
  await using fleet = await startFleet({ parts: ['executor'] })
  await fleet.tell('lost?', { conversation: 'web:broken' })
  const partition = (await fleet.redis.admin.keys('fl:*in:web:broken'))[0] ?? ''
  const stored = (await fleet.redis.admin.hget(partition, '1')) ?? ''
  await fleet.redis.admin.hdel(partition, '1')
  fleet.startRouter()
  const parked = await until(async () => (await findParked(fleet.runtime.redis))[0])
  expect(parked).toMatchObject({ conversation: 'web:broken', reason: expect.stringContaining('no event 1') })
  expect(checkParked([parked])[0]).toMatchObject({ level: 'error', about: 'conversation web:broken' })
  expect((await fleet.ask('are others served, why?', { conversation: 'web:fine' })).text).toContain('echo')
  await fleet.redis.admin.hset(partition, '1', stored)
  await repairConversation(fleet.runtime.call, fleet.runtime.kernel, 'web:broken')
  expect((await fleet.ask('and now, why?', { conversation: 'web:broken' })).text).toContain('and now')
})
