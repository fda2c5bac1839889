// The queue of a worker of readers, on BullMQ: which job is to be done next, by whichever process has room. Its jobs are hints: one that is lost
// comes again from the partition that keeps it, and one that comes twice is done once.
import { createHash } from 'node:crypto'
import { Queue } from 'bullmq'
import { z } from 'zod'
import type { ReaderWorker } from '#shared/feature/projection.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { JobId } from '#queues/records/reader-jobs.ts'
import { toQueueOptions } from './queue-options.ts'
import { queuePrefix } from './queue-names.ts'

export const readerPayload = z.object({
  v: z.literal(1),
  reader: z.string(),
  conversation: z.string(),
  name: z.string(),
})

export type ReaderQueue = {
  add(jobs: readonly JobId[]): Promise<void>
  /** How many wait or are being done. */
  count(): Promise<number>
  close(): Promise<void>
}

/** An operator who looks at the queue sees whose job it is; the rest tells conversations apart. */
const toId = ({ reader, conversation, name }: JobId): string =>
  `${reader}/${name}/${createHash('sha256').update(conversation).digest('base64url').slice(0, 12)}`

export function createReaderQueue(worker: ReaderWorker, connection: RedisClient): ReaderQueue {
  const queue = new Queue(worker, { connection, prefix: queuePrefix(worker), ...toQueueOptions() })
  queue.on('error', () => {})
  return {
    async add(jobs) {
      await queue.addBulk(jobs.map((job) => ({ name: 'job', data: { v: 1, ...job }, opts: { jobId: toId(job) } })))
    },
    count: () => queue.getJobCountByTypes('wait', 'active'),
    close: () => queue.close(),
  }
}
