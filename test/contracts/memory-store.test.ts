// One suite for the store of memory on Redis and for its twin: scopes, numbers, repeats, what is forgotten, and what comes late.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { comparing } from '#services/memory/comparing.ts'
import { toJoined } from '#services/memory/night/join.ts'
import type { MemoryRecord, NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const ann = 'user:web:ann'
const conversation = 'web:home'
let counted = 0
const said = (text: string, more: Partial<NewRecord> = {}): NewRecord =>
  remembered(text, { conversation, message: `m${(counted += 1)}` }, more)

let redis: Store
beforeAll(async () => void (redis = await openStore()))
afterAll(() => redis.stop())

const tea = {
  skillId: 'tea_v1',
  name: 'Tea',
  description: 'Tea, "uses":3',
  triggers: ['tea'],
  steps: [{ action: 'boil' }],
  version: 1,
  history: ['v1'],
}

const stores: Readonly<Record<string, () => Promise<MemoryStore>>> = {
  async redis() {
    await redis.redis.flushall()
    return createRedisMemory(redis.redis, redis.call, comparing)
  },
  twin: async () => createMemoryStore(),
}

describe.each(Object.entries(stores))('%s', (_, open) => {
  test('counts records in their scope, and gives the newest first', async () => {
    const store = await open()
    const first = await store.write(ann, said('I live in Lyon'))
    const second = await store.write(ann, said('I like tea'))
    const other = await store.write('chat:telegram:-1', said('The group meets on Monday'))
    expect([first, second, other]).toMatchObject([
      { kind: 'new', record: { number: 1, scope: ann, text: 'I live in Lyon', uses: 0 } },
      { kind: 'new', record: { number: 2, scope: ann } },
      { kind: 'new', record: { number: 1, scope: 'chat:telegram:-1' } },
    ])
    const read = await store.read(ann)
    expect(read).toMatchObject({ count: 2, records: [{ number: 2 }, { number: 1 }] })
    expect(read === 'same' ? read : await store.read(ann, read.version)).toBe('same')
    expect(await store.read('user:web:bob')).toMatchObject({ count: 0, records: [] })
  })

  describe('of several records one is made', () => {
    const join = (records: readonly MemoryRecord[]) => toJoined(records)
    async function merged() {
      const store = await open()
      const at = (message: string) => ({ from: [{ conversation, messages: [message] }] })
      await store.write(ann, said('I drink green tea in the morning', at('t1')))
      await store.write(ann, said('I drink green tea in the morning at home with honey and lemon', at('t2')))
      const made = await store.merge(ann, [1, 2], { id: 'night-1', join })
      return { store, made }
    }

    test('it has their place, and is written once', async () => {
      const { store, made } = await merged()
      expect(made).toMatchObject({
        kind: 'merged',
        record: { number: 3, merged: [expect.any(String), expect.any(String)] },
      })
      expect(await store.merge(ann, [1, 2], { id: 'night-1', join })).toEqual(made)
      const all = await store.find(ann, [1, 2, 3])
      expect(all.map(({ supersededBy }) => supersededBy)).toEqual([3, 3, undefined])
      expect(all[2]?.from.flatMap(({ messages }) => messages)).toEqual(['t1', 't2'])
    })

    test('nothing is changed where one of them is gone, is not wanted, or its message is forgotten', async () => {
      const { store } = await merged()
      await store.write(ann, said('I play chess'))
      expect(await store.merge(ann, [4, 9], { id: 'night-2', join })).toEqual({ kind: 'changed' })
      expect(await store.merge(ann, [3, 4], { id: 'night-3', join: () => undefined })).toEqual({ kind: 'changed' })
      expect(await store.read(ann)).toMatchObject({ count: 4 })
    })

    test('apart they hold again', async () => {
      const { store } = await merged()
      expect(await store.drop(ann, [3], 'apart')).toBe(1)
      const all = await store.find(ann, [1, 2, 3])
      expect(all.map(({ number, supersededBy, validTo }) => [number, supersededBy, validTo])).toEqual([
        [1, undefined, undefined],
        [2, undefined, undefined],
      ])
      // The press that made it comes late.
      expect(await store.merge(ann, [1, 2], { id: 'night-1', join })).toEqual({ kind: 'changed' })
    })

    test.each([undefined, 'for-good'] as const)('what goes takes them along: %s', async (how) => {
      const { store } = await merged()
      expect(await store.drop(ann, [3], how)).toBe(1)
      expect(await store.read(ann)).toMatchObject({ count: 0 })
    })

    test('also where it was merged once more', async () => {
      const { store } = await merged()
      await store.write(ann, said('I drink green tea in the morning at home with honey and lemon, from a blue cup'))
      await store.merge(ann, [3, 4], { id: 'night-2', join })
      expect(await store.drop(ann, [5])).toBe(1)
      expect(await store.read(ann)).toMatchObject({ count: 0 })
    })

    test('a message that is forgotten takes it along, and what else said so holds', async () => {
      const { store } = await merged()
      await store.forget(conversation, ['t2'])
      const read = await store.read(ann)
      expect(read).toMatchObject({ count: 1, records: [{ number: 1, text: 'I drink green tea in the morning' }] })
      expect(read === 'same' ? read : read.records[0]?.supersededBy).toBeUndefined()
    })
  })

  test('an event that comes again writes nothing twice', async () => {
    const store = await open()
    const once = said('I live in Lyon')
    await store.write(ann, once)
    expect(await store.write(ann, once)).toMatchObject({ kind: 'same', record: { number: 1 } })
    expect(await store.read(ann)).toMatchObject({ count: 1 })
  })

  test('a skill is another record than one with the same words, once for each event', async () => {
    const store = await open()
    const once = said('Tea', { kind: 'skill', skill: tea })
    await store.write(ann, said('Tea'))
    expect(await store.write(ann, once)).toMatchObject({ kind: 'new', record: { number: 2, skill: tea } })
    expect(await store.write(ann, once)).toMatchObject({ kind: 'same', record: { number: 2 } })
    expect(await store.write(ann, said('Tea', { kind: 'skill', skill: tea }))).toMatchObject({ kind: 'new' })
    expect(await store.write(ann, said('tea'))).toMatchObject({ kind: 'repeat', record: { number: 1 } })
    await store.use(ann, [2], 5)
    expect(await store.find(ann, [2])).toMatchObject([{ uses: 1, lastUsedAt: 5, skill: tea }])
  })

  test('the same words are one record that knows both messages', async () => {
    const store = await open()
    await store.write(ann, said('I live in Lyon.', { from: [{ conversation, messages: ['a'] }] }))
    const again = said('  i LIVE in Lyon!', { from: [{ conversation: 'web:other', messages: ['b'] }] })
    expect(await store.write(ann, again)).toMatchObject({
      kind: 'repeat',
      record: { number: 1, uses: 1, from: [{ messages: ['a'] }, { conversation: 'web:other', messages: ['b'] }] },
    })
    // A note of the same words is another thing.
    expect(await store.write(ann, said('I live in Lyon', { kind: 'note' }))).toMatchObject({ kind: 'new' })
  })

  test('what others wrote never makes a record surer', async () => {
    const store = await open()
    await store.write(ann, said('I live in Lyon', { status: 'unconfirmed', origin: 'inferred' }))
    const read = await store.write(ann, said('I live in Lyon', { taint: ['a page'] }))
    expect(read).toMatchObject({ record: { status: 'unconfirmed' } })
    // Somebody else's claim is another one.
    const others = await store.write(ann, said('I live in Lyon', { speaker: 'web:bob', confirmedBy: 'web:bob' }))
    expect(others).toMatchObject({ kind: 'new', record: { number: 2 } })
    expect(await store.find(ann, [1])).toMatchObject([{ status: 'unconfirmed' }])
    const own = await store.write(ann, said('I live in Lyon'))
    expect(own).toMatchObject({ record: { status: 'confirmed', origin: 'said' } })
  })

  test('is changed, and found by its new words alone', async () => {
    const store = await open()
    await store.write(ann, said('I live in Lyon'))
    const changed = await store.change(ann, 1, (record) => ({ ...record, text: 'I live in Lille' }))
    expect(changed).toMatchObject({ number: 1, text: 'I live in Lille' })
    expect(await store.find(ann, [1, 2])).toMatchObject([{ text: 'I live in Lille' }])
    expect(await store.write(ann, said('I live in Lille'))).toMatchObject({ kind: 'repeat', record: { number: 1 } })
    expect(await store.write(ann, said('I live in Lyon'))).toMatchObject({ kind: 'new', record: { number: 2 } })
    expect(await store.change(ann, 9, (record) => record)).toBeUndefined()
  })

  test('a number is never used again, and what was taken away does not come back', async () => {
    const store = await open()
    const first = said('I live in Lyon')
    await store.write(ann, first)
    expect(await store.drop(ann, [1, 7])).toBe(1)
    expect(await store.find(ann, [1])).toEqual([])
    expect(await store.write(ann, first)).toEqual({ kind: 'gone' })
    expect(await store.write(ann, said('I live in Lyon'))).toMatchObject({ kind: 'new', record: { number: 2 } })
  })

  test('a message that is forgotten takes along all that was made of it, in every scope, and keeps out what comes late', async () => {
    const store = await open()
    const from = [{ conversation, messages: ['m'] }]
    await store.write(ann, said('I live in Lyon', { from }))
    await store.write('chat:web:home', said('She lives in Lyon', { from }))
    await store.write(
      'global',
      said('Somebody lives in Lyon', { from: [{ conversation: 'web:far', messages: ['m'] }] }),
    )
    expect(await store.forget(conversation, ['m', 'other'])).toBe(2)
    expect(await store.read(ann)).toMatchObject({ count: 0 })
    expect(await store.read('chat:web:home')).toMatchObject({ count: 0 })
    expect(await store.read('global')).toMatchObject({ count: 1 })
    expect(await store.write(ann, said('I live in Lyon', { from }))).toEqual({ kind: 'gone' })
    expect(await store.forget(conversation, ['m'])).toBe(0)
  })

  test('a conversation that is erased takes along what was said there, and may begin anew', async () => {
    const store = await open()
    for (let n = 0; n < 12; n++) await store.write(ann, said(`Fact ${n}`))
    await store.write(ann, said('Elsewhere', { from: [{ conversation: 'web:far', messages: ['m'] }] }))
    expect(await store.forget(conversation, 'all')).toBe(12)
    expect(await store.read(ann)).toMatchObject({ count: 1, records: [{ text: 'Elsewhere' }] })
    expect(await store.write(ann, said('A new fact'))).toMatchObject({ kind: 'new' })
  })

  test('is full at its bound, and of many the newest are read', { timeout: 120_000 }, async () => {
    const store = await open()
    for (let n = 0; n < 5000; n += 50)
      await Promise.all(Array.from({ length: 50 }, (__, i) => store.write(ann, said(`Fact ${n + i}`))))
    expect(await store.write(ann, said('One more'))).toEqual({ kind: 'full' })
    const read = await store.read(ann)
    expect(read).toMatchObject({ count: 5000 })
    if (read === 'same') throw new Error('It was not read before.')
    expect(read.records).toHaveLength(200)
    expect(read.records[0]?.number).toBe(5000)
    await store.drop(ann, [5000])
    expect(await store.write(ann, said('One more'))).toMatchObject({ kind: 'new', record: { number: 5001 } })
  })
})

test('who has no room left costs a chat none of its pointers, and a chat without any is full and no failure', async () => {
  await redis.redis.flushall()
  const store = createRedisMemory(redis.redis, redis.call, comparing)
  const bob = 'user:web:bob'
  await store.write(ann, said('I live in Lyon'))
  await store.write(bob, said('I work at the port'))
  const keys = await redis.redis.keys('*')
  const records = keys.find((key) => key.endsWith(`:mr:${ann}`)) ?? ''
  const pointers = keys.find((key) => key.endsWith(`:mf:${conversation}`)) ?? ''
  await redis.redis.hset(records, Object.fromEntries(Array.from({ length: 4999 }, (_, n) => [`${n + 2}`, '{}'])))
  expect(await store.write(ann, said('I like tea'))).toEqual({ kind: 'full' })
  expect(await store.write(ann, said('i LIVE in Lyon!'))).toMatchObject({ kind: 'repeat', record: { number: 1 } })
  expect(await redis.redis.zcard(pointers)).toBe(3)
  const many = Array.from({ length: 50_000 }, (_, n) => `x${n}\n${ann}\nsaid-x${n}`)
  await redis.redis.zadd(pointers, ...many.flatMap((one) => [0, one]))
  expect(await store.write(bob, said('I like tea'))).toEqual({ kind: 'full' })
})

test('two that change one record at once lose nothing', async () => {
  await redis.redis.flushall()
  const store = createRedisMemory(redis.redis, redis.call, comparing)
  await store.write(ann, said('I live in Lyon'))
  const raise = (): Promise<unknown> => store.change(ann, 1, (record) => ({ ...record, uses: record.uses + 1 }))
  await Promise.all(Array.from({ length: 5 }, raise))
  expect(await store.find(ann, [1])).toMatchObject([{ uses: 5 }])
})

test('nothing of a forgotten record is left in Redis', async () => {
  await redis.redis.flushall()
  const store = createRedisMemory(redis.redis, redis.call, comparing)
  const from = [{ conversation, messages: ['m'] }]
  await store.write(ann, said('zebrafinch lives here', { from }))
  await store.forget(conversation, ['m'])
  const keys = await redis.redis.keys('*')
  const found = await Promise.all(keys.map(async (key) => ((await redis.redis.dump(key)) ?? '').includes('zebrafinch')))
  expect(found).not.toContain(true)
  expect(keys.filter((key) => /:(?:mr|mi|mf):/.test(key))).toEqual([])
})
