// A lease on something that only one process may do at a time, such as polling a platform. It says who works, not what was done:
// whatever is written under it must be safe when two believe they hold it for a moment.
//
// waiting -take, from nobody or from a process that is gone-> held; held -taken by another one, or Redis was silent for long-> lost (the work
// is aborted) -> waiting.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'
import type { Liveness } from './liveness.ts'
import { toProcess, toProcessKey } from './process-key.ts'

export type LeaseOptions = {
  readonly call: CallUnit
  readonly liveness: Pick<Liveness, 'newOwner' | 'leaseMs' | 'sure' | 'watch' | 'noteLost' | 'find'>
  /** Names what is held, e.g. `poll-telegram-4711`; it gets a hash tag of its own. */
  readonly name: string
  /** So long it is left to others when `work` ends by itself, ms. */
  readonly leftForMs?: number
  /** How soon another one is to notice that it was given back, ms; a second when left out. */
  readonly lookEveryMs?: number
}

/**
 * Runs `work` whenever this process gets the lease, until `signal` aborts. The signal that `work` gets aborts when the lease is
 * lost or `signal` does. When `work` ends by itself, the lease is given back and sought again, after `leftForMs`. Redis being away is waited out;
 * what `work` throws is thrown.
 */
export async function runUnderLease(
  options: LeaseOptions,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const lease = openLease(options)
  while (!signal.aborted) {
    const waitMs = await lease.take().catch(() => againMs)
    if (waitMs > 0) {
      await sleep(waitMs, undefined, { signal }).catch(() => {})
      continue
    }
    const lost = new AbortController()
    const kept = lease.keep(() => lost.abort())
    try {
      await work(AbortSignal.any([lost.signal, signal]))
    } finally {
      kept.stop()
      await lease.release().catch(() => {})
    }
    if (options.leftForMs && !lost.signal.aborted) await sleep(options.leftForMs, undefined, { signal }).catch(() => {})
  }
}

/** Whether anybody holds it now. */
export async function isLeaseHeld(redis: RedisClient, name: string): Promise<boolean> {
  const owner = await fromStore(redis.get(toKey(name)))
  const process = toProcess(owner ?? '')
  return process === undefined ? owner !== null : (await fromStore(redis.exists(toProcessKey(process)))) === 1
}

/** Leaves a sign that `isLeaseHeld` finds until it runs out, for others to see what happened here. */
export async function leaveSign(call: CallUnit, name: string, ttlMs: number): Promise<void> {
  await call('lease', toKey(name), ['take', 'sign', ttlMs])
}

const againMs = 250
const lookEveryMs = 1000

const toKey = (name: string): string => `fl:{${name}}`

type Lease = {
  /** How long to wait before it is asked for again, ms; 0 when it was taken. */
  take(): Promise<number>
  /** Looks after it until it is stopped. */
  keep(onLost: () => void): { stop(): void }
  release(): Promise<unknown>
}

function openLease({ call, liveness, name, lookEveryMs: mostMs = lookEveryMs }: LeaseOptions): Lease {
  const owner = liveness.newOwner()
  const change = (what: 'take' | 'renew' | 'release', ...gone: readonly string[]): Promise<unknown> =>
    call('lease', toKey(name), [what, owner, liveness.leaseMs, ...gone])
  return {
    async take() {
      // Others would take it back at once.
      if (!liveness.sure().holds()) return againMs
      const holder = await change('take')
      if (holder === 1) return 0
      const told = await liveness.find(String(holder))
      if (told.kind === 'gone') return (await change('take', String(holder))) === 1 ? 0 : againMs
      return Math.min(told.forMs, mostMs)
    },
    keep(onLost) {
      const renew = async (): Promise<void> => {
        // While Redis is silent it counts as held, until that has lasted for long.
        if ((await change('renew').catch(() => 1)) === 1) return
        liveness.noteLost()
        onLost()
      }
      const look = (): void => {
        // Whoever cannot tell whether it is held does not go on.
        renew().catch(onLost)
      }
      const unwatch = liveness.watch((what) => (what === 'silent' ? onLost() : look()))
      const timer = setInterval(look, liveness.leaseMs / 3)
      return {
        stop() {
          unwatch()
          clearInterval(timer)
        },
      }
    },
    release: () => change('release'),
  }
}
