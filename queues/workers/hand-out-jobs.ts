// Hands out what is due of a worker's jobs to its queue, in one process of the fleet at a time, under a lease.
// What two believe to hand out is done once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReaderWorker } from '#shared/feature/projection.ts'
import { runUnderLease, type LeaseOptions } from '#queues/fleet/lease.ts'
import type { ReaderQueue } from '#queues/jobs/reader-queue.ts'
import { partitions } from '#queues/partition.ts'
import type { JobId, ReaderJobs } from '#queues/records/reader-jobs.ts'
import type { CallUnit } from '#queues/units.ts'
import { tellUnlessAway, type Tell } from './tell-unless-away.ts'

export type HandOutDeps = {
  readonly worker: ReaderWorker
  readonly jobs: Pick<ReaderJobs, 'take'>
  readonly queue: Pick<ReaderQueue, 'add' | 'count'>
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
  const work = async (held: AbortSignal): Promise<void> => {
    while (!held.aborted) {
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
