// What processes of the fleet hear of each other: who lives, signals to whoever works on a conversation, and drafts as they grow.
import type { Settings } from '#infra/config/settings.ts'
import type { Log } from '#infra/log/log.ts'
import { connectSubscriber } from '#queues/connection.ts'
import { createLiveness, type Liveness } from '#queues/fleet/liveness.ts'
import type { ProcessTold } from '#queues/fleet/process-key.ts'
import { createSignals, type Signals } from '#queues/fleet/signals.ts'
import { createUnits } from '#queues/units.ts'
import { createLive, type Live } from '#queues/workers/live.ts'
import type { Connections } from './open-connections.ts'

export type News = {
  /** Whether this process and the others live. */
  readonly liveness: Liveness
  readonly signals: Signals
  readonly live: Live
}

export type NewsOptions = {
  readonly settings: Pick<Settings, 'leaseMs'>
  readonly log: Log
  /** What the process is, for who looks at the fleet. */
  readonly told?: ProcessTold
}

export async function openNews({ redis, redisUrl }: Connections, { settings, log, told }: NewsOptions): Promise<News> {
  const liveness = await createLiveness({
    redis,
    // A renewal that comes late is of no use.
    call: createUnits(redis, { patienceMs: 0 }),
    lifeMs: settings.leaseMs,
    ...(told && { told }),
    onLengthened: (lifeMs) => log.warn(toLengthened(lifeMs)),
  })
  const signals = await createSignals(connectSubscriber(redisUrl), redis, liveness.process)
  return { liveness, signals, live: createLive(connectSubscriber(redisUrl)) }
}

const toLengthened = (lifeMs: number): string =>
  `Others took over what this process was doing, twice within a minute: it was too slow to say that it lives. It has ${lifeMs / 1000} s for that now. Is there too much to do for this machine?`
