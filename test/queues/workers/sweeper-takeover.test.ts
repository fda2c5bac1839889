// The sweeper looks at once for what a process held that is gone, whoever sweeps, and takes the place of one that is gone itself.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectProducer, type RedisClient } from '#queues/connection.ts'
import { createLiveness, type Liveness } from '#queues/fleet/liveness.ts'
import { createProcesses } from '#queues/fleet/processes.ts'
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { runSweeper } from '#queues/workers/sweeper.ts'
import { deliverMany } from '#test/contracts/kernel-fixtures.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const lifeMs = 900
let store: Store
let producer: RedisClient
let hints: Hints
beforeAll(async () => {
  store = await openStore()
  producer = connectProducer(store.server.url)
  if (producer.status !== 'ready') await once(producer, 'ready')
  hints = createHints(producer)
})
beforeEach(async () => {
  await store.server.admin.flushall()
})
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(async () => {
  await hints.close()
  producer.disconnect()
  await store.stop()
})

async function live(): Promise<Liveness> {
  const liveness = await createLiveness({ redis: store.redis, call: store.call, lifeMs })
  ends.push(() => liveness.stop())
  return liveness
}

/** Passes come so seldom that only the end of a process brings one. */
function sweep(liveness: Liveness, everyMs = 60_000): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const kernel = createRedisKernel(store.redis, store.call, liveness.find)
  const processes = createProcesses(store.redis, liveness)
  const rest = { isQuiet: async () => false, graceMs: 0, onTrouble: () => {} }
  const running = runSweeper(
    { call: store.call, liveness, processes, kernel, hints, everyMs, ...rest },
    stopping.signal,
  )
  const stop = async (): Promise<void> => {
    stopping.abort()
    await running
  }
  ends.push(stop)
  return { stop }
}

const waiting = (): Promise<number> => store.server.admin.llen('fl:{execute}:execute:wait')

/** Ends the renewal and the key as a crash does: nothing is given back. */
const die = (liveness: Liveness): Promise<void> => liveness.stop()

test('what a dead process held is hinted as soon as its key has ended, and can be claimed then', async () => {
  const [sweeping, working] = [await live(), await live()]
  sweep(sweeping)
  const kernel = createRedisKernel(store.redis, store.call, sweeping.find)
  await deliverMany(kernel, 'web:held', 1)
  expect((await kernel.claim('web:held', working.newOwner(), working.leaseMs)).kind).toBe('CLAIMED')
  await sleep(lifeMs)
  const before = await waiting()
  await die(working)
  await expect.poll(waiting, { timeout: 3 * lifeMs, interval: 10 }).toBeGreaterThan(before)
  expect(await kernel.claim('web:held', sweeping.newOwner(), 60_000)).toMatchObject({ kind: 'CLAIMED', attempts: 2 })
})

test('the next process sweeps when the one that did is gone, and finds what that one held', async () => {
  const [first, second] = [await live(), await live()]
  sweep(first)
  await sleep(100)
  sweep(second)
  const kernel = createRedisKernel(store.redis, store.call, second.find)
  await deliverMany(kernel, 'web:held', 1)
  await kernel.claim('web:held', first.newOwner(), first.leaseMs)
  await sleep(lifeMs)
  const before = await waiting()
  await die(first)
  await expect.poll(waiting, { timeout: 4 * lifeMs, interval: 10 }).toBeGreaterThan(before)
})

test('while nobody dies it asks for each process no more often than its key may end', async () => {
  const sweeping = await live()
  for (let n = 0; n < 10; n++) await live()
  sweep(sweeping)
  await sleep(lifeMs)
  await store.server.admin.config('RESETSTAT')
  await sleep(4 * lifeMs)
  const stats = await store.server.admin.info('commandstats')
  const asked = Number(/cmdstat_pttl:calls=(\d+)/.exec(stats)?.[1] ?? 0)
  // Eleven processes, four lives: a key is renewed at a third, so two thirds of a life pass before it may end.
  expect(asked).toBeGreaterThan(10)
  expect(asked).toBeLessThan(11 * 4 * 2.5)
})
