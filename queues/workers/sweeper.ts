// Finds work whose hint was lost or whose worker died, and hints it again, and lets due timers fire. Any process may run one; a lease lets one
// at a time work. What a process held that is gone is looked for at once.
// However long nobody takes hints, a queue holds no more of them than bounded by the work there is, in the order in which it was due.
import { setTimeout as sleep } from 'node:timers/promises'
import { address } from '#shared/chat/address.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { QueueName } from '#queues/jobs/queue-names.ts'
import { runUnderLease, type LeaseOptions } from '#queues/fleet/lease.ts'
import type { Processes } from '#queues/fleet/processes.ts'
import { partitions } from '#queues/partition.ts'
import type { Due, Kernel, Swept } from '#queues/kernel/kernel.ts'
import type { Carry } from './carry-letters.ts'
import { createFiring } from './fire-timers.ts'
import { tellUnlessAway } from './tell-unless-away.ts'

export type SweeperDeps = {
  readonly kernel: Pick<Kernel, 'sweep' | 'fire'>
  readonly hints: Pick<Hints, 'sweep' | 'look' | 'inbound' | 'queueOf'>
  readonly processes: Processes
  readonly carry?: Carry
  /** Whether no timer is to fire now. */
  isQuiet(): Promise<boolean>
  readonly everyMs: number
  /** Work younger than this has its own hint on the way. */
  readonly graceMs: number
  /** Told of a queue or a partition that cannot be read: the pass goes on without it. */
  onTrouble(what: string, error: unknown): void
}

const fullPage = 100
/** Work is hinted so soon after it is due, mostly; a hint too many costs little. */
const hintedWithinMs = 500
/** Two machines that know Redis' time differ by at most so much. */
const clocksApartMs = 1000
/** Of each partition in one pass: the rest comes in the next. */
const mostPages = 10
/** A queue with this many hints more than two for each piece of work gets none. Workers that die take hints along for some seconds. */
const spareHints = 1000
/** Another process may begin so long after the last one stopped. */
const lookEveryMs = 5000

/** Sweeps until `signal` aborts. */
export async function runSweeper(
  deps: SweeperDeps & Pick<LeaseOptions, 'call' | 'liveness'>,
  signal: AbortSignal,
): Promise<void> {
  const { call, liveness, everyMs, processes } = deps
  const sweep = async (held: AbortSignal): Promise<void> => {
    let nextMs = performance.now()
    while (!held.aborted) {
      // While Redis is away nothing is due sooner than usual.
      const found = await processes.look().then(
        (isNews) => (isNews ? 'news' : 'nothing'),
        () => 'away',
      )
      if (found === 'news' || performance.now() >= nextMs) {
        await sweepOnce(deps).catch(() => {})
        nextMs = performance.now() + everyMs * (0.75 + Math.random() / 2)
      }
      const waitMs = Math.min(nextMs - performance.now(), found === 'away' ? Infinity : processes.nextMs())
      await sleep(Math.max(waitMs, leastWaitMs), undefined, { signal: held }).catch(() => {})
    }
  }
  await runUnderLease({ call, liveness, name: 'sweeper', lookEveryMs }, sweep, signal)
}
const leastWaitMs = 20

/** One pass over all partitions. */
export async function sweepOnce({
  kernel,
  hints,
  processes,
  carry,
  isQuiet,
  graceMs,
  onTrouble,
}: SweeperDeps): Promise<void> {
  const fire = createFiring({ kernel, hints, isQuiet, onTrouble, ...(carry ? { carry } : {}) })
  const firing: Promise<void>[] = []
  const found = await Promise.all(Array.from({ length: partitions }, (_, partition) => collect(partition)))
  const work = found.reduce((sum, one) => sum + one.work, 0)
  const oldestWorkMs = Math.max(...found.map(({ oldestMs }) => oldestMs))
  const due = found.flatMap((one) => one.due)
  const named = due.filter(({ conversation }) => address.safeParse(conversation).success)
  if (named.length < due.length)
    onTrouble('Redis holds work for something that is no conversation; it is left alone.', undefined)
  const byQueue = Map.groupBy(named, ({ what, conversation }) => hints.queueOf(what, conversation))
  for (const [queue, lost] of byQueue) {
    const onFailure = (error: unknown): void =>
      onTrouble(`Lost work of the queue ${queue} cannot be hinted. See flotilla doctor.`, error)
    await hintLost(queue, lost).catch(onFailure)
  }
  await Promise.all(firing)

  async function hintLost(queue: QueueName, overdue: readonly Due[]): Promise<void> {
    const { count, oldestMs: stampedMs } = await hints.look(queue)
    if (count > work * 2 + spareHints) return
    // No hint is older than all work: such a one is of a machine whose clock is slow, and says nothing of what waits behind it.
    const oldestMs = stampedMs > oldestWorkMs + clocksApartMs ? 0 : stampedMs
    // What is due for less time than the next hint waits has its own behind that one, unless somebody took it and died.
    const lost = overdue.filter(({ isDropped, sinceMs }) => isDropped || sinceMs >= oldestMs + hintedWithinMs)
    // Each goes before all others, so the oldest comes last.
    const ordered = lost.toSorted((a, b) => a.sinceMs - b.sinceMs)
    await Promise.all(ordered.map(({ conversation, sinceMs }) => hints.sweep(queue, conversation, sinceMs)))
  }

  async function collect(partition: number): Promise<Swept> {
    const all: Due[] = []
    try {
      for (let page = 1; ; page++) {
        const here = await kernel.sweep(partition, graceMs, processes.gone())
        processes.note(here.holders)
        if (here.fires && page === 1) firing.push(fire(partition))
        all.push(...here.due)
        if (here.due.length < fullPage || page === mostPages) return { ...here, due: all }
      }
    } catch (error) {
      tellUnlessAway(onTrouble, 'Lost work of a partition cannot be found. See flotilla doctor.', error)
      // What is due there fires all the same.
      firing.push(fire(partition))
      return { work: 0, oldestMs: 0, holders: [], fires: true, due: all }
    }
  }
}
