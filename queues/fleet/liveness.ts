// Which processes live. Each renews one key of its own, which ends soon after its process does; leases name their process, so that what a dead
// one held can be taken at once. Who judges others must have heard Redis answer all the while: where Redis is what is slow, nobody is gone.
//
// sure -not renewed while the key lives-> unsure -answer: the key still stood-> sure
//                                         unsure -answer: it had ended-> sure, after `lapsed`: each lease is looked at
//                                         unsure -no answer for long-> `silent`: all leases count as lost
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fromStore } from '#queues/store-failure.ts'
import { toProcess, toProcessKey } from './process-key.ts'
import type { Happened, Sure } from './certainty.ts'
import { startPulse, toBeatMs, type Pulse, type PulseOptions } from './pulse.ts'

/** `unknown`: its key is gone, but this process cannot tell yet what that means. `forMs`: until when nothing changes. */
export type Told = { readonly kind: 'lives' | 'unknown'; readonly forMs: number } | { readonly kind: 'gone' }

export type Liveness = {
  readonly process: string
  /** How long a lease is kept for a process that lives, ms: longer than any step between two renewals. */
  readonly leaseMs: number
  /** A new name for who holds a lease: `@<process>/<random>`. */
  newOwner(): string
  /** This owner holds nothing any more; what Redis says it holds, as after it lost its last seconds, is free. */
  endOwner(owner: string): void
  /** Holds while this process's key cannot have ended since now. Asked for before something is taken, it tells later whether others may have it. */
  sure(): Sure
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

/** Of what a process holds, in lives of a key: it is renewed at a third, for what no answer told to be given back. */
const leaseLives = 20

/** Begins to live. */
export async function createLiveness(options: PulseOptions): Promise<Liveness> {
  const { process, steadyForMs, ...pulse } = await startPulse(options)
  const owners = new Set<string>()
  const find = createFind(options, { process, sure: pulse.sure, steadyForMs, owners })
  return {
    ...pulse,
    process,
    leaseMs: Math.round(options.lifeMs * leaseLives),
    newOwner() {
      const owner = `@${process}/${randomUUID()}`
      owners.add(owner)
      return owner
    },
    endOwner: (owner) => {
      owners.delete(owner)
    },
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
  }
}

const mostKnown = 10_000

/** Asks once for all who ask at the same time, and not again before a key can have ended. */
function createFind(
  { redis, lifeMs }: PulseOptions,
  own: Pick<Pulse, 'process' | 'sure' | 'steadyForMs'> & { readonly owners: ReadonlySet<string> },
): Liveness['find'] {
  const beatMs = toBeatMs(lifeMs)
  const known = new Map<string, { readonly kind: 'lives' | 'unknown'; readonly untilMs: number }>()
  const asked = new Map<string, Promise<Told>>()
  const note = (named: string, kind: 'lives' | 'unknown', untilMs: number): Told => {
    if (known.size >= mostKnown) known.clear()
    known.set(named, { kind, untilMs })
    return { kind, forMs: Math.max(1, untilMs - performance.now()) }
  }
  const ask = async (named: string): Promise<Told> => {
    const askedAtMs = performance.now()
    const leftMs = await fromStore(redis.pttl(toProcessKey(named)))
    if (leftMs !== -2) return note(named, 'lives', askedAtMs + leftMs)
    // Where keys end together, as when the clock of Redis is set, this process's own is gone too, or was written anew, which its answer told.
    const ownLeftMs = await fromStore(redis.pttl(toProcessKey(own.process)))
    // Whoever was kept from renewing its key by Redis, as this process was, must have had the time to do it.
    const nowMs = performance.now()
    const waitMs = lifeMs - own.steadyForMs()
    if (ownLeftMs !== -2 && nowMs - askedAtMs <= beatMs && waitMs <= 0 && own.sure().holds()) return { kind: 'gone' }
    return note(named, 'unknown', nowMs + Math.max(beatMs / 4, Math.min(waitMs, beatMs)))
  }
  return async (owner) => {
    const named = toProcess(owner)
    if (named === own.process && !own.owners.has(owner)) return { kind: 'gone' }
    if (named === undefined || named === own.process) return { kind: 'lives', forMs: Infinity }
    const told = known.get(named)
    const leftMs = (told?.untilMs ?? 0) - performance.now()
    if (told && leftMs > 0) return { kind: told.kind, forMs: leftMs }
    const asking = asked.get(named) ?? ask(named).finally(() => asked.delete(named))
    asked.set(named, asking)
    return await asking
  }
}
