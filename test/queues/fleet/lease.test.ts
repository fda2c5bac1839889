// Facts about leases on what one process may do at a time.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLeaseHeld, runUnderLease, type LeaseOptions } from '#queues/fleet/lease.ts'
import { createLiveness, type Liveness } from '#queues/fleet/liveness.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'

const lifeMs = 300
let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 100 })))
afterAll(() => store.stop())

const live = (): Promise<Liveness> => createLiveness({ redis: store.redis, call: store.call, lifeMs })
const open = async (name: string, liveness?: LeaseOptions['liveness']): Promise<LeaseOptions> => ({
  call: store.call,
  liveness: liveness ?? (await live()),
  name,
  lookEveryMs: 100,
})

/** Work that ends when its signal does, and says when it begins. */
function createWork(): { readonly begun: Promise<AbortSignal>; readonly work: (signal: AbortSignal) => Promise<void> } {
  const begun = Promise.withResolvers<AbortSignal>()
  return {
    begun: begun.promise,
    async work(signal) {
      begun.resolve(signal)
      if (!signal.aborted) await once(signal, 'abort')
    },
  }
}

test('lets one work, however long, and another begin soon after it ends', async () => {
  const [first, second] = [createWork(), createWork()]
  const [stopFirst, stopSecond] = [new AbortController(), new AbortController()]
  const one = runUnderLease(await open('a'), first.work, stopFirst.signal)
  await first.begun
  const two = runUnderLease(await open('a'), second.work, stopSecond.signal)
  const early = await Promise.race([second.begun.then(() => 'began'), sleep(4 * lifeMs, 'waits')])
  expect(early).toBe('waits')
  expect(await isLeaseHeld(store.redis, 'a')).toBe(true)
  stopFirst.abort()
  await one
  await second.begun
  stopSecond.abort()
  await two
  expect(await store.server.admin.exists('fl:{a}')).toBe(0)
})

test('is free as soon as its process is gone', async () => {
  const [first, second] = [createWork(), createWork()]
  const stop = new AbortController()
  const liveness = await live()
  const one = runUnderLease(await open('gone', liveness), first.work, stop.signal)
  await first.begun
  const two = runUnderLease(await open('gone'), second.work, stop.signal)
  await sleep(2 * lifeMs)
  await liveness.stop()
  const goneAtMs = performance.now()
  await second.begun
  expect(performance.now() - goneAtMs).toBeLessThan(10 * lifeMs)
  stop.abort()
  await Promise.all([one, two])
})

test('is not held where its process is gone', async () => {
  const stop = new AbortController()
  const { begun, work } = createWork()
  const liveness = await live()
  const running = runUnderLease(await open('left', liveness), work, stop.signal)
  await begun
  await liveness.stop()
  expect(await store.server.admin.exists('fl:{left}')).toBe(1)
  expect(await isLeaseHeld(store.redis, 'left')).toBe(false)
  stop.abort()
  await running
})

test('aborts the work when somebody else has the lease, and leaves theirs alone', async () => {
  const { begun, work } = createWork()
  const stop = new AbortController()
  const liveness = createStillLiveness()
  const running = runUnderLease(await open('b', liveness), work, stop.signal)
  const signal = await begun
  await store.server.admin.set('fl:{b}', 'somebody else')
  liveness.happen('lapsed')
  await once(signal, 'abort')
  expect(liveness.lost()).toBe(1)
  stop.abort()
  await running
  expect(await store.server.admin.get('fl:{b}')).toBe('somebody else')
})

test('goes on when nobody has taken the lease of a process that was away', async () => {
  const { begun, work } = createWork()
  const stop = new AbortController()
  const liveness = createStillLiveness()
  const running = runUnderLease(await open('kept', liveness), work, stop.signal)
  const signal = await begun
  liveness.happen('lapsed')
  await sleep(100)
  expect(signal.aborted).toBe(false)
  stop.abort()
  await running
})

test('aborts the work when Redis was silent for long', async () => {
  const { begun, work } = createWork()
  const stop = new AbortController()
  const liveness = createStillLiveness()
  const running = runUnderLease(await open('c', liveness), work, stop.signal)
  const signal = await begun
  liveness.happen('silent')
  expect(signal.aborted).toBe(true)
  expect(stop.signal.aborted).toBe(false)
  stop.abort()
  await running
})

test('throws what the work throws, and gives the lease back', async () => {
  const failing = async (): Promise<void> => {
    throw new Error('broken')
  }
  await expect(runUnderLease(await open('d'), failing, new AbortController().signal)).rejects.toThrow('broken')
  expect(await store.server.admin.exists('fl:{d}')).toBe(0)
})
