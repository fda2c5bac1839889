// Facts about the clock that follows Redis, with a process that stands still between its question and the answer.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createRedisClock, type RedisClock } from '#queues/redis-clock.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
let store: Store
let clock: RedisClock | undefined
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())
// Only this process's own clock is moved: Redis keeps the true time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }))
afterEach(() => {
  clock?.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Redis' time, ms. */
async function askRedis(): Promise<number> {
  const [seconds, micros] = await store.redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}
const moveBy = (ms: number): unknown => vi.setSystemTime(Date.now() + ms)

test('follows Redis on a machine whose clock is an hour slow', async () => {
  moveBy(-hourMs)
  clock = await createRedisClock(store.redis)
  expect(Math.abs(clock.now() - (await askRedis()))).toBeLessThan(1000)
})

test('takes nothing from an answer that a process which stood still for a minute reads late', async () => {
  // Whoever stands still has all clocks go on meanwhile; one that is set has not.
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now())
  let asked = 0
  const late = Promise.withResolvers<void>()
  const stopping = {
    async time() {
      const answer = await store.redis.time()
      asked += 1
      if (asked === 2) moveBy(minuteMs)
      if (asked === 2) setImmediate(late.resolve)
      return answer
    },
  }
  clock = await createRedisClock(stopping)
  const before = clock.now()
  vi.advanceTimersByTime(10_000)
  await late.promise
  expect(clock.now() - before).toBe(10_000 + minuteMs)
})

test('takes nothing from a claim whose answer was read a minute late', async () => {
  clock = await createRedisClock(store.redis)
  const [before, askedAtMs, told] = [clock.now(), Date.now(), await askRedis()]
  moveBy(minuteMs)
  clock.learn(told, askedAtMs)
  expect(clock.now() - before).toBe(minuteMs)
})

test('learns from a claim when the machine’s clock was set', async () => {
  clock = await createRedisClock(store.redis)
  moveBy(hourMs)
  const askedAtMs = Date.now()
  clock.learn(await askRedis(), askedAtMs)
  expect(Math.abs(clock.now() - (await askRedis()))).toBeLessThan(1000)
})

test.each([hourMs, -hourMs])('hears within a second that the machine’s clock was set by %d ms', async (byMs) => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'performance'] })
  const redis = settable()
  clock = await createRedisClock(redis)
  await vi.advanceTimersByTimeAsync(3000)
  const before = clock.now()
  moveBy(byMs)
  redis.set(-byMs)
  await vi.advanceTimersByTimeAsync(1000)
  expect(clock.now() - before).toBe(1000)
})

/** Redis, on a machine whose clock somebody sets. */
function settable() {
  let offMs = 0
  return {
    set: (ms: number) => void (offMs = ms),
    async time(): Promise<number[]> {
      const ms = Date.now() + offMs
      return [Math.floor(ms / 1000), (ms % 1000) * 1000]
    },
  }
}

test.each([31 * 24 * hourMs, -hourMs])(
  'does not follow Redis’ machine when that is set %d ms off for some minutes',
  async (offMs) => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'performance'] })
    const redis = settable()
    clock = await createRedisClock(redis)
    redis.set(offMs)
    await vi.advanceTimersByTimeAsync(9 * minuteMs)
    clock.learn(Date.now() + offMs, Date.now())
    expect(clock.now()).toBe(Date.now())
    redis.set(0)
    await vi.advanceTimersByTimeAsync(10_000)
    redis.set(offMs)
    await vi.advanceTimersByTimeAsync(9 * minuteMs)
    expect(clock.now()).toBe(Date.now())
    // Nobody sets it back: it was wrong before.
    await vi.advanceTimersByTimeAsync(2 * minuteMs)
    expect(clock.now()).toBe(Date.now() + offMs)
  },
)

test('follows Redis’ machine at once where its clock is mended by a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'performance'] })
  const redis = settable()
  clock = await createRedisClock(redis)
  redis.set(minuteMs)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(clock.now()).toBe(Date.now() + minuteMs)
})
