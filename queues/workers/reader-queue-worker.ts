// Takes jobs of readers off the queue of their worker, and has them done in this process.
import { Worker, type Job } from 'bullmq'
import type { ReaderWorker } from '#shared/feature/projection.ts'
import type { RedisClient } from '#queues/connection.ts'
import { putBack } from '#queues/failure.ts'
import { queuePrefix } from '#queues/jobs/queue-names.ts'
import { toWorkerOptions } from '#queues/jobs/queue-options.ts'
import { readerPayload } from '#queues/jobs/reader-queue.ts'
import type { JobId } from '#queues/records/reader-jobs.ts'
import { restWhenRefused } from './rest-when-refused.ts'

export type ReaderQueueWorker = {
  /** Takes no more, and waits for what is being done. */
  stop(): Promise<void>
}

type Options = {
  readonly connection: RedisClient
  /** At once, in this process. */
  readonly concurrency: number
  /** Never rejects. */
  handle(job: JobId): Promise<void>
  readonly onTrouble: (what: string, error?: unknown) => void
}
const unknownPayloadDelayMs = 10_000

export function createReaderQueueWorker(name: ReaderWorker, options: Options): ReaderQueueWorker {
  const { connection, concurrency, handle, onTrouble } = options
  const worker = new Worker(
    name,
    async (job: Job, token?: string) => {
      const read = readerPayload.safeParse(job.data)
      if (read.success) return await handle(read.data)
      onTrouble(`A job of queue ${name} has an unknown payload or version; it waits for a newer worker.`)
      return await putBack(job, unknownPayloadDelayMs, token)
    },
    { connection, prefix: queuePrefix(name), concurrency, ...toWorkerOptions() },
  )
  worker.on('error', (error) => {
    // That Redis is away is said by whoever watches the connection.
    if (!('syscall' in error)) onTrouble(`The queue ${name} reports an error.`, error)
  })
  const resting = restWhenRefused(worker)
  return {
    async stop() {
      resting.end()
      await worker.close()
    },
  }
}
