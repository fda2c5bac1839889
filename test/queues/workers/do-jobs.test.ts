// Jobs of readers over a real Redis and BullMQ: each has its effect once, whoever dies, stops or loses the queue meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { createReaderJobs, type JobId } from '#queues/records/reader-jobs.ts'
import { createUnits } from '#queues/units.ts'
import { deletion } from '#test/contracts/kernel-fixtures.ts'
import { inspectRecords } from '#queues/workers/inspect.ts'
import {
  endTurns,
  letterOf,
  readerName,
  readLetters,
  startReaderWorker,
  until,
  type RigReader,
} from '#test/rig/reader-rig.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const chat = 'web:chat'
let store: Store
beforeAll(async () => void (store = await openStore()))
beforeEach(async () => void (await store.server.admin.flushall()))
afterAll(() => store.stop())

const jobs = () => createReaderJobs(store.redis, createUnits(store.redis, { patienceMs: 10_000 }))
const held = `${partitionPrefix(toPartition(chat))}held:reflection`
const toJob = (name: string, conversation = chat): JobId => ({ reader: readerName, conversation, name })

function start(reader: RigReader, options?: Parameters<typeof startReaderWorker>[2]) {
  const worker = startReaderWorker(store, reader, options)
  onTestFinished(() => worker.stop())
  return worker
}
const isDone = async (): Promise<boolean> => (await jobs().look('reflection')).count === 0

test('every line’s job is done once, beside others, and its letter is written with its end', async () => {
  await endTurns(store, chat, 'a', 'b')
  await endTurns(store, 'web:other', 'x')
  let together = 0
  let most = 0
  const work: RigReader['work'] = async (job) => {
    most = Math.max(most, ++together)
    await sleep(200)
    together -= 1
    return [letterOf(job)]
  }
  start({ work })
  start({ work })
  await until(async () => (await readLetters(store)).length === 3)
  await until(isDone)
  expect((await readLetters(store)).toSorted()).toEqual(['a', 'b', 'x'])
  expect(most).toBeGreaterThan(1)
  expect(await store.server.admin.exists(held)).toBe(0)
})

test('a lost queue loses nothing', async () => {
  const begun: string[] = []
  const release = Promise.withResolvers<void>()
  await endTurns(store, chat, 'a')
  start({
    async work(job) {
      begun.push(job.name)
      await release.promise
      return [letterOf(job)]
    },
  })
  await until(() => begun.length === 1)
  await endTurns(store, chat, 'b')
  await until(async () => (await jobs().look('reflection')).count === 2)
  for (const key of await store.server.admin.keys('fl:{reflection}*')) await store.server.admin.del(key)
  // As a minute later.
  const [due] = await store.server.admin.zrange(held.replace('held', 'jobs'), '-1', '-1')
  await store.server.admin.zadd(held.replace('held', 'jobs'), 0, due ?? '')
  release.resolve()
  await until(async () => (await readLetters(store)).length === 2)
  expect(new Set(await readLetters(store))).toEqual(new Set(['a', 'b']))
})

test('a failure is tried again twice, then the job is dropped and counted; what passes does not count', async () => {
  let times = 0
  await endTurns(store, chat, 'a')
  const key = held.replace('held', 'jobs')
  const worker = start({
    async work() {
      times += 1
      if (times <= 3) throw new BotError('model', 'away', { retry: { afterMs: 1 } })
      throw new Error('no')
    },
  })
  await until(async () => {
    for (const job of await store.server.admin.zrange(key, '0', '-1')) {
      const [, , , , by] = (await store.server.admin.hget(held, job))?.split(' ') ?? []
      if (by === '-') await store.server.admin.zadd(key, 'XX', 1, job)
    }
    return times > 0 && (await isDone())
  })
  expect(times).toBe(6)
  expect(worker.troubles).toContain(`${readerName} failed at a job.`)
  expect(worker.troubles.at(-1)).toBe(`Jobs of ${readerName} are dropped: they failed three times.`)
  expect((await inspectRecords(store.kernel)).failed).toEqual({ [readerName]: 1 })
})

test('who lost a job to another has no effect', async () => {
  const all = jobs()
  await all.add('reflection', toJob('n-1'), 0)
  expect(await all.begin('reflection', toJob('n-1'), 'one')).toMatchObject({ kind: 'begun', died: 0 })
  expect(await all.start('reflection', toJob('n-1'), 'one', 0)).toBe('ok')
  expect(await all.begin('reflection', toJob('n-1'), 'two')).toEqual({ kind: 'held' })
  await store.server.admin.zadd(held.replace('held', 'jobs'), 1, `${readerName} ${chat} n-1`)
  expect(await all.begin('reflection', toJob('n-1'), 'two')).toMatchObject({ kind: 'begun', died: 1 })
  const end = { record: undefined, letters: [letterOf({ conversation: chat, name: 'n-1' })] }
  expect(await all.start('reflection', toJob('n-1'), 'one', 0)).toBe('behind')
  expect(await all.move('reflection', toJob('n-1'), 'one', { inMs: 5, why: 'held' })).toBe('behind')
  expect(await all.end('reflection', toJob('n-1'), { ...end, by: 'one' })).toBe('behind')
  expect(await readLetters(store)).toEqual([])
  expect(await all.end('reflection', toJob('n-1'), { ...end, by: 'two' })).toBe('ok')
  expect(await readLetters(store)).toEqual(['n-1'])
  expect(await all.begin('reflection', toJob('n-1'), 'two')).toEqual({ kind: 'gone' })
})

test('what five processes died of, and what is a day old, is dropped and counted', async () => {
  const all = jobs()
  const zset = held.replace('held', 'jobs')
  await all.add('reflection', toJob('n-1'), 0)
  for (let died = 0; died < 5; died++) {
    expect(await all.begin('reflection', toJob('n-1'), `p${died}`)).toMatchObject({ kind: 'begun', died })
    expect(await all.start('reflection', toJob('n-1'), `p${died}`, died)).toBe('ok')
    await store.server.admin.zadd(zset, 1, `${readerName} ${chat} n-1`)
  }
  expect(await all.begin('reflection', toJob('n-1'), 'p6')).toEqual({ kind: 'deadly' })
  await all.add('reflection', toJob('n-2'), 0)
  await store.server.admin.hset(
    held,
    `${readerName} ${chat} n-2`,
    `${Date.now() - 26 * 3_600_000} ${Date.now() - 25 * 3_600_000} 0 0 -`,
  )
  expect(await all.begin('reflection', toJob('n-2'), 'p')).toEqual({ kind: 'old' })
  expect(await inspectRecords(store.kernel)).toMatchObject({
    failed: { [readerName]: 1 },
    dropped: { [readerName]: 1 },
  })
  expect(await store.server.admin.exists(zset, held)).toBe(0)
})

test('too many jobs push out the oldest of their own conversation, and never more than 500 wait in a partition', async () => {
  const all = jobs()
  await all.add('reflection', toJob('first', 'web:calm'), 0)
  for (let i = 0; i < 60; i++) await all.add('reflection', toJob(`n-${i}`), 0)
  const count = async (): Promise<number> => (await all.look('reflection')).count
  expect(await count()).toBe(51)
  expect((await inspectRecords(store.kernel)).dropped).toEqual({ [readerName]: 10 })
  const taken = await all.take('reflection', toPartition(chat), 3)
  expect(taken.map(({ name }) => name)).toEqual(['n-59', 'n-58', 'n-57'])
  // Of one conversation sixteen at once; the other one is of another partition.
  expect(await all.take('reflection', toPartition(chat), 100)).toHaveLength(13)
  expect(await all.take('reflection', toPartition(chat), 100)).toEqual([])
  const same = Array.from({ length: 20_000 }, (_, i) => `web:c${i}`).filter(
    (one) => toPartition(one) === toPartition(chat),
  )
  for (const conversation of same.slice(0, 100))
    for (let i = 0; i < 6; i++) await all.add('reflection', toJob(`n-${i}`, conversation), 0)
  const key = `${partitionPrefix(toPartition(chat))}jobs:reflection`
  expect(await store.server.admin.zcard(key)).toBe(500)
  const counts = await store.server.admin.hgetall(held)
  const sum = Object.entries(counts).reduce(
    (total, [field, value]) => total + (field.startsWith('#') ? Number(value) : 0),
    0,
  )
  expect(sum).toBe(500)
}, 30_000)

test('of what is due each conversation’s newest comes before anybody’s second', async () => {
  const all = jobs()
  const other = Array.from({ length: 2000 }, (_, i) => `web:o${i}`).find(
    (one) => toPartition(one) === toPartition(chat),
  )
  await all.add('reflection', toJob('old', other), 0)
  await sleep(5)
  for (let i = 0; i < 10; i++) await all.add('reflection', toJob(`n-${i}`), 0)
  const taken = await all.take('reflection', toPartition(chat), 2)
  expect(new Set(taken.map(({ conversation }) => conversation))).toEqual(new Set([chat, other]))
})

test('a message that is forgotten while its job is done leads to no letter, and one before it to no work', async () => {
  const begun: string[] = []
  const release = Promise.withResolvers<void>()
  await endTurns(store, chat, 'a')
  start({
    async work(job) {
      begun.push(job.line && 'id' in job.line ? job.line.id : (job.line?.kind ?? ''))
      await release.promise
      return [letterOf(job)]
    },
  })
  await until(() => begun.length === 1)
  await store.kernel.forget(deletion(chat, 'm-a'), [])
  release.resolve()
  await until(async () => begun.length === 2 && (await isDone()))
  // The job of the line that tells of it.
  expect(begun).toEqual(['a', 'forgotten'])
  expect((await readLetters(store)).filter((said) => said === 'a')).toEqual([])
})

test('while the fleet is quiet nothing is begun, what runs is called off within seconds, and all is done afterwards', async () => {
  let quiet = true
  const aborted: number[] = []
  let begun = 0
  await endTurns(store, chat, 'a', 'b')
  start(
    {
      async work(job, signal) {
        begun += 1
        if (begun <= 2) {
          await sleep(60_000, undefined, { signal }).catch(() => aborted.push(performance.now()))
          signal.throwIfAborted()
        }
        return [letterOf(job)]
      },
    },
    { isQuiet: () => quiet },
  )
  await until(async () => (await jobs().look('reflection')).count === 2)
  await sleep(300)
  expect(begun).toBe(0)
  quiet = false
  await until(() => begun === 2)
  quiet = true
  const at = performance.now()
  await until(() => aborted.length === 2)
  expect(performance.now() - at).toBeLessThan(5000)
  await sleep(1500)
  expect(begun).toBe(2)
  quiet = false
  await until(async () => (await readLetters(store)).length === 2)
  expect((await inspectRecords(store.kernel)).failed).toEqual({})
}, 40_000)

test('a clock strikes in one process, whatever its jobs are called, once for all that was missed, and not while the fleet is quiet', async () => {
  let quiet = false
  const struck: number[] = []
  const reader: RigReader = {
    work: async (job) => (job.line ? [] : [letterOf(job)]),
    tick: {
      everyMs: 60_000,
      async run(dueMs) {
        struck.push(dueMs)
        return [{ conversation: chat, name: '2026' }]
      },
    },
  }
  // Due five and a half intervals ago.
  const dueMs = Date.now() - 330_000
  await store.server.admin.hset('fl:{ticks}', readerName, dueMs)
  const options = { isQuiet: () => quiet }
  quiet = true
  start(reader, options)
  start(reader, options)
  await sleep(300)
  expect(struck).toEqual([])
  quiet = false
  await until(async () => (await readLetters(store)).length === 1)
  expect(struck).toEqual([dueMs])
  expect(await readLetters(store)).toEqual([`2026@${dueMs}`])
  expect(Number(await store.server.admin.hget('fl:{ticks}', readerName))).toBe(dueMs + 360_000)
}, 30_000)
