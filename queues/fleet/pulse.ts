// How a process says that it lives: it renews a key of its own, and knows until when that cannot have ended.
import { hostname } from 'node:os'
import type { RedisClient } from '#queues/connection.ts'
import { randomId } from '#queues/partition.ts'
import type { CallUnit } from '#queues/units.ts'
import { startWatch } from '#queues/fleet/watch.ts'
import { createLifeMs } from './life-ms.ts'
import { processesKey, toProcessKey, toStoredFacts, type ProcessTold } from './process-key.ts'

/** The key had ended; or nothing was heard of Redis for long. */
export type Happened = 'lapsed' | 'silent'

/** That the key of this process cannot have ended since some moment. */
export type Sure = {
  /** Asked before something is done that others must not do too: after a pause a signal comes later than what waited in sockets. */
  holds(): boolean
  /** Aborts when it holds no more. */
  readonly signal: AbortSignal
}

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

/** A renewal that was answered. */
type Beat = {
  readonly askedAtMs: number
  readonly sinceAskedMs: () => number
  /** How long the key lives from there. */
  readonly lifeMs: number
  /** Whether the key stood until then. */
  readonly stood: boolean
}

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

type Certainty = Pick<Pulse, 'sure' | 'steadyForMs' | 'watch'> & {
  noteAnswer(beat: Beat): void
  noteFailure(): void
  lookForSilence(mostMs: number): void
  stop(): void
}

function createCertainty(promptMs: number): Certainty {
  const watchers = new Set<(what: Happened) => void>()
  let sureness = new AbortController()
  // Timers stand still while the machine sleeps, and come late after a pause.
  const isSure = (): boolean => {
    if (!last || last.sinceAskedMs() >= last.lifeMs) sureness.abort()
    return !sureness.signal.aborted
  }
  let last: Beat | undefined
  let steadySinceMs = Infinity
  let isSilent = false
  let end: NodeJS.Timeout | undefined
  return {
    sure() {
      isSure()
      const { signal } = sureness
      const holds = (): boolean => {
        isSure()
        return !signal.aborted
      }
      return { holds, signal }
    },
    steadyForMs: () => performance.now() - steadySinceMs,
    watch(onHappened) {
      watchers.add(onHappened)
      return () => {
        watchers.delete(onHappened)
      }
    },
    noteAnswer(beat) {
      const nowMs = performance.now()
      // The answer to a renewal that found the key gone may have been lost.
      const hasLapsed = last !== undefined && (!beat.stood || !isSure())
      // Of two that were under way at once the later one tells.
      if (!last || beat.askedAtMs > last.askedAtMs) last = beat
      const isPrompt = !hasLapsed && beat.stood && nowMs - beat.askedAtMs <= promptMs
      steadySinceMs = isPrompt ? Math.min(steadySinceMs, nowMs) : nowMs
      isSilent = false
      if (hasLapsed) {
        sureness.abort()
        for (const tell of watchers) tell('lapsed')
      }
      clearTimeout(end)
      if (sureness.signal.aborted) sureness = new AbortController()
      end = setTimeout(() => sureness.abort(), Math.max(0, last.lifeMs - (nowMs - last.askedAtMs)))
      end.unref()
    },
    noteFailure: () => {
      steadySinceMs = Infinity
    },
    lookForSilence(mostMs) {
      if (isSilent || performance.now() < (last?.askedAtMs ?? 0) + mostMs) return
      isSilent = true
      for (const tell of watchers) tell('silent')
    },
    stop() {
      clearTimeout(end)
      watchers.clear()
      last = undefined
      sureness.abort()
    },
  }
}
