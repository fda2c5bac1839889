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
  const note = (processes: readonly string[]): void => {
    for (const one of processes) if (one !== own && !watched.has(one)) watched.set(one, { atMs: 0 })
  }
  return {
    async look() {
      if (performance.now() >= listAtMs) {
        note(await fromStore(redis.smembers(processesKey)))
        listAtMs = performance.now() + listEveryMs
      }
      const due = [...watched].filter(([, { atMs }]) => atMs <= performance.now())
      const found = await Promise.all(
        due.map(async ([name, watch]): Promise<boolean> => {
          const told = await find(`@${name}/`)
          const nowMs = performance.now()
          if (told.kind !== 'gone') {
            watch.atMs = nowMs + told.forMs
            if (told.kind === 'lives') delete watch.goneSinceMs
            return false
          }
          watch.atMs = nowMs + listEveryMs
          const isNews = watch.goneSinceMs === undefined
          watch.goneSinceMs ??= nowMs
          // By then whatever it held has run out.
          if (nowMs < watch.goneSinceMs + leaseMs) return isNews
          watched.delete(name)
          await fromStore(redis.srem(processesKey, name))
          return isNews
        }),
      )
      return found.includes(true)
    },
    nextMs: () => Math.min(listAtMs, ...[...watched.values()].map(({ atMs }) => atMs)) - performance.now(),
    gone: () => [...watched].flatMap(([name, { goneSinceMs }]) => (goneSinceMs === undefined ? [] : [name])),
    note,
  }
}
