// One suite for the store of memory on Redis and for its twin: what repeats, what takes the place of what, what fades, what is counted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openBenchStore, type BenchStore } from '#test/rig/store.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const ann = 'user:web:ann'
const group = 'chat:telegram:-1'
const conversation = 'web:home'
const dayMs = 86_400_000
let counted = 0
let bench: BenchStore
beforeAll(async () => void (bench = await openBenchStore()))
afterAll(() => bench.stop())

type Opened = { readonly store: MemoryStore; now(): Promise<number>; advance(ms: number): Promise<unknown> }

const stores = {
  async redis(): Promise<Opened> {
    const { call, server } = bench
    const old = await server.admin.keys('fl:*')
    if (old.length > 0) await server.admin.del(old)
    return {
      store: createRedisMemory(server.admin, call, comparing),
      now: async () => bench.nowMs(),
      advance: bench.advance,
    }
  },
  async twin(): Promise<Opened> {
    let nowMs = Date.now()
    const store = createMemoryStore(comparing, () => nowMs)
    return { store, now: async () => nowMs, advance: async (ms) => void (nowMs += ms) }
  },
}

const said = (text: string, more: Partial<NewRecord> = {}): NewRecord => {
  counted += 1
  return remembered(text, { conversation, message: `m${counted}` }, { saidAt: counted, ...more })
}
const noticed = (text: string, more: Partial<NewRecord> = {}): NewRecord => {
  const { confirmedBy: _by, ...record } = said(text, { status: 'unconfirmed', origin: 'inferred', ...more })
  return record
}
const from = (message: string) => [{ conversation, messages: [message] }]

describe.each(Object.entries(stores))('%s', (_, open) => {
  test.each([
    ['I like green tea with a little honey', 'I like green tea with little honey, please', 'repeat'],
    ['The gym in the old station opens at seven', 'The gym in the old station opens at eight', 'new'],
    ['I like green tea', 'I do not like green tea', 'new'],
    ['I live in Lyon', 'I moved to Lyon', 'repeat'],
    ['I am allergic to peanuts', 'I’m allergic to peanuts', 'repeat'],
    ['The bus leaves at 7 am', 'The bus leaves at 7 pm', 'new'],
    ['My boat is called Heron', 'my boat’s name is Heron', 'repeat'],
    ['My cat is called Moss', 'My cat is called Mia', 'new'],
    ['I live in Lyon', 'I have lived in Lyon since 2019', 'new'],
    ['我搬到苏州了', '我住在苏州', 'repeat'],
    ['I like green tea', 'She likes green tea', 'new'],
    ['我每天早上喜欢喝一杯热的绿茶', '我每天早上很喜欢喝一杯热的绿茶', 'repeat'],
    ['我每周二晚上七点去城南的游泳馆上游泳课', '我每周三晚上七点去城南的游泳馆上游泳课', 'new'],
  ])('%s / %s is %s', async (one, other, kind) => {
    const { store } = await open()
    await store.write(ann, said(one))
    expect(await store.write(ann, said(other))).toMatchObject({ kind })
  })

  test('what may be true beside another thing takes its place only where it says that something changed', async () => {
    const { store } = await open()
    await store.write(ann, said('My car is a blue Skoda'))
    expect(await store.write(ann, said('My car is a red Toyota'))).toMatchObject({ kind: 'new', replaced: [] })
    const changed = await store.write(ann, said('My car is a green Fiat now'))
    expect(changed).toMatchObject({ kind: 'new', replaced: [{ number: 1 }, { number: 2 }] })
  })

  test('what is said twice goes with either message, and a source that is less sure is none', async () => {
    const { store } = await open()
    await store.write(ann, said('I like tea', { from: from('a') }))
    await store.write(ann, noticed('I like tea', { from: from('b') }))
    expect(await store.forget(conversation, ['b'])).toBe(0)
    await store.write(ann, said('I like tea!', { from: from('c') }))
    expect(await store.forget(conversation, ['c'])).toBe(1)
    expect(await store.read(ann)).toMatchObject({ count: 0 })
  })

  test('a surer source takes over what was noticed', async () => {
    const { store } = await open()
    await store.write(ann, noticed('I like tea', { from: from('d') }))
    const own = await store.write(ann, said('I like tea!', { from: from('e') }))
    expect(own).toMatchObject({ kind: 'repeat', record: { number: 1, text: 'I like tea!', status: 'confirmed' } })
    expect(await store.forget(conversation, ['d'])).toBe(0)
    expect(await store.forget(conversation, ['e'])).toBe(1)
  })

  test('where somebody lives now takes the place of where they lived, and gives it back', async () => {
    const { store } = await open()
    await store.write(ann, said('I live in Lyon'))
    const moved = said('I moved to Lille', { from: from('f') })
    expect(await store.write(ann, moved)).toMatchObject({ kind: 'new', replaced: [{ number: 1, supersededBy: 2 }] })
    expect(await store.write(ann, moved)).toMatchObject({ kind: 'same', replaced: [{ number: 1 }] })
    expect(await store.find(ann, [1])).toMatchObject([{ validTo: moved.saidAt, supersededBy: 2 }])
    // Back again: the old record is none that it could repeat.
    expect(await store.write(ann, said('我住在里昂'))).toMatchObject({ kind: 'new', replaced: [{ number: 2 }] })
    await store.forget(conversation, ['f'])
    expect(await store.find(ann, [1])).toMatchObject([{ supersededBy: 3 }])
    await store.drop(ann, [3])
    const [first] = await store.find(ann, [1])
    expect([first?.supersededBy, first?.validTo]).toEqual([undefined, undefined])
    expect(await store.write(ann, said('I live in Lyon'))).toMatchObject({ kind: 'repeat', record: { number: 1 } })
  })

  test('what may be true beside another, or of another person, replaces nothing', async () => {
    const { store } = await open()
    const bob = { speaker: 'telegram:bob', confirmedBy: 'telegram:bob' }
    await store.write(group, said('I live in Lyon'))
    for (const text of [
      'I also live in Lille',
      'I used to live in Lille',
      'My sister lives in Lille',
      'Bob lives in Lille',
    ])
      expect(await store.write(group, said(text))).toMatchObject({ kind: 'new', replaced: [] })
    expect(await store.write(group, said('I live in Lille', bob))).toMatchObject({ kind: 'new', replaced: [] })
  })

  test('what was said earlier and comes late stands behind what is newer', async () => {
    const { store } = await open()
    const early = said('I live in Lyon')
    await store.write(ann, said('I live in Lille'))
    expect(await store.write(ann, early)).toMatchObject({ kind: 'new', record: { number: 2, supersededBy: 1 } })
  })

  test('what nobody confirmed contradicts what is confirmed, until it is confirmed too', async () => {
    const { store } = await open()
    await store.write(ann, said('I live in Lyon'))
    const found = noticed('The person lives in Lille')
    const conflict = { kind: 'conflict', record: { number: 2 }, against: { number: 1 } }
    expect(await store.write(ann, found)).toMatchObject(conflict)
    expect(await store.write(ann, found)).toMatchObject(conflict)
    expect(await store.find(ann, [1])).toMatchObject([{ status: 'confirmed' }])
    expect((await store.find(ann, [1]))[0]?.supersededBy).toBeUndefined()
    await store.change(ann, 2, (record) => ({ ...record, status: 'confirmed', confirmedBy: 'web:ann' }))
    expect(await store.find(ann, [1])).toMatchObject([{ supersededBy: 2 }])
    // It says the same otherwise: no conflict.
    expect(await store.write(ann, noticed('The person moved to Lille'))).toMatchObject({ kind: 'repeat' })
  })

  test('what nobody confirms goes 30 days after it was said, by both clocks', async () => {
    const { store, now, advance } = await open()
    const saidAt = await now()
    await store.write(ann, noticed('I like tea', { saidAt }))
    await store.write(ann, noticed('I like milk', { saidAt }))
    await store.write(ann, noticed('I like juice', { saidAt: 0 }))
    await store.change(ann, 2, (record) => ({ ...record, status: 'confirmed', confirmedBy: 'web:ann' }))
    // A process whose clock is wrong takes nothing away, and neither does a time that cannot be.
    expect(await store.fade(saidAt + 400 * dayMs)).toBe(0)
    await advance(22 * dayMs)
    expect(await store.fade(await now())).toBe(0)
    await advance(9 * dayMs)
    expect(await store.fade(saidAt)).toBe(0)
    expect(await store.fade(await now())).toBe(2)
    expect(await store.read(ann)).toMatchObject({ count: 1, records: [{ number: 2 }] })
  })

  test('a time of saying that is to come counts as now: a clock was wrong', async () => {
    const { store, now, advance } = await open()
    await store.write(ann, noticed('I like tea', { saidAt: (await now()) + 365 * dayMs }))
    await advance(31 * dayMs)
    expect(await store.fade(await now())).toBe(1)
  })

  test('counts what turns were given, once each, and nobody has to read the scope again', async () => {
    const { store } = await open()
    await store.write(ann, said('I like tea'))
    const read = await store.read(ann)
    for (const atMs of [500, 500, 700]) await store.use(ann, [1, 9], atMs)
    expect(await store.find(ann, [1])).toMatchObject([{ uses: 2, lastUsedAt: 700 }])
    expect(read === 'same' ? read : await store.read(ann, read.version)).toBe('same')
  })
})

test('of two that tell one slot at once, one holds', async () => {
  const { store } = await stores.redis()
  const places = ['Lyon', 'Lille', 'Paris', 'Nice', 'Metz', 'Brest']
  await Promise.all(places.map((place) => store.write(ann, said(`I live in ${place}`))))
  const read = await store.read(ann)
  const current = read === 'same' ? [] : read.records.filter((one) => one.supersededBy === undefined)
  expect(current).toMatchObject([{ text: 'I live in Brest' }])
})

test('of a record that faded nothing is left in Redis', async () => {
  const { store, now, advance } = await stores.redis()
  await store.write(ann, noticed('zebrafinch lives here', { saidAt: await now() }))
  await advance(31 * dayMs)
  await store.fade(await now())
  const keys = await bench.server.admin.keys('*')
  const found = await Promise.all(keys.map(async (key) => (await bench.server.admin.dump(key)) ?? ''))
  expect(found.filter((dump) => dump.includes('zebrafinch'))).toEqual([])
  expect(keys.filter((key) => /:(?:mr|ms|mi|fading)\b/.test(key) || key.endsWith(`mf:${conversation}`))).toEqual([])
})

test('a record that cannot be read does not keep those of other scopes from fading', async () => {
  const { store, now, advance } = await stores.redis()
  const scopes = ['user:web:a', 'user:web:b', 'user:web:c']
  for (const scope of scopes) await store.write(scope, noticed('I like tea', { saidAt: await now() }))
  const { admin } = bench.server
  for (const key of await admin.keys('fl:{m*}:mr:user:web:b')) await admin.hset(key, '1', '{"v":1}')
  await advance(31 * dayMs)
  await expect(store.fade(await now())).rejects.toMatchObject({ code: 'store-corrupt' })
  for (const scope of ['user:web:a', 'user:web:c']) expect(await store.read(scope)).toMatchObject({ count: 0 })
})
