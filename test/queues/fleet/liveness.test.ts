// Facts about which processes live: a dead one is known soon, a slow Redis kills nobody, and who was away looks after what it holds.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createLiveness, type Liveness } from '#queues/fleet/liveness.ts'
import type { Happened } from '#queues/fleet/certainty.ts'
import { processesKey, toProcessKey } from '#queues/fleet/process-key.ts'
import { connectKernel } from '#queues/connection.ts'
import { createUnits } from '#queues/units.ts'
import { startProxy, type Proxy } from '#test/rig/proxy.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const lifeMs = 900
let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  vi.useRealTimers()
})

type Process = Liveness & { readonly heard: Happened[]; readonly proxy: Proxy }

/** A process with a connection of its own, which a test can cut. */
async function start(onLengthened: (ms: number) => void = () => {}): Promise<Process> {
  const proxy = await startProxy(store.server.port)
  const redis = connectKernel(proxy.url, 300)
  await expect.poll(() => redis.status).toBe('ready')
  const call = createUnits(redis, { patienceMs: 0 })
  const liveness = await createLiveness({
    redis,
    call,
    lifeMs,
    told: { role: 'test', does: [], settings: {} },
    onLengthened,
  })
  const heard: Happened[] = []
  liveness.watch((what) => void heard.push(what))
  ends.push(
    () => liveness.stop(),
    () => redis.disconnect(),
    () => proxy[Symbol.asyncDispose](),
  )
  return { ...liveness, heard, proxy }
}

test('says what it is, is in the list while it lives, and takes itself out of both when it stops', async () => {
  const one = await start()
  expect(one.sure().holds()).toBe(true)
  const key = toProcessKey(one.process)
  expect(JSON.parse((await store.redis.get(key)) ?? '')).toMatchObject({ role: 'test', lifeMs, pid: process.pid })
  await expect.poll(() => store.redis.sismember(processesKey, one.process)).toBe(1)
  await sleep(2 * lifeMs)
  expect(await store.redis.pttl(key)).toBeGreaterThan(0)
  expect(one.sure().holds()).toBe(true)
  await one.stop()
  expect([await store.redis.exists(key), await store.redis.sismember(processesKey, one.process)]).toEqual([0, 0])
  expect(one.sure().holds()).toBe(false)
})

test('knows that a process lives until its key may have ended, and that it is gone soon after', async () => {
  const [one, other] = [await start(), await start()]
  await sleep(lifeMs)
  const told = await one.find(other.newOwner())
  expect(told).toMatchObject({ kind: 'lives' })
  expect(told.kind === 'lives' ? told.forMs : 0).toBeLessThanOrEqual(lifeMs)
  other.proxy.set('swallow')
  const cutAtMs = performance.now()
  while (!(await one.isGone(other.newOwner()))) await sleep(20)
  const tookMs = performance.now() - cutAtMs
  expect(tookMs).toBeGreaterThan(lifeMs / 2)
  expect(other.sure().holds()).toBe(false)
})

test('an owner that names no process, and its own, are never gone', async () => {
  const one = await start()
  for (const owner of ['', 'someone', ':old/run', one.newOwner()]) expect(await one.isGone(owner)).toBe(false)
})

test('what an owner of its own that has ended still holds, as Redis tells after it lost its last seconds, is free', async () => {
  const one = await start()
  const owner = one.newOwner()
  expect(await one.isGone(owner)).toBe(false)
  one.endOwner(owner)
  expect(await one.isGone(owner)).toBe(true)
})

test('who has just begun waits for a life before it takes anybody for gone', async () => {
  const one = await start()
  const beganAtMs = performance.now()
  expect(await one.find('@nobody/1')).toMatchObject({ kind: 'unknown' })
  expect(await one.isGone('@nobody/1')).toBe(true)
  expect(performance.now() - beganAtMs).toBeGreaterThan(lifeMs * 0.8)
})

test('where Redis was away for all, nobody is gone, and who was away is told to look after what it holds', async () => {
  const all = [await start(), await start(), await start()]
  await sleep(lifeMs)
  for (const { proxy } of all) proxy.set('cut')
  await sleep(2 * lifeMs)
  for (const { proxy } of all) proxy.set('pass')
  const judged = await Promise.all(
    all.flatMap((one) =>
      all
        .filter((other) => other !== one)
        .map(async (other) => {
          const told = new Set<string>()
          for (const endMs = performance.now() + 2 * lifeMs; performance.now() < endMs; await sleep(10)) {
            told.add(
              await one.find(`@${other.process}/1`).then(
                ({ kind }) => kind,
                () => 'away',
              ),
            )
          }
          return told
        }),
    ),
  )
  for (const told of judged) expect(told.has('gone')).toBe(false)
  for (const { heard } of all) expect(heard).toContain('lapsed')
  for (const one of all) await expect.poll(() => one.sure().holds()).toBe(true)
})

test('where all keys end at once, as when the clock of Redis is set, nobody is gone', async () => {
  const [one, other] = [await start(), await start()]
  await sleep(1.5 * lifeMs)
  for (let n = 0; n < 5; n++) {
    await store.redis.del(toProcessKey(one.process), toProcessKey(other.process))
    expect((await one.find(`@${other.process}/1`)).kind).not.toBe('gone')
    await sleep(lifeMs / 3)
  }
})

test('is told that its key had ended though the answer that says so is lost', async () => {
  const one = await start()
  const took = one.sure()
  one.proxy.set('lose-replies')
  await sleep(1.5 * lifeMs)
  expect(await store.redis.exists(toProcessKey(one.process))).toBe(1)
  one.proxy.set('pass')
  await expect.poll(() => one.heard).toContain('lapsed')
  expect(took.holds()).toBe(false)
})

test('a slow Redis ends nobody', async () => {
  const all = [await start(), await start()]
  const [one, other] = all
  if (!one || !other) throw new Error('There are two.')
  await sleep(lifeMs)
  const before = one.sure()
  for (const { proxy } of all) proxy.set('delay', lifeMs / 6)
  for (const endMs = performance.now() + 4 * lifeMs; performance.now() < endMs; await sleep(30))
    expect((await one.find(`@${other.process}/1`)).kind).not.toBe('gone')
  expect(before.holds()).toBe(true)
  expect(all.flatMap(({ heard }) => heard)).toEqual([])
})

test('is not sure of what it took before its key may have ended, and tells that Redis was silent for long', async () => {
  const one = await start()
  const took = one.sure()
  one.proxy.set('swallow')
  await expect.poll(() => took.signal.aborted, { interval: 5 }).toBe(true)
  expect(one.heard).toEqual([])
  await expect.poll(() => one.heard).toEqual(['silent'])
  one.proxy.set('pass')
  await expect.poll(() => one.heard).toEqual(['silent', 'lapsed'])
  expect(took.holds()).toBe(false)
  await expect.poll(() => one.sure().holds()).toBe(true)
})

test('what waited in sockets while the process stood still finds that it is not sure, before any timer says so', async () => {
  const one = await start()
  const took = one.sure()
  for (const endMs = performance.now() + 1.2 * lifeMs; performance.now() < endMs;);
  expect(took.signal.aborted).toBe(false)
  expect(took.holds()).toBe(false)
  expect(took.signal.aborted).toBe(true)
})

test('is not sure after the machine slept, though its timers stood still', async () => {
  const one = await start()
  const took = one.sure()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  expect(one.sure().holds()).toBe(false)
  expect(took.holds()).toBe(false)
})

test('lives longer after it lost leases twice in a minute, and says so', async () => {
  const lengthened: number[] = []
  const one = await start((ms) => void lengthened.push(ms))
  one.noteLost()
  one.noteLost()
  expect(lengthened).toEqual([])
  await sleep(lifeMs + 50)
  one.noteLost()
  expect(lengthened).toEqual([2 * lifeMs])
  await expect.poll(() => store.redis.pttl(toProcessKey(one.process))).toBeGreaterThan(lifeMs)
  expect(JSON.parse((await store.redis.get(toProcessKey(one.process))) ?? '')).toMatchObject({ lifeMs: 2 * lifeMs })
})

test('goes on living where Redis takes nothing more in', async () => {
  const one = await start()
  const { admin } = store.server
  await admin.config('SET', 'maxmemory', '1')
  await sleep(2 * lifeMs)
  expect(one.sure().holds()).toBe(true)
  expect(one.heard).toEqual([])
  await admin.config('SET', 'maxmemory', '0')
})
