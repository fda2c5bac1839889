// What a model found in the messages of a record goes with the record, as far as it says the same.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGraphBars, createRedisGraph } from '#queues/memory/redis-graph.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { withGraph } from '#queues/memory/with-graph.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { MemoryGraph } from '#shared/memory/graph.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { factOf, foundIn, relationOf } from '#test/rig/found-in.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const scope = 'user:web:ann'
const conversation = 'web:main'
let store: Store
let memory: MemoryStore
let graph: MemoryGraph
beforeAll(async () => void (store = await openStore()))
beforeEach(async () => {
  await store.redis.flushall()
  graph = createRedisGraph(store.redis, store.call, comparing)
  memory = withGraph(createRedisMemory(store.redis, store.call, comparing), graph, {
    comparing,
    bars: createGraphBars(store.redis, comparing),
  })
})
afterAll(() => store.stop())

const readKeys = async (): Promise<readonly string[]> => (await graph.readAll(scope)).map(({ key }) => key).toSorted()
const keep = (text: string, message: string) => memory.write(scope, remembered(text, { conversation, message }))
const find = (message: string, ...items: Parameters<typeof foundIn>[1]) =>
  graph.write(scope, foundIn({ conversation, messages: [message] }, items))

test('what says the same goes; other words of that message, and other messages, stay', async () => {
  await keep('Bo works at Zebrafinch in Lyon', 'm1')
  await find('m1', relationOf('Bo', 'works at', 'Zebrafinch'), factOf('Zebrafinch', 'city', 'Lyon'))
  await find('m1', factOf('Bo', 'plays', 'chess'))
  await find('m2', factOf('Zebrafinch', 'sells', 'boats'))
  expect(await memory.drop(scope, [1], 'for-good')).toBe(1)
  expect(await readKeys()).toEqual(['plays', 'sells'])
})

test('what says as much in another message goes, too', async () => {
  await keep('Bo works at Zebrafinch in Lyon', 'm1')
  await find('m2', relationOf('Bo', 'works in Lyon at', 'Zebrafinch'), factOf('Bo', 'plays', 'chess'))
  expect(await memory.drop(scope, [1], 'for-good')).toBe(1)
  expect(await readKeys()).toEqual(['plays'])
})

test('what a merged record was made of takes its own along', async () => {
  await keep('小波在里昂银行工作', 'm1')
  await keep('小波在里昂银行当经理', 'm2')
  await find('m1', relationOf('小波', '工作于', '里昂银行'))
  await memory.merge(scope, [1, 2], {
    id: 'night-1',
    join: ([one, two]) => (one && two ? { ...two, from: two.from } : undefined),
  })
  expect(await memory.drop(scope, [3], 'for-good')).toBe(1)
  expect(await readKeys()).toEqual([])
})

test('what is taken apart, or gone in another way, leaves it', async () => {
  await keep('Bo works at Zebrafinch', 'm1')
  await find('m1', relationOf('Bo', 'works at', 'Zebrafinch'))
  await memory.drop(scope, [1])
  expect(await readKeys()).toEqual(['works at'])
})
