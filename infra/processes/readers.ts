// A worker that reads the records of ended turns for the features that make something of them, and does the jobs that come of that. Each reader reads in
// one process at a time; its jobs are done in all processes of its worker.
import { createReaderQueue } from '#queues/jobs/reader-queue.ts'
import { createReaderJobs } from '#queues/records/reader-jobs.ts'
import { createTicks } from '#queues/records/ticks.ts'
import { doJob, type JobDeps } from '#queues/workers/do-jobs.ts'
import { followRecords } from '#queues/workers/follow-records.ts'
import { handOutJobs } from '#queues/workers/hand-out-jobs.ts'
import { createReaderQueueWorker } from '#queues/workers/reader-queue-worker.ts'
import { createReadingRoom } from '#queues/workers/reading-room.ts'
import { strikeClocks } from '#queues/workers/strike-clocks.ts'
import { toReaders, type Reader } from '#services/executor/readers/to-reader.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { ReaderWorker } from '#shared/feature/projection.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'
import { watchFeature } from './watch-feature.ts'

const everyMs = 1000
const handOutEveryMs = 500
/** In one process: more than an eighth of the usual places at a model, so that two processes use the places of a large one. */
const jobsAtOnce = 160

export function startReaders(runtime: Runtime, features: readonly Feature[], worker: ReaderWorker): Part {
  const stopping = new AbortController()
  const { call, liveness, kernel, carry, log } = runtime
  const onTrouble = onceAMinute((what, error) => log.warn(error === undefined ? {} : { err: error }, what))
  const watched = features.map((feature) => watchFeature(feature, runtime.underway))
  const onFailed = (name: string, error: unknown): void => onTrouble(`A hook of feature ${name} failed.`, error)
  const readers = toReaders(indexFeatures(watched, onFailed), worker)
  const deps = { call, liveness, kernel, carry, room: createReadingRoom(), onTrouble, everyMs }
  const running = readers.map((reader) => followRecords(deps, reader, stopping.signal))
  const working = readers.some(({ work }) => work)
    ? startJobs(runtime, { worker, readers, onTrouble, signal: stopping.signal })
    : undefined
  return {
    name: worker,
    async stop() {
      stopping.abort()
      await Promise.all([...running, working?.stop()])
    },
  }
}

type Jobs = Pick<JobDeps, 'worker' | 'onTrouble' | 'signal'> & { readonly readers: readonly Reader[] }

function startJobs(runtime: Runtime, { worker, readers, onTrouble, signal }: Jobs): { stop(): Promise<void> } {
  const { call, liveness, kernel, carry, redis, quiet, incurious, underway } = runtime
  const isQuiet = async (): Promise<boolean> =>
    (await quiet.isQuiet()) || (worker === 'curiosity' && (await incurious.isQuiet()))
  const jobs = createReaderJobs(redis, call)
  const shared = { worker, readers, jobs, isQuiet, onTrouble }
  const doing = { ...shared, kernel, carry, room: createReadingRoom(), signal }
  const connection = runtime.workerConnection()
  const queue = createReaderQueue(worker, connection)
  const leased = { ...shared, call, liveness, everyMs: handOutEveryMs }
  const running = [
    handOutJobs({ ...leased, queue }, signal),
    strikeClocks({ ...leased, ticks: createTicks(redis) }, signal),
  ]
  const queueWorker = createReaderQueueWorker(worker, {
    connection,
    concurrency: jobsAtOnce,
    handle: (job) => underway.during(`a job of ${job.reader}`, () => doJob(doing, job)),
    onTrouble,
  })
  return {
    async stop() {
      await Promise.all([...running, queueWorker.stop()])
      await queue.close().catch(() => {})
    },
  }
}
