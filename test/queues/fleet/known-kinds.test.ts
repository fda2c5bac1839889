// Which kinds are known to the fleet: also after Redis was away for longer than what was said is believed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKnownKinds } from '#queues/fleet/known-kinds.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => {
  store = await openStore({ aof: true })
})
afterAll(() => store.stop())

test('nobody is believed not to know a kind before all could say again what they know', async () => {
  let elapsedMs = 0
  let aheadMs = 1_700_000_000_000
  const known = createKnownKinds(
    store.redis,
    () => elapsedMs + aheadMs,
    () => elapsedMs,
  )
  const said = async (): Promise<number> => Number(await store.redis.zscore('fl:{kinds}', 'timer:own'))
  const end = known.announce(() => ['timer:own'])
  await expect.poll(said).toBe(aheadMs + 60_000)
  const isOver = (): Promise<boolean> => known.isKnown('timer:other')
  expect([await known.isKnown('timer:own'), await isOver()]).toEqual([true, false])

  const away = async (): Promise<void> => {
    await store.server.kill()
    await expect.poll(() => store.redis.status).not.toBe('ready')
    await store.server.restart()
    await expect.poll(() => store.redis.status).toBe('ready')
  }
  elapsedMs += 65_000
  await away()
  // It is said again at once.
  await expect.poll(said).toBe(elapsedMs + aheadMs + 60_000)
  expect(await isOver()).toBe(true)
  elapsedMs += 24_000
  expect(await isOver()).toBe(true)
  elapsedMs += 2000
  expect(await isOver()).toBe(false)

  // Of a clock that went on by itself all that was said is over, too.
  aheadMs += 120_000
  expect(await isOver()).toBe(true)
  end()
})
