// Facts about keeping another kind of process off a Redis: a second bot of the same channel, another layout of state.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdLock, type SoleHolder } from '#queues/fleet/sole-holder.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 100 })))
afterAll(() => store.stop())

const hold = (holder: string, more: Partial<SoleHolder> = {}): Promise<{ stop(): void }> =>
  holdLock({
    call: store.call,
    lock: 'bot-discord',
    holder,
    refusal: 'Another works here.',
    ttlMs: 200,
    onLost: () => {},
    ...more,
  })

test('lets any number of processes hold one lock, and refuses another kind with what to do', async () => {
  const held = [await hold('one'), await hold('one')]
  await expect(hold('two')).rejects.toThrow('Another works here.')
  const elsewhere = await hold('two', { lock: 'bot-telegram' })
  for (const each of [...held, elsewhere]) each.stop()
})

test('gives the lock to another kind soon after the last process of the first has ended', async () => {
  const first = await hold('one')
  first.stop()
  const second = await hold('two')
  expect(await store.redis.get('fl:{bot-discord}')).toBe('two')
  second.stop()
})

test('says so when another kind took the lock meanwhile', async () => {
  const lost = Promise.withResolvers<string>()
  const held = await hold('two', { onLost: lost.resolve })
  await store.redis.set('fl:{bot-discord}', 'three')
  expect(await lost.promise).toBe('Another works here.')
  held.stop()
})
