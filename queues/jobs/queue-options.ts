// How the queues are set up: their jobs are hints, so that none is kept once it is taken, and one whose worker died is given out again for ever.
import type { QueueOptions, WorkerOptions } from 'bullmq'

export const toQueueOptions = (): Omit<QueueOptions, 'connection'> => ({
  defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  streams: { events: { maxLen: 0 } },
  skipMetasUpdate: true,
  // It would print a line for each queue about how Redis evicts; doctor says it once.
  skipVersionCheck: true,
})

export const toWorkerOptions = (): Omit<WorkerOptions, 'connection'> => ({
  // A wake-up is not the truth: it may be repeated any number of times, and the sweeper replaces one that was lost.
  lockDuration: 15_000,
  stalledInterval: 5000,
  maxStalledCount: 1_000_000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
  skipVersionCheck: true,
})
