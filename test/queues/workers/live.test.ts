// What listens for live news while Redis is away.
import { expect, test } from 'vitest'
import { connectSubscriber } from '#queues/connection.ts'
import { createLive } from '#queues/workers/live.ts'
import { startRedis } from '#test/rig/redis.ts'

test('listens without waiting for a Redis that is away, and hears news when it is back', async () => {
  await using redis = await startRedis()
  const live = createLive(connectSubscriber(redis.url))
  try {
    await redis.kill()
    const heard = Promise.withResolvers<string>()
    const end = await live.listen('web:away', (news) => heard.resolve(news.kind))
    await redis.restart()
    await expect.poll(async () => await redis.admin.publish('fl:live:web:away', 'out'), { timeout: 8000 }).toBe(1)
    expect(await heard.promise).toBe('out')
    end()
  } finally {
    live.close()
  }
}, 20_000)
