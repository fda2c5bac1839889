// How a process says that it lives: it renews a key of its own, and knows until when that cannot have ended.
import { hostname } from 'node:os'
import type { RedisClient } from '#queues/connection.ts'
import { randomId } from '#queues/partition.ts'
import type { CallUnit } from '#queues/units.ts'
import { startWatch } from '#queues/fleet/watch.ts'
import { createCertainty, type Happened, type Sure } from './certainty.ts'
import { createLifeMs } from './life-ms.ts'
import { processesKey, toProcessKey, toStoredFacts, type ProcessTold } from './process-key.ts'

export type Pulse = {
  readonly process: string
  sure(): Sure
  /** For how long Redis has answered at once while this process's own key stood, ms; negative where it does not now. */
  steadyForMs(): number
  watch(onHappened: (what: Happened) => void): () => void
  noteLost(): void
  stop(): Promise<void>
}

export type PulseOptions = {
  readonly redis: RedisClient
  /** Units that fail at once: a renewal that comes late is of no use. */
  readonly call: CallUnit
  /** How long a key lives without renewal, ms, the same for all processes. It is renewed three times in that, and once a second. */
  readonly lifeMs: number
  /** What this process is, for who looks at the fleet. */
  readonly told?: ProcessTold
  /** Told when this process makes its key live longer, because it lost leases twice in a minute. */
  readonly onLengthened?: (lifeMs: number) => void
}

const untold: ProcessTold = { role: '', does: [], settings: {} }

/** As long as that without an answer, in lives of a key, leases count as lost. */
const silentLives = 2.5
const namedEveryBeats = 30

/** However long a key lives. */
const mostBeatMs = 1000
export const toBeatMs = (lifeMs: number): number => Math.min(lifeMs / 3, mostBeatMs)

/** Begins to live. */
export async function startPulse({ redis, call, lifeMs, told = untold, onLengthened }: PulseOptions): Promise<Pulse> {
  const process = randomId()
  const life = createLifeMs(lifeMs, (longer) => onLengthened?.(longer))
  const certainty = createCertainty(toBeatMs(lifeMs))
  const about = { v: 1, ...told, host: hostname(), pid: globalThis.process.pid, usualMs: lifeMs } as const
  let beats = 0
  let isStopped = false

  const beat = async (): Promise<void> => {
    const asked = { askedAtMs: performance.now(), sinceAskedMs: startWatch(), lifeMs: Math.round(life.now()) }
    const facts = toStoredFacts({ ...about, lifeMs: asked.lifeMs })
    try {
      // Named again from time to time, should Redis lose it.
      if (beats++ % namedEveryBeats === 0)
        redis.sadd(processesKey, process).catch(() => {
          beats = 0
        })
      const stood = (await call('live', toProcessKey(process), [facts, asked.lifeMs])) === 1
      if (!stood && beats > 1) beats = 0
      if (!isStopped) certainty.noteAnswer({ ...asked, stood })
    } catch {
      certainty.noteFailure()
    }
  }
  let beating = beat()
  await beating
  const timer = setInterval(() => {
    beating = beat()
    certainty.lookForSilence(life.now() * silentLives)
  }, toBeatMs(lifeMs))
  timer.unref()
  return {
    process,
    sure: certainty.sure,
    steadyForMs: certainty.steadyForMs,
    watch: certainty.watch,
    noteLost: life.noteLost,
    async stop() {
      isStopped = true
      clearInterval(timer)
      certainty.stop()
      // A renewal under way would bring the key back.
      await beating
      await Promise.all([redis.del(toProcessKey(process)), redis.srem(processesKey, process)]).catch(() => {})
    },
  }
}
