// A process that lives as long as its test, and of which the test says what it must fear.
import { randomUUID } from 'node:crypto'
import type { Liveness } from '#queues/fleet/liveness.ts'
import type { Happened } from '#queues/fleet/certainty.ts'

export type StillLiveness = Liveness & {
  /** Others may have taken what it holds, or Redis was silent for long. */
  happen(what: Happened): void
  /** Its key may have ended; it stands again at once. */
  doubt(): void
  /** How many leases it was told to have lost. */
  lost(): number
}

export function createStillLiveness({ leaseMs = 60_000, process = 'still' } = {}): StillLiveness {
  const watchers = new Set<(what: Happened) => void>()
  let sureness = new AbortController()
  let lost = 0
  return {
    process,
    leaseMs,
    endOwner: () => {},
    newOwner: () => `@${process}/${randomUUID()}`,
    sure() {
      const { signal } = sureness
      return { signal, holds: () => !signal.aborted }
    },
    watch(onHappened) {
      watchers.add(onHappened)
      return () => void watchers.delete(onHappened)
    },
    noteLost: () => void lost++,
    find: async () => ({ kind: 'lives', forMs: Infinity }),
    isGone: async () => false,
    stop: async () => {},
    happen(what) {
      for (const tell of watchers) tell(what)
    },
    doubt() {
      sureness.abort()
      sureness = new AbortController()
    },
    lost: () => lost,
  }
}
