// Has the clocks of readers strike, each in one process of the fleet at a time, under a lease of its own: one that takes long keeps no other waiting, and
// a process without a reader keeps nobody from its clock. What two believe to strike is done once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReaderWorker, Tick, TickJob } from '#shared/feature/projection.ts'
import { runUnderLease, type LeaseOptions } from '#queues/fleet/lease.ts'
import type { ReaderJobs } from '#queues/records/reader-jobs.ts'
import type { Ticks } from '#queues/records/ticks.ts'
import type { CallUnit } from '#queues/units.ts'
import { tellUnlessAway, type Tell } from './tell-unless-away.ts'

export type TickingReader = {
  /** `<feature>.<projection>`. */
  readonly name: string
  readonly tick?: Clock
}
type Clock = Pick<Tick, 'everyMs'> & {
  /** Those to be done since `dueMs`. */
  run(dueMs: number, signal: AbortSignal): Promise<readonly TickJob[]>
}

export type StrikeDeps = {
  readonly worker: ReaderWorker
  readonly readers: readonly TickingReader[]
  readonly jobs: Pick<ReaderJobs, 'add'>
  readonly ticks: Ticks
  readonly call: CallUnit
  readonly liveness: LeaseOptions['liveness']
  isQuiet(): Promise<boolean>
  readonly onTrouble: Tell
  /** How often it looks at what is due, ms, at most. */
  readonly everyMs: number
}

/** A clock is looked at that often, in steps that follow a clock which is set, ms. */
const lookAgainMs = 5000
const failedMs = 60_000
/** Another process may begin so long after the last one stopped. */
const lookEveryMs = 2500

/** Until `signal` aborts. */
export async function strikeClocks(deps: StrikeDeps, signal: AbortSignal): Promise<void> {
  const { call, liveness } = deps
  const running = deps.readers.map(async ({ name, tick }) => {
    if (!tick) return
    const work = async (held: AbortSignal): Promise<void> => {
      while (!held.aborted)
        await sleep(await strike(deps, name, tick, held), undefined, { signal: held }).catch(() => {})
    }
    await runUnderLease({ call, liveness, name: `clock-${name}`, lookEveryMs }, work, signal)
  })
  await Promise.all(running)
}

/** When to look again, ms. Never rejects. */
async function strike(deps: StrikeDeps, name: string, tick: Clock, signal: AbortSignal): Promise<number> {
  const { worker, jobs, ticks, isQuiet, everyMs } = deps
  try {
    const { dueMs, nowMs } = await ticks.find(name, tick.everyMs)
    if (dueMs > nowMs) return Math.min(dueMs - nowMs, lookAgainMs)
    if (await isQuiet()) return everyMs
    for (const { conversation, name: own } of await tick.run(dueMs, signal)) {
      if (signal.aborted) return 0
      await jobs.add(worker, { reader: name, conversation, name: `${own}@${dueMs}` }, 0)
    }
    await ticks.pass(name, dueMs + tick.everyMs * (Math.floor((nowMs - dueMs) / tick.everyMs) + 1))
    return everyMs
  } catch (error) {
    if (!signal.aborted) tellUnlessAway(deps.onTrouble, `The clock of ${name} failed.`, error)
    return failedMs
  }
}
