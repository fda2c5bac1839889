// Whether the index of memory has passed what changed: it is waited for, and not for ever.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMemoryChanges } from '#queues/memory/changes.ts'
import { createIndexProgress } from '#queues/memory/index-progress.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { toMemoryPartition } from '#queues/memory/scope-key.ts'
import { comparing } from '#services/memory/comparing.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const scope = 'user:telegram:ann'
const partition = toMemoryPartition(scope)
let redis: Store
beforeAll(async () => void (redis = await openStore()))
beforeEach(async () => void (await redis.redis.flushall()))
afterAll(() => redis.stop())

const isIndexed = async (): Promise<boolean> => await createIndexProgress(redis.redis, async () => 'index')(scope)

async function keep(text: string): Promise<string> {
  const memory = createRedisMemory(redis.redis, redis.call, comparing)
  await memory.write(scope, remembered(text, { conversation: 'telegram:ann', message: text }, {}))
  return (await createMemoryChanges(redis.redis).last())[partition] ?? ''
}

test('an index that has begun is waited for, until it has passed what changed', async () => {
  expect(await isIndexed()).toBe(true)
  const first = await keep('I live in Lyon')
  expect(await isIndexed()).toBe(true)
  const changes = createMemoryChanges(redis.redis)
  await changes.pass(partition, 'index', first)
  expect(await isIndexed()).toBe(true)
  const second = await keep('I like tea')
  const waiting = isIndexed()
  await changes.pass(partition, 'index', second)
  expect(await waiting).toBe(true)
})

test('one that is behind for three seconds, or away, has not passed it', async () => {
  const first = await keep('I live in Lyon')
  await createMemoryChanges(redis.redis).pass(partition, 'index', first)
  await keep('I like tea')
  const isAway = createIndexProgress(redis.redis, async () => {
    throw new Error('away')
  })
  const isSilent = createIndexProgress(redis.redis, () => new Promise(() => {}))
  expect(await Promise.all([isIndexed(), isAway(scope), isSilent(scope)])).toEqual([false, false, false])
})
