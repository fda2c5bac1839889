// Takes hints off one queue and lets their conversations in where they are worked on. A payload it does not understand is put back for a newer
// worker and counted; it never fails the queue.
import { Worker, type Job } from 'bullmq'
import { hintPayload, togetherAtMost, type Hints } from '#queues/jobs/hints.ts'
import { listShards, queuePrefix, type QueueKind, type QueueName } from '#queues/jobs/queue-names.ts'
import { toWorkerOptions } from '#queues/jobs/queue-options.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Crowd, Entrance } from './crowd.ts'
import { restWhenRefused } from './rest-when-refused.ts'
import { putBack } from '#queues/failure.ts'

export type HintWorker = {
  /** Takes no more hints. The crowd has to be stopped with it: as long as there is no room, the last job waits. */
  stop(): Promise<void>
}

type Options = {
  readonly connection: RedisClient
  /** Takes back what there is no room for. */
  readonly hints: Pick<Hints, 'putFirst'>
  /** Told of jobs put back. */
  readonly onTrouble: (what: string, error?: unknown) => void
}
export type HintWorkerOptions = Options & {
  readonly crowd: Pick<Crowd, 'openEntrance'>
  /** Of all shards together; each has room for one at least. */
  readonly concurrency: number
}

/** Takes hints off all shards of a queue. */
export function createHintWorkers(
  queue: QueueKind,
  shards: number,
  { crowd, concurrency, ...options }: HintWorkerOptions,
): HintWorker {
  const workers = listShards(queue, shards).map((shard) =>
    createHintWorker(shard, crowd.openEntrance(Math.ceil(concurrency / shards)), options),
  )
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

const unknownPayloadDelayMs = 10_000
/** With room for so many a job is taken when as many find room as the last one held, or a little later. */
const roomy = 4 * togetherAtMost

/**
 * A job ends when its conversations have begun, and the next one is taken when there is room: how long they run is their own affair. Should the
 * process die, the sweeper finds them.
 */
function createHintWorker(queue: QueueName, entrance: Entrance, { connection, hints, onTrouble }: Options): HintWorker {
  async function putFirst(conversations: readonly ConversationId[], timestamp: number): Promise<void> {
    try {
      await hints.putFirst(queue, conversations, timestamp)
    } catch (error) {
      onTrouble(`Hints of queue ${queue} cannot be put back; the sweeper finds them.`, error)
    }
  }
  const worker = new Worker(
    queue,
    async (job: Job, token?: string) => {
      const payload = hintPayload.safeParse(job.data)
      if (!payload.success) {
        onTrouble(`A job of queue ${queue} has an unknown payload or version; it waits for a newer worker.`)
        return await putBack(job, unknownPayloadDelayMs, token)
      }
      const { conversation, also = [] } = payload.data
      const all = [conversation, ...also]
      const rest = all.filter((one) => !entrance.offer(one))
      if (rest.length > 0) await putFirst(rest, job.timestamp)
      await entrance.room(entrance.most >= roomy ? Math.min(all.length, togetherAtMost) : 1)
    },
    {
      connection,
      prefix: queuePrefix(queue),
      concurrency: 1,
      ...toWorkerOptions(),
    },
  )
  worker.on('error', (error) => {
    // That Redis is away is said by whoever watches the connection.
    if (!('syscall' in error)) onTrouble(`The queue ${queue} reports an error.`, error)
  })
  const resting = restWhenRefused(worker)
  return {
    async stop() {
      resting.end()
      await worker.close()
    },
  }
}
