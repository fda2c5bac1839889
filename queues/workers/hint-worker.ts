// Takes hints off one queue and lets their conversations in where they are worked on. A payload it does not understand is put back for a newer
// worker and counted; it never fails the queue.
import { Worker, type Job } from 'bullmq'
import { hintPayload, togetherAtMost, type Hints } from '#queues/jobs/hints.ts'
import { listShards, queuePrefix, type QueueKind, type QueueName } from '#queues/jobs/queue-names.ts'
import { toWorkerOptions } from '#queues/jobs/queue-options.ts'
import type { Address } from '#shared/chat/address.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Entrance } from './crowd.ts'
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
  /** Where what its hints name is let in. */
  openEntrance(): Entrance
}

/** Takes hints off all shards of a queue. */
export function createHintWorkers(
  queue: QueueKind,
  shards: number,
  { openEntrance, ...options }: HintWorkerOptions,
): HintWorker {
  const workers = listShards(queue, shards).map((shard) => createHintWorker(shard, openEntrance(), options))
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
  async function putFirst(conversations: readonly Address[], timestamp: number): Promise<void> {
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
