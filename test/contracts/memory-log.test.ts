// The day's log on Redis: each exchange once, by time, bounded, and gone with its messages.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRedisLog } from '#queues/memory/redis-log.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { DayLine, LogEntry, MemoryLog } from '#shared/memory/log.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { toLogEntry } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const here = 'telegram:7'
let redis: Store
let log: MemoryLog
let memory: MemoryStore
beforeAll(async () => {
  redis = await openStore()
  log = createRedisLog(redis.call)
  memory = createRedisMemory(redis.redis, redis.call, comparing)
})
beforeEach(async () => void (await redis.redis.flushall()))
afterAll(() => redis.stop())

const all = async (conversation = here): Promise<readonly LogEntry[]> =>
  await log.read(conversation, { from: 0, until: Date.now() + 10_000, most: 5000 })
const ids = async (conversation = here): Promise<readonly string[]> => (await all(conversation)).map(({ id }) => id)

test('an entry that comes again is there once, and a span is read by time', async () => {
  const now = Date.now()
  for (const n of [3, 1, 2, 1]) await log.add(here, toLogEntry(n, `m${n}`, { at: now - 10_000 + n * 1000 }))
  expect(await ids()).toEqual(['t1', 't2', 't3'])
  const span = { from: now - 9000, until: now - 7000, most: 10 }
  expect((await log.read(here, span)).map(({ id }) => id)).toEqual(['t1', 't2'])
  expect((await log.read(here, { ...span, until: now, most: 1 })).map(({ id }) => id)).toEqual(['t3'])
  expect(await ids('telegram:8')).toEqual([])
})

test('it goes with each of its messages, in its conversation alone, and does not come back', async () => {
  for (const n of [1, 2, 12]) await log.add(here, toLogEntry(n, `m${n}`))
  await log.add('telegram:8', toLogEntry(1, 'm1'))
  await memory.forget(here, ['m1'])
  expect(await ids()).toEqual(['t2', 't12'])
  await log.add(here, toLogEntry(1, 'm1'))
  expect(await ids()).toEqual(['t2', 't12'])
  expect(await ids('telegram:8')).toEqual(['t1'])
  await memory.forget(here, 'all')
  expect(await ids()).toEqual([])
})

test('an entry stays whose words alone look like the name of a message that is forgotten', async () => {
  await log.add(here, toLogEntry(1, '10', { asked: '12', answered: '"12"' }))
  await log.add(here, toLogEntry(2, '12'))
  await log.add(here, toLogEntry(3, 'a"b\\c'))
  await memory.forget(here, ['12'])
  expect(await ids()).toEqual(['t1', 't3'])
  await memory.forget(here, ['a"b\\c'])
  expect(await ids()).toEqual(['t1'])
})

test('keeps thirty days and two thousand entries', async () => {
  const old = Date.now() - 31 * 86_400_000
  await log.add(here, toLogEntry(1, 'm1', { at: old }))
  expect(await ids()).toEqual([])
  for (let n = 0; n < 2010; n += 30)
    await Promise.all(Array.from({ length: 30 }, (_, i) => log.add(here, toLogEntry(n + i, `m${n + i}`))))
  expect(await ids()).toHaveLength(2000)
  expect((await ids())[0]).toBe('t10')
})

test('one line of a day stays after its entries, and goes with each of its messages', async () => {
  const line = (day: string, messages: string[], more: Partial<DayLine> = {}): DayLine => ({
    v: 1,
    day,
    exchanges: 2,
    topics: ['herons'],
    tools: [],
    messages,
    ...more,
  })
  const days = async () =>
    (await log.readDays(here, { from: '2026-01-01', until: '2030-01-01' })).map(({ day, exchanges }) => [
      day,
      exchanges,
    ])
  const [first, second] = ['2026-11-01', '2026-11-02']
  expect(await log.addDay(here, line(second, ['m3']))).toBe(true)
  expect(await log.addDay(here, line(first, ['m1', 'm2']))).toBe(true)
  await log.addDay(here, line(first, ['m1', 'm2'], { exchanges: 3 }))
  expect(await days()).toEqual([
    [first, 3],
    [second, 2],
  ])
  expect(await log.readDays(here, { from: first, until: first })).toHaveLength(1)
  await memory.forget(here, ['m2'])
  expect(await days()).toEqual([[second, 2]])
  expect(await log.addDay(here, line(first, ['m1', 'm2']))).toBe(false)
  await log.addDay(here, line(first, ['m1']))
  await log.dropDays(here, [second])
  expect(await days()).toEqual([[first, 2]])
  await memory.forget(here, 'all')
  expect(await days()).toEqual([])
})

test('four hundred lines of days are kept', async () => {
  const start = Date.now() - 399 * 86_400_000
  for (let n = -5; n < 400; n += 1) {
    const day = new Date(start + n * 86_400_000).toISOString().slice(0, 10)
    await log.addDay(here, { v: 1, day, exchanges: 1, topics: [], tools: [], messages: [] })
  }
  const kept = await log.readDays(here, { from: '2020-01-01', until: '2100-01-01' })
  expect(kept).toHaveLength(400)
})
