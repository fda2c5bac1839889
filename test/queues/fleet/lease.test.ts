// Facts about leases on what one process may do at a time.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runUnderLease } from '#queues/fleet/lease.ts'
import { type CallUnit } from '#queues/units.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 100 })))
afterAll(() => store.stop())

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

test('lets one work and another take over when it ends', async () => {
  const options = { call: store.call, name: 'a', ttlMs: 200 }
  const [first, second] = [createWork(), createWork()]
  const [stopFirst, stopSecond] = [new AbortController(), new AbortController()]
  const one = runUnderLease(options, first.work, stopFirst.signal)
  await first.begun
  const two = runUnderLease(options, second.work, stopSecond.signal)
  const early = await Promise.race([
    second.begun.then(() => 'began'),
    new Promise((resolve) => setTimeout(resolve, 500, 'waits')),
  ])
  expect(early).toBe('waits')
  stopFirst.abort()
  await one
  await second.begun
  stopSecond.abort()
  await two
  expect(await store.server.admin.exists('fl:{a}')).toBe(0)
})

test('aborts the work when somebody else has the lease, and leaves theirs alone', async () => {
  const { begun, work } = createWork()
  const stop = new AbortController()
  const running = runUnderLease({ call: store.call, name: 'b', ttlMs: 200 }, work, stop.signal)
  const signal = await begun
  await store.server.admin.set('fl:{b}', 'somebody else')
  await once(signal, 'abort')
  stop.abort()
  await running
  expect(await store.server.admin.get('fl:{b}')).toBe('somebody else')
})

test('aborts the work when the lease ran out because Redis was silent', async () => {
  const { begun, work } = createWork()
  const stop = new AbortController()
  const silent: CallUnit = async (name, key, args) => {
    if (args[0] === 'renew') throw new Error('silent')
    return store.call(name, key, args)
  }
  const running = runUnderLease({ call: silent, name: 'c', ttlMs: 200 }, work, stop.signal)
  const signal = await begun
  await once(signal, 'abort')
  expect(stop.signal.aborted).toBe(false)
  stop.abort()
  await running
})

test('throws what the work throws, and gives the lease back', async () => {
  const failing = async (): Promise<void> => {
    throw new Error('broken')
  }
  await expect(
    runUnderLease({ call: store.call, name: 'd', ttlMs: 200 }, failing, new AbortController().signal),
  ).rejects.toThrow('broken')
  expect(await store.server.admin.exists('fl:{d}')).toBe(0)
})
