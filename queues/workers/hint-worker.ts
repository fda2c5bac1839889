// Takes hints off one queue and calls a handler per conversation. A payload it does not understand is put back for a newer worker
// and counted; it never fails the queue.
import { Worker, type Job } from 'bullmq'
import { hintPayload, togetherAtMost, type Hints } from '#queues/jobs/hints.ts'
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
  /** Of a queue whose jobs hold several: takes back what there is no room for. */
  readonly hints?: Pick<Hints, 'putFirst'>
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
 * thousand, a burst would stand still until the thousandth is there. So its room, which it counts in jobs, grows with what has begun.
 */
const fetchedAhead = 32
/** With room for at least so many conversations a job is fetched only where all that it can hold would find room. */
const roomy = 4 * togetherAtMost

/** The room of a worker: it has so much in conversations, and BullMQ is told of it in jobs. */
function createRoom({ concurrency, hints }: Pick<HintWorkerOptions, 'concurrency' | 'hints'>) {
  let running = 0
  let jobs = 0
  const left = (): number => Math.max(0, concurrency - running)
  function ahead(): number {
    // Each of its jobs holds one.
    if (!hints) return Math.min(fetchedAhead, left())
    // With little room the next job is fetched when the one before has taken what it needs.
    return concurrency < roomy ? Math.min(1, left()) : Math.min(fetchedAhead, Math.floor(left() / togetherAtMost))
  }
  return {
    /** How many of a job's conversations are begun: at least one, and all where nothing can be put back. */
    share: (queued: number): number => (hints ? Math.min(queued, Math.max(1, left())) : queued),
    /** A job is at work on so many; returns what ends that. */
    enter(conversations: number): () => void {
      running += conversations
      jobs += 1
      return () => {
        running -= conversations
        jobs -= 1
      }
    },
    jobsAtMost: (): number => Math.max(1, jobs + ahead()),
  }
}

export function createHintWorker(options: HintWorkerOptions): HintWorker {
  const stopping = new AbortController()
  const room = createRoom(options)

  async function take(queued: readonly ConversationId[], timestamp: number): Promise<void> {
    const taken = queued.slice(0, room.share(queued.length))
    const rest = queued.slice(taken.length)
    const leave = room.enter(taken.length)
    worker.concurrency = room.jobsAtMost()
    try {
      const handled = taken.map((one) => options.handler(one, stopping.signal))
      // Should it fail, the sweeper finds them.
      if (rest.length > 0) await options.hints?.putFirst(options.queue, rest, timestamp).catch(() => {})
      const ends = await Promise.allSettled(handled)
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    } finally {
      leave()
      worker.concurrency = room.jobsAtMost()
    }
  }

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
      const { conversation, also = [] } = payload.data
      await take([conversation, ...also], job.timestamp)
    },
    {
      connection: options.connection,
      prefix: queuePrefix(options.queue),
      concurrency: room.jobsAtMost(),
      // A wake-up is not the truth: it may be repeated any number of times, and the sweeper replaces one that was lost.
      lockDuration: 15_000,
      stalledInterval: 5000,
      maxStalledCount: 1_000_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      skipVersionCheck: true,
    },
  )
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
