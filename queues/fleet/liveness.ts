// Which processes live. Each renews one key of its own, which ends soon after its process does; leases name their process, so that what a dead
// one held can be taken at once. Who judges others must have heard Redis answer all the while: where Redis is what is slow, nobody is gone.
//
// sure -not renewed while the key lives-> unsure -answer: the key still stood-> sure
//                                         unsure -answer: it had ended-> sure, after `lapsed`: each lease is looked at
//                                         unsure -no answer for long-> `silent`: all leases count as lost
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RedisClient } from '#queues/connection.ts'
import { randomId } from '#queues/partition.ts'
import { fromStore } from '#queues/store-failure.ts'
import { startWatch } from '#queues/workers/watch.ts'
import type { CallUnit } from '#queues/units.ts'
import { createLifeMs } from './life-ms.ts'
import { toProcess, toProcessKey, processesKey } from './process-key.ts'

/** `unknown`: its key is gone, but this process cannot tell yet what that means. `forMs`: until when nothing changes. */
export type Told = { readonly kind: 'lives' | 'unknown'; readonly forMs: number } | { readonly kind: 'gone' }

export type Happened = 'lapsed' | 'silent'

export type Liveness = {
  readonly process: string
  /** How long a lease is kept for a process that lives, ms: longer than any step between two renewals. */
  readonly leaseMs: number
  /** A new name for who holds a lease: `@<process>/<random>`. */
  newOwner(): string
  /**
   * Not aborted while this process's key cannot have ended since now. Asked for before something is taken, it tells later whether others may
   * have it.
   */
  sure(): AbortSignal
  /** Calls back when leases may have been taken. Returns what ends that. */
  watch(onHappened: (what: Happened) => void): () => void
  /** A lease of this process was taken by another one. */
  noteLost(): void
  /** What is known of the process that an owner names; one that names none lives on. Throws BotError `store-unavailable`. */
  find(owner: string): Promise<Told>
  /** Whether the owner's process is gone; waits for two lives of a key where that cannot be told at once. Throws BotError `store-unavailable`. */
  isGone(owner: string): Promise<boolean>
  /** Ends the key: what this process holds may be taken at once. */
  stop(): Promise<void>
}

type Answer = {
  readonly askedAtMs: number
  readonly watch: () => number
  readonly lifeMs: number
  readonly stood: boolean
}

export type LivenessOptions = {
  readonly redis: RedisClient
  /** Units that fail at once. */
  readonly call: CallUnit
  /** How long a key lives without renewal, ms. It is renewed three times in that. */
  readonly lifeMs: number
  /** What this process does, for who looks at the fleet. */
  readonly role?: string
  /** Told when this process makes its key live longer, because it lost leases twice in a minute. */
  readonly onLengthened?: (lifeMs: number) => void
}

/** Of what a process holds, in lives of a key: it is renewed at a third, for what no answer told to be given back. */
const leaseLives = 20
/** As long as that without an answer, in lives of a key, leases count as lost. */
const silentLives = 2.5
const mostKnown = 10_000
const namedEveryBeats = 30

/** Begins to live. */
export async function createLiveness(options: LivenessOptions): Promise<Liveness> {
  const { redis, call, role = '' } = options
  const process = randomId()
  const life = createLifeMs(options.lifeMs, (lifeMs) => options.onLengthened?.(lifeMs))
  const beatMs = options.lifeMs / 3
  const key = toProcessKey(process)
  const watchers = new Set<(what: Happened) => void>()
  let sureness = new AbortController()
  /** Since the renewal that was answered last was asked for, and how long the key lives from there. */
  let sinceAskedMs = startWatch()
  let livesForMs = 0
  /** Since when Redis has answered at once, and this process's own key has stood. */
  let steadySinceMs = Infinity
  let isSilent = false
  /** When that was asked which was answered last. */
  let heardMs = 0
  let beats = 0
  const known = new Map<string, { readonly kind: 'lives' | 'unknown'; readonly untilMs: number }>()
  const asked = new Map<string, Promise<Told>>()

  const beat = async (): Promise<void> => {
    const askedAtMs = performance.now()
    const watch = startWatch()
    const lifeMs = life.now()
    try {
      const about = JSON.stringify({ role, host: hostname(), pid: globalThis.process.pid, lifeMs })
      // Named again from time to time, should Redis lose it.
      if (beats++ % namedEveryBeats === 0) redis.sadd(processesKey, process).catch(() => void (beats = 0))
      const stood = (await call('live', key, [about, Math.round(lifeMs)])) === 1
      noteAnswer({ askedAtMs, watch, lifeMs, stood })
    } catch {
      steadySinceMs = Infinity
    }
  }
  const noteAnswer = ({ askedAtMs, watch, lifeMs, stood }: Answer): void => {
    const nowMs = performance.now()
    const isFirst = heardMs === 0
    // Of two that were under way at once the later one tells.
    if (askedAtMs > heardMs) {
      heardMs = askedAtMs
      sinceAskedMs = watch
      livesForMs = lifeMs
    }
    steadySinceMs = stood && nowMs - askedAtMs <= beatMs ? Math.min(steadySinceMs, nowMs) : nowMs
    isSilent = false
    if (!stood && !isFirst) {
      beats = 0
      sureness.abort()
      for (const tell of [...watchers]) tell('lapsed')
    }
    clearTimeout(end)
    if (sureness.signal.aborted) sureness = new AbortController()
    end = setTimeout(() => sureness.abort(), livesForMs - (nowMs - heardMs))
    end.unref()
  }
  let end: NodeJS.Timeout | undefined
  const tick = (): void => {
    void beat()
    if (isSilent || performance.now() < heardMs + life.now() * silentLives) return
    isSilent = true
    for (const tell of [...watchers]) tell('silent')
  }

  await beat()
  const timer = setInterval(tick, beatMs)
  timer.unref()

  /** Timers stand still while the machine sleeps. */
  const sure = (): AbortSignal => {
    if (sinceAskedMs() >= livesForMs) sureness.abort()
    return sureness.signal
  }
  const ask = async (named: string): Promise<Told> => {
    const askedAtMs = performance.now()
    const leftMs = await fromStore(redis.pttl(toProcessKey(named)))
    const nowMs = performance.now()
    // Whoever was kept from renewing its key by Redis, as this process was, must have had the time to do it.
    const steadyForMs = nowMs - steadySinceMs
    const isSteady = nowMs - askedAtMs <= beatMs && steadyForMs >= options.lifeMs && !sure().aborted
    if (leftMs === -2 && isSteady) return { kind: 'gone' }
    const told =
      leftMs === -2
        ? ({
            kind: 'unknown',
            untilMs: nowMs + Math.max(beatMs / 4, Math.min(options.lifeMs - steadyForMs, beatMs)),
          } as const)
        : ({ kind: 'lives', untilMs: askedAtMs + Math.max(leftMs, 1) } as const)
    if (known.size >= mostKnown) known.clear()
    known.set(named, told)
    return { kind: told.kind, forMs: Math.max(1, told.untilMs - nowMs) }
  }
  const find = async (owner: string): Promise<Told> => {
    const named = toProcess(owner)
    if (named === undefined || named === process) return { kind: 'lives', forMs: Infinity }
    const told = known.get(named)
    const leftMs = (told?.untilMs ?? 0) - performance.now()
    if (told && leftMs > 0) return { kind: told.kind, forMs: leftMs }
    const asking = asked.get(named) ?? ask(named).finally(() => asked.delete(named))
    asked.set(named, asking)
    return await asking
  }

  return {
    process,
    leaseMs: Math.round(options.lifeMs * leaseLives),
    newOwner: () => `@${process}/${randomUUID()}`,
    sure,
    watch(onHappened) {
      watchers.add(onHappened)
      return () => void watchers.delete(onHappened)
    },
    noteLost: life.noteLost,
    find,
    async isGone(owner) {
      const untilMs = performance.now() + 2 * options.lifeMs
      for (;;) {
        const told = await find(owner)
        if (told.kind !== 'unknown') return told.kind === 'gone'
        if (performance.now() + told.forMs > untilMs) return false
        await sleep(told.forMs)
      }
    },
    async stop() {
      clearInterval(timer)
      clearTimeout(end)
      sureness.abort()
      watchers.clear()
      await Promise.all([redis.del(key), redis.srem(processesKey, process)]).catch(() => {})
    },
  }
}
