// Hands out what is due of a worker's jobs to its queue, and has its readers' clocks strike: in one process of the fleet at a time, under a lease.
// What two believe to hand out is done once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReaderWorker, Tick, TickJob } from '#shared/feature/projection.ts'
import { runUnderLease, type LeaseOptions } from '#queues/fleet/lease.ts'
import type { ReaderQueue } from '#queues/jobs/reader-queue.ts'
import { partitions } from '#queues/partition.ts'
import type { JobId, ReaderJobs } from '#queues/records/reader-jobs.ts'
import type { Ticks } from '#queues/records/ticks.ts'
import type { CallUnit } from '#queues/units.ts'
import { tellUnlessAway, type Tell } from './tell-unless-away.ts'

export type TickingReader = {
  /** `<feature>.<projection>`. */
  readonly name: string
  readonly tick?: Pick<Tick, 'everyMs'> & {
    /** Those to be done since `dueMs`. */
    run(dueMs: number, signal: AbortSignal): Promise<readonly TickJob[]>
  }
}

export type HandOutDeps = {
  readonly worker: ReaderWorker
  readonly readers: readonly TickingReader[]
  readonly jobs: Pick<ReaderJobs, 'take' | 'add'>
  readonly queue: Pick<ReaderQueue, 'add' | 'count'>
  readonly ticks: Ticks
  readonly call: CallUnit
  readonly liveness: LeaseOptions['liveness']
  isQuiet(): Promise<boolean>
  readonly onTrouble: Tell
  /** How often it looks for what is due, ms. */
  readonly everyMs: number
}

/** The queue holds as many seconds of work as a fleet has at least; the rest waits where it can be put in order. */
const mostQueued = 512
const fewest = 4

/** Until `signal` aborts. */
export async function handOutJobs(deps: HandOutDeps, signal: AbortSignal): Promise<void> {
  const { call, liveness, worker } = deps
  const notBefore = new Map<string, number>()
  const work = async (held: AbortSignal): Promise<void> => {
    while (!held.aborted) {
      await strike(deps, notBefore, held)
      const isMore = await handOut(deps)
      if (!isMore) await sleep(deps.everyMs, undefined, { signal: held }).catch(() => {})
    }
  }
  await runUnderLease({ call, liveness, name: `jobs-${worker}` }, work, signal)
}

/** Whether there may be more, and room for it. Never rejects. */
async function handOut({ worker, jobs, queue, isQuiet, onTrouble }: HandOutDeps): Promise<boolean> {
  try {
    if (await isQuiet()) return false
    const room = mostQueued - (await queue.count())
    if (room <= 0) return false
    const most = Math.max(fewest, Math.ceil(room / partitions))
    const take = async (partition: number): Promise<readonly JobId[]> =>
      await jobs.take(worker, partition, most).catch((error: unknown) => {
        // One that is broken holds up no other.
        tellUnlessAway(onTrouble, `Jobs of partition ${partition} cannot be handed out. See flotilla doctor.`, error)
        return []
      })
    const taken = (await Promise.all(Array.from({ length: partitions }, (_, partition) => take(partition)))).flat()
    if (taken.length > 0) await queue.add(taken)
    return taken.length > 0 && taken.length < room
  } catch (error) {
    tellUnlessAway(onTrouble, `Jobs of the ${worker} worker cannot be handed out. See flotilla doctor.`, error)
    return false
  }
}

const againMs = 60_000

/** What fails is tried again after a minute. Never rejects. */
async function strike(deps: HandOutDeps, notBefore: Map<string, number>, signal: AbortSignal): Promise<void> {
  const { ticks, isQuiet, onTrouble } = deps
  for (const { name, tick } of deps.readers) {
    if (!tick || performance.now() < (notBefore.get(name) ?? -Infinity)) continue
    try {
      const { dueMs, nowMs } = await ticks.find(name, tick.everyMs)
      // It is not asked again before that, in steps that follow a clock which is set.
      notBefore.set(name, performance.now() + Math.min(Math.max(dueMs - nowMs, 0), lookAgainMs))
      if (dueMs > nowMs || (await isQuiet())) continue
      for (const { conversation, name: own } of await tick.run(dueMs, signal))
        await deps.jobs.add(deps.worker, { reader: name, conversation, name: `${own}@${dueMs}` }, 0)
      await ticks.pass(name, dueMs + tick.everyMs * (Math.floor((nowMs - dueMs) / tick.everyMs) + 1))
    } catch (error) {
      notBefore.set(name, performance.now() + againMs)
      tellUnlessAway(onTrouble, `The clock of ${name} failed.`, error)
    }
  }
}
const lookAgainMs = 5000
