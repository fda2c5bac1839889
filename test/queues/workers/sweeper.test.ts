// Facts about the sweeper with nobody at a queue: how many hints wait, in which order, and how often it looks.
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectProducer, connectWorker, type RedisClient } from '#queues/connection.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { createUnits } from '#queues/units.ts'
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import { createCrowd } from '#queues/workers/crowd.ts'
import { createHintWorkers } from '#queues/workers/hint-worker.ts'
import { createProcesses } from '#queues/fleet/processes.ts'
import { runSweeper, sweepOnce, type SweeperDeps } from '#queues/workers/sweeper.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { deliverMany, mustClaim, row, step, ttlMs } from '#test/contracts/kernel-fixtures.ts'
import type { Timer } from '#shared/run/step.ts'
import { type BenchStore, openBenchStore } from '#test/rig/store.ts'

const graceMs = 500
let store: BenchStore
let producer: RedisClient
let hints: Hints
let deps: SweeperDeps
let told: string[] = []
const advance = async (ms: number): Promise<void> => await store.advance(ms)

beforeAll(async () => {
  store = await openBenchStore()
  producer = connectProducer(store.server.url)
  if (producer.status !== 'ready') await once(producer, 'ready')
  hints = createHints(producer, store.nowMs)
  const onTrouble = (what: string): unknown => told.push(what)
  deps = {
    kernel: store.kernel,
    hints,
    processes: createProcesses(store.redis, createStillLiveness()),
    everyMs: 1000,
    isQuiet: async () => false,
    graceMs,
    onTrouble,
  }
})
beforeEach(async () => {
  told = []
  await store.server.admin.flushall()
})
afterAll(async () => {
  await hints.close()
  producer.disconnect()
  await store.stop()
})

const waiting = (queue: string): Promise<number> => store.server.admin.llen(`fl:{${queue}}:${queue}:wait`)

/** Turns that an executor began, with a row to be sent, and left when it was killed. */
async function begin(names: readonly string[]): Promise<void> {
  for (const name of names) {
    await deliverMany(store.kernel, name, 2)
    const { epoch } = await mustClaim(store.kernel, name)
    await store.kernel.append(name, epoch, step('a', { rows: [row('r')], consume: [1] }))
  }
}

/** The next hints of a queue in the order in which one worker takes them. */
async function takeAll(count: number): Promise<readonly string[]> {
  const taken: string[] = []
  const all = Promise.withResolvers<void>()
  const connection = connectWorker(store.server.url)
  const handler = async (conversation: string): Promise<void> => {
    if (taken.push(conversation) === count) all.resolve()
  }
  const crowd = createCrowd({ handler, onLeft: async () => {}, onTrouble: () => {} })
  const worker = createHintWorkers('execute', 1, {
    connection,
    openEntrance: () => crowd.openEntrance(1),
    hints,
    onTrouble: () => {},
  })
  await all.promise
  await Promise.all([worker.stop(), crowd.stop(1000)])
  connection.disconnect()
  return taken
}

test('keeps one hint for each piece of work, however long nobody takes them', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `telegram:${n}`)
  await begin(names)
  // Some were hinted by those who made the work, and talk goes on.
  for (const name of names.slice(0, 20)) await hints.execute(name)
  await advance(ttlMs + 1)
  for (let pass = 0; pass < 60; pass++) {
    await sweepOnce(deps)
    await advance(20_000)
    await deliverMany(store.kernel, `telegram:later-${pass}`, 1)
    await hints.execute(`telegram:later-${pass}`)
    await hints.execute(names[0] ?? '')
  }
  const counts = { execute: await waiting('execute'), outbound: await waiting('outbound-telegram') }
  expect(counts.execute).toBeLessThanOrEqual(2 * 60 + 60)
  expect(counts.outbound).toBe(60)
})

test('puts lost work before what has been due for less time', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `telegram:${n}`)
  for (const name of names) {
    await begin([name])
    await advance(20)
  }
  await advance(ttlMs + 1)
  const later = Array.from({ length: 5 }, (_, n) => `web:${n}`)
  for (const name of later) {
    await deliverMany(store.kernel, name, 1)
    await hints.execute(name)
  }
  await sweepOnce(deps)
  expect(await takeAll(35)).toEqual([...names, ...later])
})

test('hints what a dead worker took along, though it has been due for less time than the next hint', async () => {
  await begin(['telegram:older'])
  await advance(600)
  await begin(['telegram:younger'])
  await advance(ttlMs - 300)
  await sweepOnce(deps)
  expect(await waiting('execute')).toBe(1)
  await advance(1000)
  await sweepOnce(deps)
  expect(await waiting('execute')).toBe(2)
  for (let pass = 0; pass < 5; pass++) {
    await advance(60_000)
    await sweepOnce(deps)
  }
  // The older one was hinted once more, so that it goes first again.
  expect(await takeAll(3)).toEqual(['telegram:older', 'telegram:younger', 'telegram:older'])
})

test('leaves alone what has a hint behind others', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `web:${n}`)
  for (const name of names) {
    await deliverMany(store.kernel, name, 1)
    await hints.execute(name)
  }
  await advance(60_000)
  for (let pass = 0; pass < 10; pass++) {
    await sweepOnce(deps)
    await advance(5000)
  }
  expect(await takeAll(20)).toEqual(names)
  expect(await waiting('execute')).toBe(0)
})

test('adds nothing to a queue that holds far more than the work there is', async () => {
  await begin(['telegram:1'])
  await advance(ttlMs + 1)
  for (let n = 0; n < 1100; n++) await hints.execute(`web:stale-${n}`)
  await advance(60_000)
  await sweepOnce(deps)
  expect([await waiting('execute'), await waiting('outbound-telegram')]).toEqual([1100, 1])
})

test('hints lost work behind a hint of a machine whose clock is an hour slow', async () => {
  await deliverMany(store.kernel, 'web:first', 1)
  const slow = createHints(producer, () => store.nowMs() - 3_600_000)
  await slow.execute('web:first')
  await slow.close()
  await advance(5000)
  await deliverMany(store.kernel, 'web:lost', 1)
  await advance(60_000)
  await sweepOnce(deps)
  expect(await waiting('execute')).toBe(3)
  expect((await takeAll(3)).slice(0, 2)).toEqual(['web:first', 'web:lost'])
})

test('believes a hint that has waited long while others of its age wait with it, also when they are put off', async () => {
  await deliverMany(store.kernel, 'web:old', 1)
  await hints.execute('web:old')
  await advance(600_000)
  await sweepOnce(deps)
  await deliverMany(store.kernel, 'web:young', 1)
  await hints.execute('web:young')
  await advance(5000)
  await sweepOnce(deps)
  expect(await waiting('execute')).toBe(2)
})

test('sweeps the other queues when one cannot be read, and tells of it', async () => {
  const names = Array.from({ length: 5 }, (_, n) => `telegram:${n}`)
  await begin(names)
  await advance(ttlMs + 60_000)
  await store.server.admin.set('fl:{execute}:execute:wait', 'nonsense')
  await sweepOnce(deps)
  expect(await waiting('outbound-telegram')).toBe(5)
  expect(told).toEqual(['Lost work of the queue execute cannot be hinted. See flotilla doctor.'])
})

test('sweeps what has a name when something in between has none, and tells of it', async () => {
  await begin(['web:named'])
  await store.server.admin.zadd(`${partitionPrefix(toPartition('web:named'))}wake`, 1, 'out:nobody')
  await advance(ttlMs + 1000)
  await sweepOnce(deps)
  expect(await waiting('execute')).toBe(1)
  expect(told).toEqual([expect.stringContaining('no conversation')])
})

test('sweeps the other partitions when one cannot be read, and tells of it', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `telegram:${n}`)
  await begin(names)
  await advance(ttlMs + 60_000)
  const broken = toPartition('telegram:0')
  await store.server.admin.set(`${partitionPrefix(broken)}wake`, 'nonsense')
  await sweepOnce(deps)
  const others = names.filter((name) => toPartition(name) !== broken)
  expect(await waiting('outbound-telegram')).toBe(others.length)
  expect(told).toEqual(['Lost work of a partition cannot be found. See flotilla doctor.'])
})

test('rests after every pass, also while thousands are due', async () => {
  const names = Array.from({ length: 64 * 130 }, (_, n) => `web:${n}`)
  await Promise.all(names.map((name) => deliverMany(store.kernel, name, 1)))
  await advance(60_000)
  await store.server.admin.config('RESETSTAT')
  const stopping = new AbortController()
  const call = createUnits(store.redis, { patienceMs: 10_000 })
  const running = runSweeper({ ...deps, call, liveness: createStillLiveness(), everyMs: 400 }, stopping.signal)
  const beganAtMs = performance.now()
  const looks = async (): Promise<number> =>
    Number(/cmdstat_zcard:calls=(\d+)/.exec(await store.server.admin.info('commandstats'))?.[1])
  await sleep(2000)
  // Of each partition there are two pages in the first pass, which takes long on a busy machine, and one in the others.
  await expect.poll(looks).toBeGreaterThanOrEqual(64 * 3)
  stopping.abort()
  await running
  expect(await looks()).toBeLessThanOrEqual(64 * ((performance.now() - beganAtMs) / 300 + 2))
  expect(await waiting('execute')).toBe(names.length)
})

const timer = (conversation: string, name: string, inMs: number): Timer => ({
  name,
  inMs,
  event: { v: 1, kind: 'timer', id: name, conversation, principal: 'telegram:1', timer: 'a.b', payload: '' },
})
async function arm(conversation: string, timers: readonly Timer[]): Promise<void> {
  const { epoch } = await mustClaim(store.kernel, conversation)
  await store.kernel.append(conversation, epoch, step('arm', { timers, release: true }))
}

test('lets due timers fire and hints each conversation once, however long everything was away', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `telegram:${n}`)
  for (const name of names)
    await arm(
      name,
      Array.from({ length: 50 }, (_, i) => timer(name, `a.b.${i}`, 60_000)),
    )
  await sweepOnce(deps)
  expect(await waiting('inbound')).toBe(0)
  await advance(3 * 86_400_000)
  await sweepOnce(deps)
  await sweepOnce(deps)
  expect(await waiting('inbound')).toBe(30)
  for (const name of names) expect((await store.kernel.inbox(name, 200)).events).toHaveLength(50)
  expect(told).toEqual([])
})

test('tells of timers of no conversation and of a corrupt one, and lets the others fire', async () => {
  const [fine, broken] = ['telegram:fine', 'telegram:broken']
  for (const name of [fine, broken]) await arm(name, [timer(name, 'a.b', 60_000)])
  const prefix = partitionPrefix(toPartition(broken))
  await store.server.admin.zadd(`${prefix}timers`, 1, 'nonsense')
  await store.server.admin.del(`${prefix}in:${broken}`)
  await store.server.admin.set(`${prefix}in:${broken}`, 'not a hash')
  await advance(61_000)
  await sweepOnce(deps)
  expect((await store.kernel.inbox(fine, 9)).events).toHaveLength(1)
  expect(await store.kernel.claim(broken, 'w', ttlMs)).toMatchObject({ kind: 'PARKED' })
  expect(told.join()).toContain('1 timers of something that is no conversation')
  await store.server.admin.del(`${prefix}in:${broken}`)
  await store.kernel.unpark(broken)
  await advance(61_000)
  await sweepOnce(deps)
  expect((await store.kernel.inbox(broken, 9)).events).toMatchObject([{ event: { id: 'a.b' } }])
})
