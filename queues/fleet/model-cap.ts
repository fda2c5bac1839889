// A cap on concurrent model calls shared by all workers, and one pause for all when the endpoint says "too many requests".
import { setTimeout as sleep } from 'node:timers/promises'
import { integer, list } from '#queues/kernel/stored.ts'
import type { CallUnit } from '#queues/kernel/units.ts'

export type ModelCap = {
  /** Waits for a place and returns what gives it back. Rejects when `signal` aborts. It is kept while the call lasts; a crashed holder's is free after `holdMs`. */
  enter(holder: string, signal: AbortSignal): Promise<() => Promise<void>>
  /** Holds back everyone's next call. */
  pause(forMs: number): Promise<void>
}

const key = 'fl:{model-cap}'

export function createModelCap(call: CallUnit, options: { readonly most: number; readonly holdMs: number }): ModelCap {
  return {
    async enter(holder, signal) {
      for (;;) {
        const [kind, waitMs] = list(await call('cap', key, ['enter', holder, options.most, options.holdMs]))
        if (kind === 'OK') break
        // Jitter spreads the waiting calls over the time after a pause.
        await sleep(Math.min(integer(waitMs), 1000) * (0.5 + Math.random()), undefined, { signal })
      }
      const timer = setInterval(() => {
        call('cap', key, ['keep', holder, options.most, options.holdMs]).catch(() => {})
      }, options.holdMs / 3)
      return async () => {
        clearInterval(timer)
        await call('cap', key, ['leave', holder, options.most, 0])
      }
    },
    async pause(forMs) {
      await call('cap', key, ['pause', '', options.most, Math.max(1, Math.round(forMs))])
    },
  }
}
