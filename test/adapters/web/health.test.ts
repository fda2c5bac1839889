// Health is measured by waiting work.
import { expect, onTestFinished, test, vi } from 'vitest'
import { createHealth } from '#adapters/web/health.ts'
import { findMissingRoles } from '#queues/fleet/missing-roles.ts'
import type { Due } from '#queues/kernel/kernel.ts'

const waiting = (what: Due['what'], sinceMs: number): Due => ({
  what,
  conversation: 'web:x',
  sinceMs,
  isDropped: false,
})
const noneMissing = async () => []
const health = async (due: readonly Due[]) =>
  await createHealth({ kernel: { due: async (partition) => (partition === 7 ? due : []) }, findMissing: noneMissing })()

test('is well with nothing waiting, or not for long', async () => {
  expect(await health([])).toMatchObject({ ok: true, oldestWaitingMs: 0 })
  expect(await health([waiting('run', 59_000), waiting('route', 5)])).toEqual({
    ok: true,
    oldestWaitingMs: 59_000,
    maxWaitingMs: 60_000,
    missing: [],
    queues: {
      route: { waiting: 1, oldestWaitingMs: 5 },
      run: { waiting: 1, oldestWaitingMs: 59_000 },
      out: { waiting: 0, oldestWaitingMs: 0 },
    },
  })
})

test('fails when anything has waited for more than a minute', async () => {
  const report = await health([waiting('out', 61_000)])
  expect(report).toMatchObject({ ok: false, oldestWaitingMs: 61_000, problem: expect.stringContaining('61 s') })
})

test('fails when the store answers with an error, or not at all', async () => {
  const failing = createHealth({ kernel: { due: () => Promise.reject(new Error('gone')) }, findMissing: noneMissing })
  expect(await failing()).toMatchObject({ ok: false, problem: expect.stringContaining('Redis') })
  const silent = createHealth({ kernel: { due: () => new Promise(() => {}) }, findMissing: noneMissing })
  expect(await silent()).toMatchObject({ ok: false })
})

test('fails at once when a role is missing, and says what does not happen without it', async () => {
  const report = createHealth({
    kernel: { due: async (partition) => (partition === 7 ? [waiting('run', 5)] : []) },
    findMissing: async (due) => findMissingRoles({ living: [{ does: ['router', 'reflection'] }], channels: [], due }),
  })
  expect(await report()).toMatchObject({
    ok: false,
    missing: ['executor'],
    problem: 'No executor process runs, so nothing is answered, and one conversation waits.',
  })
})

test('looks again after a second, though the clock was set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let due: readonly Due[] = []
  const ask = createHealth({
    kernel: { due: async (partition) => (partition === 7 ? due : []) },
    findMissing: noneMissing,
  })
  expect(await ask()).toMatchObject({ ok: true })
  due = [waiting('out', 61_000)]
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(1001)
  expect(await ask()).toMatchObject({ ok: false })
})
