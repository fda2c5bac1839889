// Connections that stand and are dead: no reply, no close. Each kind must notice by itself and go on over a new one.
import { expect, test } from 'vitest'
import { connectProducer, connectSubscriber, connectWorker, type RedisClient } from '#queues/connection.ts'
import { startProxy } from '#test/rig/proxy.ts'
import { startRedis } from '#test/rig/redis.ts'

/** The next time it is ready; errors on the way are what is tested. */
const ready = (client: RedisClient): Promise<void> => new Promise((resolve) => client.once('ready', () => resolve()))

test('a worker connection leaves a half-open one', async () => {
  await using redis = await startRedis()
  await using proxy = await startProxy(redis.port)
  const client = connectWorker(proxy.url, 300)
  expect(await client.ping()).toBe('PONG')
  proxy.strand()
  expect(await client.ping()).toBe('PONG')
  client.disconnect()
})

test('a blocking command on a half-open connection is sent again', async () => {
  await using redis = await startRedis()
  await using proxy = await startProxy(redis.port)
  const client = connectWorker(proxy.url, 1500)
  await client.ping()
  const popped = client.blpop('list', 1)
  proxy.strand()
  await redis.admin.rpush('list', 'lost with its reply')
  await ready(client)
  await redis.admin.rpush('list', 'taken')
  expect(await popped).toEqual(['list', 'taken'])
  client.disconnect()
})

test('a subscriber hears again after its connection died silently', async () => {
  await using redis = await startRedis()
  await using proxy = await startProxy(redis.port)
  const client = connectSubscriber(proxy.url, 200)
  await client.subscribe('news')
  proxy.strand()
  await ready(client)
  const heard = new Promise((resolve) => client.once('message', (...message) => resolve(message)))
  await client.ping()
  await redis.admin.publish('news', 'hello')
  expect(await heard).toEqual(['news', 'hello'])
  client.disconnect()
})

test('a producer leaves a half-open connection', { timeout: 15_000 }, async () => {
  await using redis = await startRedis()
  await using proxy = await startProxy(redis.port)
  const client = connectProducer(proxy.url)
  await ready(client)
  proxy.strand()
  await expect(client.ping()).rejects.toThrow(/timed out|max retries|closed/i)
  if (client.status !== 'ready') await ready(client)
  expect(await client.ping()).toBe('PONG')
  client.disconnect()
})
