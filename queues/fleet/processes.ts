// Watches the processes of the fleet: each is looked at when its key may have ended, and not before.
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { Liveness } from './liveness.ts'
import { processesKey } from './process-key.ts'

export type Processes = {
  /** Looks at those whose keys may have ended; true when one is gone that was not before. Throws BotError `store-unavailable`. */
  look(): Promise<boolean>
  /** How long until one may be gone, ms. */
  nextMs(): number
  /** Processes that are known to be gone, and may have left leases behind. */
  gone(): readonly string[]
  /** Watches these too: leases name them. */
  note(processes: readonly string[]): void
}

const listEveryMs = 1000

export function createProcesses(
  redis: RedisClient,
  { find, leaseMs, process: own }: Pick<Liveness, 'find' | 'leaseMs' | 'process'>,
): Processes {
  /** When each is to be looked at, and since when it has been gone; in ms of this process's clock. */
  const watched = new Map<string, { atMs: number; goneSinceMs?: number }>()
  let listAtMs = 0
  let isNews = false
  const note = (processes: readonly string[]): void => {
    for (const one of processes) if (one !== own && !watched.has(one)) watched.set(one, { atMs: 0 })
  }
  return {
    async look() {
      if (performance.now() >= listAtMs) {
        listAtMs = performance.now() + listEveryMs
        note(await fromStore(redis.smembers(processesKey)))
      }
      const due = [...watched].filter(([, { atMs }]) => atMs <= performance.now())
      await Promise.all(
        due.map(async ([name, watch]): Promise<void> => {
          watch.atMs = performance.now() + listEveryMs
          const told = await find(`@${name}/`)
          const nowMs = performance.now()
          if (told.kind !== 'gone') {
            watch.atMs = nowMs + told.forMs
            if (told.kind === 'lives') delete watch.goneSinceMs
            return
          }
          if (watch.goneSinceMs === undefined) isNews = true
          watch.goneSinceMs ??= nowMs
          // By then whatever it held has run out.
          if (nowMs < watch.goneSinceMs + leaseMs) return
          watched.delete(name)
          await fromStore(redis.srem(processesKey, name))
        }),
      )
      // What was found is told though another question failed.
      const isTold = isNews
      isNews = false
      return isTold
    },
    nextMs: () => Math.min(listAtMs, ...[...watched.values()].map(({ atMs }) => atMs)) - performance.now(),
    gone: () => [...watched].flatMap(([name, { goneSinceMs }]) => (goneSinceMs === undefined ? [] : [name])),
    note,
  }
}
