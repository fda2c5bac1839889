// Whose hints go where: what came for a task goes to an executor, past the router, to a place for tasks or to their queue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectProducer, type RedisClient } from '#queues/connection.ts'
import { openHints } from '#infra/processes/open-hints.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

let server: PrivateRedis
let producer: RedisClient
beforeAll(async () => {
  server = await startRedis()
  producer = connectProducer(server.url)
  if (producer.status !== 'ready') await new Promise((resolve) => producer.once('ready', resolve))
})
afterAll(async () => {
  producer.disconnect()
  await server.stop()
})

test('takes tasks past the router to their own places, and to their own queue where there is none', async () => {
  const { hints, local } = openHints(
    { producer, clock: { now: Date.now, learn: () => {}, close: () => {} } },
    { queueShards: 1 },
  )
  const taken: string[] = []
  const take =
    (by: string, has: boolean) =>
    (address: string): boolean => {
      taken.push(`${by} ${address}`)
      return has
    }
  Object.assign(local, { inbound: take('router', true), execute: take('executor', true), tasks: take('tasks', true) })
  await hints.inbound('web:1')
  await hints.inbound('web:1#2')
  await hints.execute('web:1')
  await hints.execute('web:1#3')
  expect(taken).toEqual(['router web:1', 'tasks web:1#2', 'executor web:1', 'tasks web:1#3'])
  local.tasks = take('tasks', false)
  await hints.inbound('web:1#2')
  await hints.execute('web:1#3')
  expect(await hints.look('execute-tasks')).toMatchObject({ count: 2 })
  expect(await hints.look('execute')).toMatchObject({ count: 0 })
  expect(hints.queueOf('run', 'web:1#2')).toBe('execute-tasks')
  await hints.close()
})
