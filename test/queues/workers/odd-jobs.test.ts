// What one broken partition, one slow clock, one odd job or one wrong time must not do to the jobs of all others, and to what is forgotten.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { deletion, mustClaim, step } from '#test/contracts/kernel-fixtures.ts'
import { createReaderJobs, type JobId } from '#queues/records/reader-jobs.ts'
import { createUnits } from '#queues/units.ts'
import { doJob, type JobDeps } from '#queues/workers/do-jobs.ts'
import { createReadingRoom } from '#queues/workers/reading-room.ts'
import type { Letter } from '#shared/run/step.ts'
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
const toKeys = (partition: number): readonly [string, string] => [
  `${partitionPrefix(partition)}jobs:reflection`,
  `${partitionPrefix(partition)}held:reflection`,
]
const [zset, held] = toKeys(toPartition(chat))
const elsewhere = (toPartition(chat) + 1) % 64
const toJob = (name: string, conversation = chat): JobId => ({ reader: readerName, conversation, name })
const work: RigReader['work'] = async (job) => [letterOf(job)]
function start(reader: RigReader, options?: Parameters<typeof startReaderWorker>[2]) {
  const worker = startReaderWorker(store, reader, options)
  onTestFinished(() => worker.stop())
  return worker
}

const isWritten = async (): Promise<boolean> => (await readLetters(store)).length === 1

test('a partition whose key has another type keeps no other from its jobs, and the operator is told', async () => {
  await store.server.admin.set(toKeys(elsewhere)[0], 'no jobs')
  await jobs().add('reflection', toJob('n-1'), 0)
  const worker = start({ work })
  await until(isWritten, 5000)
  expect(worker.troubles).toContain(`Jobs of partition ${elsewhere} cannot be handed out. See flotilla doctor.`)
  expect((await jobs().look('reflection')).broken).toEqual([elsewhere])
})

test('what is no job keeps none from being done or added, and goes', async () => {
  await store.server.admin.zadd(zset, 5, 'no job at all', 1, 'none')
  await store.server.admin.hset(held, `#${chat}`, 'many')
  await jobs()
    .add('reflection', toJob('n-1'), 0)
    .catch(() => {})
  const worker = start({ work })
  await until(isWritten, 5000)
  expect(await store.server.admin.zcard(zset)).toBe(0)
  expect(worker.troubles.filter((said) => said.includes('handed out'))).toEqual([])
})

test('a job that was put off counts as waiting since it was due first, so that doctor tells of a budget that is used up', async () => {
  const all = jobs()
  await all.add('reflection', toJob('n-1'), 0)
  await all.add('reflection', toJob('n-2'), 60_000)
  const raw = `${readerName} ${chat} n-1`
  await store.server.admin.hset(held, raw, `${Date.now() - 400_000} 0 0 0 -`)
  await all.begin('reflection', toJob('n-1'), 'p')
  await all.move('reflection', toJob('n-1'), 'p', { inMs: 600_000, why: 'later' })
  expect((await all.look('reflection')).oldestMs).toBeGreaterThan(390_000)
})

/** As if so much time had passed since. */
async function age(name: string, ms: number): Promise<void> {
  const raw = `${readerName} ${chat} ${name}`
  const [first, tried, ...rest] = (await store.server.admin.hget(held, raw))?.split(' ') ?? []
  await store.server.admin.hset(
    held,
    raw,
    [Number(first) - ms, tried === '0' ? 0 : Number(tried) - ms, ...rest].join(' '),
  )
  await store.server.admin.zincrby(zset, -ms, raw)
}
const dayMs = 86_400_000

test('what waited for days, as while the fleet was quiet or a clock was ahead, is done; what was begun a day ago is not', async () => {
  const all = jobs()
  for (const name of ['n-1', 'n-2']) await all.add('reflection', toJob(name), dayMs)
  for (const name of ['n-1', 'n-2']) await age(name, 5 * dayMs)
  expect(await all.begin('reflection', toJob('n-1'), 'p')).toMatchObject({ kind: 'begun' })
  await all.start('reflection', toJob('n-1'), 'p', 0)
  await all.move('reflection', toJob('n-1'), 'p', { inMs: 1000, why: 'later' })
  await age('n-1', dayMs + 1000)
  expect(await all.begin('reflection', toJob('n-1'), 'p')).toEqual({ kind: 'old' })
  expect(await all.begin('reflection', toJob('n-2'), 'p')).toMatchObject({ kind: 'begun' })
})

test('what was put off while the clock of Redis was a month ahead is done, and what waits for a day is not yet', async () => {
  const all = jobs()
  await all.add('reflection', toJob('n-1'), dayMs)
  for (const name of ['n-2', 'n-3']) {
    await all.add('reflection', toJob(name), 0)
    await age(name, -30 * dayMs)
  }
  const taken = await all.take('reflection', toPartition(chat), 8)
  expect(taken.map(({ name }) => name).toSorted()).toEqual(['n-2', 'n-3'])
  expect(await all.begin('reflection', toJob('n-2'), 'p')).toMatchObject({ kind: 'begun' })
  expect(await all.take('reflection', toPartition(chat), 8)).toEqual([])
})

test('a clock that hangs keeps no job waiting, and a process without it keeps no other from it', async () => {
  await store.server.admin.hset('fl:{ticks}', readerName, Date.now() - 1000)
  start({ work })
  await endTurns(store, chat, 'a')
  await until(isWritten, 5000)
  let struck = 0
  const run = async (_: number, signal: AbortSignal): Promise<[]> => {
    struck += 1
    return await sleep(100_000, [], { signal })
  }
  start({ work, tick: { everyMs: 60_000, run } })
  await until(() => struck === 1, 5000)
  await endTurns(store, chat, 'b')
  await until(async () => (await readLetters(store)).length === 2, 5000)
  expect(struck).toBe(1)
})

test('a clock with thousands of jobs stops with its process, and goes on in another one', async () => {
  await store.server.admin.hset('fl:{ticks}', readerName, Date.now() - 1000)
  const run = async () => Array.from({ length: 3000 }, (_, i) => ({ conversation: `web:c${i % 500}`, name: `n${i}` }))
  const tick = { everyMs: 3_600_000, run }
  const count = async (): Promise<number> => (await jobs().look('reflection')).count
  const isQuiet = (): boolean => false
  const first = startReaderWorker(store, { work: async () => await sleep(50, []), tick }, { isQuiet, concurrency: 1 })
  await until(async () => (await count()) > 100)
  const at = performance.now()
  await first.stop()
  expect(performance.now() - at).toBeLessThan(1000)
  expect(Number(await store.server.admin.hget('fl:{ticks}', readerName))).toBeLessThan(Date.now())
  start({ work: async () => await sleep(50, []), tick })
  await until(async () => Number(await store.server.admin.hget('fl:{ticks}', readerName)) > Date.now())
  expect(await count()).toBeGreaterThan(1000)
}, 30_000)

const toDeps = (learn: NonNullable<JobDeps['readers'][number]['work']>, signal: AbortSignal): JobDeps => ({
  worker: 'reflection',
  readers: [{ name: readerName, work: learn }],
  jobs: jobs(),
  kernel: store.kernel,
  carry: () => {},
  room: createReadingRoom(),
  isQuiet: async () => false,
  onTrouble: () => {},
  signal,
})

test('a process that is given a job again while it does it, as after a stall of its event loop, does it once', async () => {
  let begun = 0
  const hangs = Promise.withResolvers<void>()
  const job = toJob('n-1')
  await jobs().add('reflection', job, 0)
  const learn = async (): Promise<readonly Letter[]> => {
    begun += 1
    await hangs.promise
    return [letterOf(job)]
  }
  const deps = toDeps(learn, new AbortController().signal)
  const first = doJob(deps, job)
  await until(() => begun === 1)
  await doJob(deps, job)
  hangs.resolve()
  await first
  expect(begun).toBe(1)
  expect(await readLetters(store)).toEqual(['n-1'])
})

test('who only waits at the door while another job ends the process is not counted as what it died of', async () => {
  const all = jobs()
  const dying = new AbortController()
  const begun: string[] = []
  for (const name of ['deadly', 'harmless']) {
    await all.add('reflection', toJob(name), 0)
    await store.server.admin.hset(held, `${readerName} ${chat} ${name}`, `${Date.now()} 0 2 0 -`)
  }
  const hang = async ({ name }: { readonly name: string }, signal: AbortSignal): Promise<readonly Letter[]> => {
    begun.push(name)
    return await sleep(100_000, [], { signal })
  }
  const deps = toDeps(hang, dying.signal)
  const running = [doJob(deps, toJob('deadly'))]
  await until(() => begun.length === 1)
  running.push(doJob(deps, toJob('harmless')))
  const isHeld = async (): Promise<boolean> =>
    !(await store.server.admin.hget(held, `${readerName} ${chat} harmless`))?.endsWith('-')
  await until(isHeld)
  await sleep(50)
  expect(begun).toEqual(['deadly'])
  // The process dies: nobody holds them on.
  for (const job of await store.server.admin.zrange(zset, '0', '-1')) await store.server.admin.zadd(zset, 1, job)
  expect(await all.begin('reflection', toJob('deadly'), 'next')).toMatchObject({ kind: 'begun', died: 3 })
  expect(await all.begin('reflection', toJob('harmless'), 'next')).toMatchObject({ kind: 'begun', died: 2 })
  dying.abort()
  await Promise.all(running)
})

test('a job that failed is tried again after five seconds, and then after a minute', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('no')
  }
  const deps = toDeps(fail, new AbortController().signal)
  await jobs().add('reflection', toJob('n-1'), 0)
  const inMs: number[] = []
  for (let tries = 0; tries < 2; tries++) {
    await doJob(deps, toJob('n-1'))
    inMs.push(Number(await store.server.admin.zscore(zset, `${readerName} ${chat} n-1`)) - Date.now())
  }
  expect(inMs.map((ms) => Math.round(ms / 1000))).toEqual([5, 60])
})

test('feedback on a record that is forgotten while its job is done leads to no letter', async () => {
  const begun: string[] = []
  const release = Promise.withResolvers<void>()
  await endTurns(store, chat, 'a')
  start({
    async work(job) {
      begun.push(job.line?.kind ?? '')
      if (job.line?.kind !== 'feedback') return []
      await release.promise
      return [letterOf(job)]
    },
  })
  await until(() => begun.includes('turn'))
  const { epoch } = await mustClaim(store.kernel, chat)
  const feedback = { v: 1, what: 'redo', by: 'telegram:1' } as const
  await store.kernel.append(chat, epoch, step('f', { records: [{ kind: 'feedback', on: { turn: 'a' }, feedback }] }))
  await until(() => begun.includes('feedback'))
  await store.kernel.forget(deletion(chat, 'm-a'), [])
  release.resolve()
  await until(async () => begun.includes('forgotten') && (await jobs().look('reflection')).count === 0)
  expect(await readLetters(store)).toEqual([])
})
