// A lease on something that only one process may do at a time, such as polling a platform. It says who works, not what was done:
// whatever is written under it must be safe when two believe they hold it for a moment.
//
// waiting -take-> held -renew*-> held; held -no renewal in time, or another owner-> lost (the work is aborted) -> waiting.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'

export type LeaseOptions = {
  readonly call: CallUnit
  /** Names what is held, e.g. `poll-telegram-4711`; it gets a hash tag of its own. */
  readonly name: string
  readonly ttlMs: number
  /** So long it is left to others when `work` ends by itself, ms. */
  readonly leftForMs?: number
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
  const owner = randomUUID()
  const key = toKey(options.name)
  const change = async (what: 'take' | 'renew' | 'release'): Promise<boolean> =>
    (await options.call('lease', key, [what, owner, options.ttlMs])) === 1
  while (!signal.aborted) {
    const askedAtMs = performance.now()
    if (!(await change('take').catch(() => false))) {
      await sleep(options.ttlMs / 4, undefined, { signal }).catch(() => {})
      continue
    }
    const lost = new AbortController()
    const renewal = keepRenewed(change, { ttlMs: options.ttlMs, heldUntilMs: askedAtMs + options.ttlMs }, () =>
      lost.abort(),
    )
    try {
      await work(AbortSignal.any([lost.signal, signal]))
    } finally {
      renewal.stop()
      await change('release').catch(() => false)
    }
    if (options.leftForMs && !lost.signal.aborted) await sleep(options.leftForMs, undefined, { signal }).catch(() => {})
  }
}

/** Whether anybody holds it now. */
export async function isLeaseHeld(redis: RedisClient, name: string): Promise<boolean> {
  return (await fromStore(redis.exists(toKey(name)))) === 1
}

/** Leaves a sign that `isLeaseHeld` finds until it runs out, for others to see what happened here. */
export async function leaveSign(call: CallUnit, name: string, ttlMs: number): Promise<void> {
  await call('lease', toKey(name), ['take', 'sign', ttlMs])
}

const toKey = (name: string): string => `fl:{${name}}`

function keepRenewed(
  change: (what: 'renew') => Promise<boolean>,
  start: { readonly ttlMs: number; readonly heldUntilMs: number },
  onLost: () => void,
): { stop(): void } {
  let { heldUntilMs } = start
  const renew = async (): Promise<void> => {
    const askedAtMs = performance.now()
    if (askedAtMs > heldUntilMs) onLost()
    try {
      if (await change('renew')) heldUntilMs = Math.max(heldUntilMs, askedAtMs + start.ttlMs)
      else onLost()
    } catch {
      // Redis is silent: the lease counts as lost once it has run out, which a later round notices.
    }
  }
  const timer = setInterval(() => void renew(), start.ttlMs / 4)
  return { stop: () => clearInterval(timer) }
}
