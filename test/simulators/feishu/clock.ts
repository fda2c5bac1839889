// The simulator's time: the machine's, moved on by as much as a test says. What falls due by that happens at once, in its order, so that
// six hours of redelivery or a month of quota pass in a test without waiting.

export type Clock = {
  /** ms since 1970. */
  now(): number
  /** Acts once the time has come; what it returns takes that back. */
  after(delayMs: number, act: () => void): () => void
  advance(ms: number): void
  /** Nothing that waits will happen any more. */
  close(): void
}

type Waiting = { readonly dueAt: number; readonly act: () => void; timer: NodeJS.Timeout | undefined }

export function createClock(): Clock {
  let aheadMs = 0
  const waiting = new Set<Waiting>()
  const now = (): number => Date.now() + aheadMs
  const fire = (one: Waiting) => {
    clearTimeout(one.timer)
    if (waiting.delete(one)) one.act()
  }
  const arm = (one: Waiting) => {
    clearTimeout(one.timer)
    one.timer = setTimeout(() => fire(one), Math.max(one.dueAt - now(), 0))
    one.timer.unref()
  }
  return {
    now,
    after: (delayMs, act) => {
      const one: Waiting = { dueAt: now() + delayMs, act, timer: undefined }
      waiting.add(one)
      arm(one)
      return () => {
        clearTimeout(one.timer)
        waiting.delete(one)
      }
    },
    advance: (ms) => {
      const target = now() + ms
      for (;;) {
        const next = [...waiting].toSorted((a, b) => a.dueAt - b.dueAt).at(0)
        if (next === undefined || next.dueAt > target) break
        aheadMs += Math.max(next.dueAt - now(), 0)
        fire(next)
      }
      aheadMs += Math.max(target - now(), 0)
      for (const one of waiting) arm(one)
    },
    close: () => {
      for (const { timer } of waiting) clearTimeout(timer)
      waiting.clear()
    },
  }
}
