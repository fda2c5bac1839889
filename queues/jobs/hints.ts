// BullMQ as a wake-up call: a job says only which conversation has something to do. Losing or repeating one changes nothing.
import { Queue } from 'bullmq'
import { z } from 'zod'
import { conversationId, type ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { createBatch } from '#queues/batch.ts'
import { queuePrefix, toQueue, type QueueName, type Work } from './queue-names.ts'

/** `also`: further conversations, which a process of an older release leaves to the sweeper. */
export const hintPayload = z.object({
  v: z.literal(1),
  conversation: conversationId,
  also: z.array(conversationId).optional(),
})
export type HintPayload = z.infer<typeof hintPayload>

/** Of conversations that one worker takes at once. */
const togetherAtMost = 16
const togetherWithinMs = 5

export type Hints = {
  /** `wakes`: no other hint of the conversation is on its way. Those of one moment go together, for a job costs Redis as much as a turn's end. */
  inbound(conversation: ConversationId, wakes?: boolean): Promise<void>
  execute(conversation: ConversationId): Promise<void>
  outbound(conversation: ConversationId): Promise<void>
  /**
   * Puts a hint before all that wait, as what has been due for `sinceMs`, longer than they. It is never parked behind the job of a
   * worker that died, as an ordinary one is.
   */
  sweep(queue: QueueName, conversation: ConversationId, sinceMs: number): Promise<void>
  /** Where hints of this work are. Throws `bad-input` for what is no conversation. */
  queueOf(work: Work, conversation: ConversationId): QueueName
  /** How long the next hint of the queue has been waiting, 0 for an empty one, and how many there are, taken ones included. */
  look(queue: QueueName): Promise<{ readonly oldestMs: number; readonly count: number }>
  close(): Promise<void>
}

/** `now`: Redis' time. A queue is in the order of its jobs' times, whatever machines they came from. `shards`: of each queue. */
export function createHints(connection: RedisClient, now: () => number = Date.now, shards = 1): Hints {
  const queueOf: Hints['queueOf'] = (work, conversation) => toQueue(work, conversation, shards)
  const queues = new Map<QueueName, Queue>()
  function open(name: QueueName): Queue {
    const known = queues.get(name)
    if (known) return known
    const queue = new Queue(name, {
      connection,
      prefix: queuePrefix(name),
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      streams: { events: { maxLen: 0 } },
      skipMetasUpdate: true,
    })
    queue.on('error', () => {})
    queues.set(name, queue)
    return queue
  }
  async function add(work: Work, conversation: ConversationId): Promise<void> {
    const data: HintPayload = { v: 1, conversation }
    const deduplication = { id: conversation, keepLastIfActive: true }
    await open(queueOf(work, conversation)).add('hint', data, { deduplication, timestamp: Math.round(now()) })
  }
  // There is no other of theirs that it could be one with. What comes after a rest does not wait for others.
  const gathered = new Set<ConversationId>()
  async function addTogether(conversations: readonly ConversationId[]): Promise<readonly ConversationId[]> {
    for (const one of conversations) gathered.delete(one)
    const byQueue = Map.groupBy(conversations, (one) => queueOf('route', one))
    const adding = [...byQueue].map(async ([queue, [conversation = '', ...also]]) => {
      const data: HintPayload = { v: 1, conversation, ...(also.length > 0 ? { also } : {}) }
      await open(queue).add('hint', data, { timestamp: Math.round(now()) })
    })
    await Promise.all(adding)
    return conversations
  }
  const gather = createBatch(togetherAtMost * shards, addTogether, () => togetherWithinMs)
  return {
    queueOf,
    async inbound(conversation, wakes = false) {
      // What comes before it has gone is found by the same hint.
      if (gathered.has(conversation)) return
      if (!wakes) return await add('route', conversation)
      gathered.add(conversation)
      await gather(conversation)
    },
    execute: (conversation) => add('run', conversation),
    outbound: (conversation) => add('out', conversation),
    async sweep(queue, conversation, sinceMs) {
      const data: HintPayload = { v: 1, conversation }
      await open(queue).add('hint', data, { lifo: true, timestamp: Math.round(now() - sinceMs) })
    },
    async look(queue) {
      const [count, [oldest]] = await Promise.all([
        open(queue).getJobCountByTypes('wait', 'active'),
        // A job whose data is broken must not keep the sweeper from working.
        open(queue)
          .getJobs(['wait'], 0, 0, true)
          .catch(() => []),
      ])
      return { count, oldestMs: oldest ? Math.max(0, now() - oldest.timestamp) : 0 }
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}
