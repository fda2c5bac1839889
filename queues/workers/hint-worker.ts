// Takes hints off one queue and calls a handler per conversation. A payload it does not understand is put back for a newer worker
// and counted; it never fails the queue.
import { Worker, type Job } from 'bullmq'
import { hintPayload } from '#queues/jobs/hints.ts'
import { listShards, queuePrefix, type QueueKind, type QueueName } from '#queues/jobs/queue-names.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { createGate } from './start-gate.ts'
import { putBack } from '#queues/failure.ts'

export type HintHandler = (conversation: ConversationId, signal: AbortSignal) => Promise<void>

export type HintWorker = {
  /** Takes no more hints, lets handlers finish for `graceMs`, then aborts them. */
  stop(graceMs: number): Promise<void>
}

export type HintWorkerOptions = {
  readonly queue: QueueName
  readonly connection: RedisClient
  readonly concurrency: number
  readonly handler: HintHandler
  /** Told of jobs put back and handlers that threw. */
  readonly onTrouble: (what: string, error?: unknown) => void
}

/** Takes hints off all shards of a queue; all together handle `concurrency` at once at most. */
export function createHintWorkers(
  queue: QueueKind,
  shards: number,
  options: Omit<HintWorkerOptions, 'queue'>,
): HintWorker {
  const concurrency = Math.ceil(options.concurrency / shards)
  const gate = createGate(options.concurrency)
  const handler: HintHandler =
    shards === 1 ? options.handler : (conversation, signal) => gate(() => options.handler(conversation, signal))
  const workers = listShards(queue, shards).map((shard) =>
    createHintWorker({ ...options, queue: shard, concurrency, handler }),
  )
  return {
    async stop(graceMs) {
      await Promise.all(workers.map((worker) => worker.stop(graceMs)))
    },
  }
}

const unknownPayloadDelayMs = 10_000
/**
 * BullMQ begins what it has fetched only when there is no more or it may hold no more, and it fetches one by one: with room for a
 * thousand, a burst would stand still until the thousandth is there. So the room grows with what has begun, until the queue is empty.
 */
const fetchedAhead = 32

export function createHintWorker(options: HintWorkerOptions): HintWorker {
  const stopping = new AbortController()
  let running = 0
  const roomAhead = (): number => Math.min(options.concurrency, running + fetchedAhead)
  const worker = new Worker(
    options.queue,
    async (job: Job, token?: string) => {
      const payload = hintPayload.safeParse(job.data)
      if (!payload.success) {
        options.onTrouble(
          `A job of queue ${options.queue} has an unknown payload or version; it waits for a newer worker.`,
        )
        return await putBack(job, unknownPayloadDelayMs, token)
      }
      running += 1
      worker.concurrency = Math.max(worker.concurrency, roomAhead())
      const { conversation, also = [] } = payload.data
      const handled = [conversation, ...also].map((one) => options.handler(one, stopping.signal))
      const ends = await Promise.allSettled(handled).finally(() => (running -= 1))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
    {
      connection: options.connection,
      prefix: queuePrefix(options.queue),
      concurrency: roomAhead(),
      // A wake-up is not the truth: it may be repeated any number of times, and the sweeper replaces one that was lost.
      lockDuration: 15_000,
      stalledInterval: 5000,
      maxStalledCount: 1_000_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      skipVersionCheck: true,
    },
  )
  worker.on('drained', () => (worker.concurrency = roomAhead()))
  worker.on('error', (error) => options.onTrouble(`queue ${options.queue}`, error))
  worker.on('failed', (_, error) =>
    options.onTrouble(`A handler of queue ${options.queue} failed; the sweeper tries again.`, error),
  )
  return {
    async stop(graceMs) {
      const closing = worker.close()
      const timer = setTimeout(() => stopping.abort(), graceMs)
      await closing.finally(() => clearTimeout(timer))
    },
  }
}
