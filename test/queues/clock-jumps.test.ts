// What lasts within a process does not depend on the time of day, which somebody or something may set meanwhile.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdLock } from '#queues/fleet/sole-holder.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { createNews } from '#queues/workers/news.ts'

const hourMs = 3_600_000
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())
const setBy = (ms: number): unknown => vi.setSystemTime(Date.now() + ms)
const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** Runs scripts like a connection that is away for the first calls; each of those sets the clock. */
function createAway(calls: number, setByMs: number): Parameters<typeof createUnits>[0] {
  let left = calls
  const evalsha = async (): Promise<number> => {
    if (left-- <= 0) return 1
    setBy(setByMs)
    throw refused()
  }
  return { evalsha, eval: evalsha }
}

test('a call is given up when its patience is over, though the clock is set back', async () => {
  const call = createUnits(createAway(Infinity, -hourMs), { patienceMs: 200 })
  await expect(call('inbox', 'fl:{p00}:', [])).rejects.toThrow()
})

test('a call is made again, though the clock is set forward', async () => {
  const call = createUnits(createAway(1, hourMs), { patienceMs: 5000 })
  expect(await call('inbox', 'fl:{p00}:', [])).toBe(1)
})

test('who waits for news hears in time that there are none, though the clock is set back', async () => {
  const hearing = createNews().heard({ draftAfterMs: 20, mostMs: 40 }, new AbortController().signal)
  setBy(-hourMs)
  await expect(hearing).resolves.toBeUndefined()
})

test('another kind of process is refused in time, though the clock is set back', async () => {
  const call: CallUnit = async () => {
    setBy(-hourMs)
    return 0
  }
  const sole = { call, lock: 'bot', holder: 'two', refusal: 'Another works here.', ttlMs: 50, onLost: () => {} }
  await expect(holdLock(sole)).rejects.toThrow('Another works here.')
})
