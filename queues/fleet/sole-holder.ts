// A lock on a Redis for one kind of process: the bot that serves a channel, or the layout in which state is stored. Any
// number of processes of that kind may hold it together; one of another kind does not work beside them.
import { setTimeout as sleep } from 'node:timers/promises'
import { BotError } from '#shared/errors.ts'
import type { CallUnit } from '#queues/units.ts'

export type SoleHolder = {
  readonly call: CallUnit
  /** Names the lock; it gets a hash tag of its own. */
  readonly lock: string
  /** Tells this kind of process from others. */
  readonly holder: string
  /** What is said to one of another kind. */
  readonly refusal: string
  /** So long a lock outlives the last process of its kind. */
  readonly ttlMs: number
  /** Another kind took the lock, while Redis or this process was away. Told once; the lock is not sought again. */
  readonly onLost: (why: string) => void
}

/** Throws BotError `config` when another kind works, and goes on to, for longer than a lock lives. Keeps the lock until `stop`. */
export async function holdLock(sole: SoleHolder): Promise<{ stop(): void }> {
  const { call, lock, holder, refusal, ttlMs, onLost } = sole
  const take = async (): Promise<boolean> => (await call('lease', `fl:{${lock}}`, ['take', holder, ttlMs])) === 1
  const untilMs = performance.now() + ttlMs * 1.25
  while (!(await take())) {
    if (performance.now() > untilMs) throw new BotError('config', refusal)
    await sleep(ttlMs / 10)
  }
  const lose = (): void => {
    clearInterval(timer)
    onLost(refusal)
  }
  const timer = setInterval(() => {
    take().then(
      (isHeld) => isHeld || lose(),
      // Redis is away, as it may be for a while.
      () => {},
    )
  }, ttlMs / 4)
  return { stop: () => clearInterval(timer) }
}
