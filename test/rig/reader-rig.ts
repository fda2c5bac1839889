// Workers of readers over one real Redis, as several processes would have them: records are written as turns end, and what their jobs lead to is read
// from the letters that are written.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReaderJob, TickJob } from '#shared/feature/projection.ts'
import type { Letter } from '#shared/run/step.ts'
import { connectWorker } from '#queues/connection.ts'
import { createReaderQueue } from '#queues/jobs/reader-queue.ts'
import { partitions } from '#queues/partition.ts'
import { createReaderJobs } from '#queues/records/reader-jobs.ts'
import { createTicks } from '#queues/records/ticks.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { doJob } from '#queues/workers/do-jobs.ts'
import { followRecords } from '#queues/workers/follow-records.ts'
import { handOutJobs } from '#queues/workers/hand-out-jobs.ts'
import { createReaderQueueWorker } from '#queues/workers/reader-queue-worker.ts'
import { strikeClocks } from '#queues/workers/strike-clocks.ts'
import { createReadingRoom } from '#queues/workers/reading-room.ts'
import { mustClaim, step } from '#test/contracts/kernel-fixtures.ts'
import { recorded } from './records.ts'
import { createStillLiveness } from './still-liveness.ts'
import type { Store } from './store.ts'

export const readerName = 'notes.learn'

export type RigReader = {
  work(job: ReaderJob, signal: AbortSignal): Promise<readonly Letter[]>
  readonly tick?: {
    readonly everyMs: number
    run(dueMs: number, signal: AbortSignal): Promise<readonly TickJob[]>
  }
  readonly inMs?: number
}
export type RigWorker = {
  readonly troubles: readonly string[]
  stop(): Promise<void>
}
type Options = {
  readonly concurrency?: number
  readonly isQuiet?: () => boolean
  /** Wraps the units of this process. */
  readonly wrap?: (call: CallUnit) => CallUnit
}

/** One process: it reads, hands out and does jobs, each where it has the lease. */
export function startReaderWorker(store: Store, reader: RigReader, options: Options = {}): RigWorker {
  const { concurrency = 8, isQuiet = () => false, wrap = (call) => call } = options
  const call = wrap(createUnits(store.redis, { patienceMs: 10_000 }))
  const stopping = new AbortController()
  const { signal } = stopping
  const troubles: string[] = []
  const onTrouble = (what: string): void => void troubles.push(what)
  const worker = 'reflection'
  const jobs = createReaderJobs(store.redis, call)
  const connection = connectWorker(store.server.url)
  const queue = createReaderQueue(worker, connection)
  const own = {
    name: readerName,
    work: reader.work,
    ...(reader.tick && { tick: reader.tick }),
    take: async () => ({ letters: [], job: { worker, inMs: reader.inMs ?? 0 } }) as const,
  }
  const liveness = createStillLiveness({ process: randomUUID() })
  const shared = { worker, readers: [own], jobs, isQuiet: async () => isQuiet(), onTrouble } as const
  const carry = (): void => {}
  const { kernel } = store
  const room = createReadingRoom()
  const running = [
    followRecords({ kernel, call, liveness, carry, room, onTrouble, everyMs: 20 }, own, signal),
    handOutJobs({ ...shared, queue, call, liveness, everyMs: 20 }, signal),
    strikeClocks({ ...shared, ticks: createTicks(store.redis), call, liveness, everyMs: 20 }, signal),
  ]
  const doing = { ...shared, kernel, carry, room: createReadingRoom(), signal }
  const taking = createReaderQueueWorker(worker, {
    connection,
    concurrency,
    onTrouble,
    handle: (job) => doJob(doing, job),
  })
  return {
    troubles,
    async stop() {
      stopping.abort()
      await Promise.all([...running, taking.stop()])
      await queue.close().catch(() => {})
      connection.disconnect()
    },
  }
}

/** Turns end in a conversation. */
export async function endTurns(store: Store, conversation: string, ...turns: readonly string[]): Promise<void> {
  for (const turn of turns) {
    const { epoch } = await mustClaim(store.kernel, conversation)
    await store.kernel.append(conversation, epoch, step(turn, { records: [recorded(turn, [`m-${turn}`])] }))
  }
}

export const letterOf = ({ conversation, name, line }: ReaderJob): Letter => ({
  event: {
    v: 1,
    kind: 'letter',
    id: `${conversation}/${readerName}-${name}-letter-0`,
    conversation,
    principal: 'telegram:1',
    from: conversation,
    letter: 'notes.learned',
    payload: line && 'id' in line ? line.id : name,
  },
})

/** What all letters say that are on their way. */
export async function readLetters(store: Store): Promise<readonly string[]> {
  const all = await Promise.all(Array.from({ length: partitions }, (_, partition) => store.kernel.giveOut(partition)))
  return all.flatMap(({ letters }) => letters.map(({ says }) => String(JSON.parse(says).payload)))
}

export async function until(holds: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  for (const endMs = performance.now() + withinMs; !(await holds()); await sleep(20))
    if (performance.now() > endMs) throw new Error('It never came to be.')
}
