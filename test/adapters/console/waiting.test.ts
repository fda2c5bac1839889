// How long the end of a piped input waits for what is not answered yet.
import { expect, onTestFinished, test, vi } from 'vitest'
import { createWaiting } from '#adapters/console/waiting.ts'

test.each([-3_600_000, 3_600_000])(
  'waits for its time, no longer and no shorter, though the clock is set by %d ms meanwhile',
  async (setByMs) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const waiting = createWaiting()
    waiting.expect('never answered', Infinity)
    const beganAtMs = performance.now()
    const settled = waiting.drained(60, new AbortController().signal)
    vi.setSystemTime(Date.now() + setByMs)
    waiting.expect('nor this', Infinity)
    await settled
    expect(performance.now() - beganAtMs).toBeGreaterThanOrEqual(60)
  },
)
