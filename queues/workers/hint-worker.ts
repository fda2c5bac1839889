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
/** With room for at least so many conversations a job is taken when all that it can hold find room, or a little later. */
const roomy = 4 * togetherAtMost
const fullRoomWithinMs = 20

/**
 * A job ends when its conversations have begun, and the next one is taken when there is room: how long they run is their own affair. Should the
 * process die, the sweeper finds them.
 */
export function createHintWorker(options: HintWorkerOptions): HintWorker {
  const { queue, connection, onTrouble } = options
  const ending = new AbortController()
  const crowd = createCrowd(options, ending.signal)
  const worker = new Worker(
    queue,
    async (job: Job, token?: string) => {
      const payload = hintPayload.safeParse(job.data)
      if (!payload.success) {
        onTrouble(`A job of queue ${queue} has an unknown payload or version; it waits for a newer worker.`)
        return await putBack(job, unknownPayloadDelayMs, token)
      }
      const { conversation, also = [] } = payload.data
      const rest = crowd.begin([conversation, ...also])
      // Should it fail, the sweeper finds them.
      if (rest.length > 0) await options.hints?.putFirst(queue, rest, job.timestamp).catch(() => {})
      await crowd.room()
    },
    {
      connection,
      prefix: queuePrefix(queue),
      concurrency: 1,
      // A wake-up is not the truth: it may be repeated any number of times, and the sweeper replaces one that was lost.
      lockDuration: 15_000,
      stalledInterval: 5000,
      maxStalledCount: 1_000_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      skipVersionCheck: true,
    },
  )
  worker.on('error', (error) => onTrouble(`queue ${queue}`, error))
  return {
    async stop(graceMs) {
      const closing = worker.close()
      const timer = setTimeout(() => ending.abort(), graceMs)
      crowd.close()
      try {
        await closing
      } finally {
        await crowd.ended()
        clearTimeout(timer)
      }
    },
  }
}

/** Conversations at work. */
type Crowd = {
  /** Begins those that there is room for, one at least; answers the others. */
  begin(conversations: readonly ConversationId[]): readonly ConversationId[]
  /** Waits until another job may be taken, or until `close`. */
  room(): Promise<void>
  close(): void
  ended(): Promise<void>
}

function createCrowd(options: HintWorkerOptions, signal: AbortSignal): Crowd {
  const { queue, concurrency, hints, handler, onTrouble } = options
  const wanted = hints && concurrency >= roomy ? togetherAtMost : 1
  const running = new Set<Promise<void>>()
  const closing = new AbortController()
  let onEnd = (): void => {}
  const left = (): number => Math.max(0, concurrency - running.size)

  async function run(conversation: ConversationId): Promise<void> {
    try {
      await handler(conversation, signal)
    } catch (error) {
      onTrouble(`A handler of queue ${queue} failed; the sweeper tries again.`, error)
    }
  }

  function start(conversation: ConversationId): void {
    const ended = run(conversation).finally(() => {
      running.delete(ended)
      onEnd()
    })
    running.add(ended)
  }

  return {
    begin(conversations) {
      const share = hints ? Math.max(1, left()) : conversations.length
      for (const one of conversations.slice(0, share)) start(one)
      return conversations.slice(share)
    },
    async room() {
      const nextEnd = (): Promise<void> => new Promise((resolve) => (onEnd = resolve))
      const { signal: closed } = closing
      while (left() === 0 && !closed.aborted) await nextEnd()
      if (left() >= wanted) return
      const untilMs = performance.now() + fullRoomWithinMs
      const timer = setTimeout(() => onEnd(), fullRoomWithinMs + 1)
      while (left() < wanted && performance.now() < untilMs && !closed.aborted) await nextEnd()
      clearTimeout(timer)
    },
    close() {
      closing.abort()
      onEnd()
    },
    ended: async () => void (await Promise.all(running)),
  }
}
