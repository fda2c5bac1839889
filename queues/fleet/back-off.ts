// Waiting longer after each failure in a row, with jitter, and saying each kind of trouble once until things go well again.
import { setTimeout as sleep } from 'node:timers/promises'

export type BackOff = {
  /** Says `text` unless it was the last thing said, then waits; never longer than `maxMs`, never rejects. */
  wait(text: string, signal: AbortSignal, leastMs?: number): Promise<void>
  /** Things go well: the next trouble is said again and waits little. */
  reset(): void
}

export type BackOffOptions = {
  readonly firstMs: number
  readonly maxMs: number
  readonly say: (text: string) => void
}

export function createBackOff({ firstMs, maxMs, say }: BackOffOptions): BackOff {
  let failures = 0
  let said = ''
  return {
    async wait(text, signal, leastMs = 0) {
      if (said !== text) say(text)
      said = text
      const fullMs = Math.min(firstMs * 2 ** Math.min(failures, 10), maxMs)
      failures += 1
      const waitMs = Math.max(leastMs, fullMs * (0.5 + Math.random() / 2))
      await sleep(waitMs, undefined, { signal }).catch(() => {})
    },
    reset() {
      failures = 0
      said = ''
    },
  }
}
