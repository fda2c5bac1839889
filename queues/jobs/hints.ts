// BullMQ as a wake-up call: a job says only which conversation has something to do. Losing or repeating one changes nothing.
import { Queue } from 'bullmq'
import { z } from 'zod'
import { conversationId, type ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { queuePrefix, toQueue, type QueueName, type Work } from './queue-names.ts'

export const hintPayload = z.object({ v: z.literal(1), conversation: conversationId })
export type HintPayload = z.infer<typeof hintPayload>

export type Hints = {
  inbound(conversation: ConversationId): Promise<void>
  execute(conversation: ConversationId): Promise<void>
  outbound(conversation: ConversationId): Promise<void>
  /**
   * Puts a hint before all that wait, as what has been due for `sinceMs`, longer than they. It is never parked behind the job of a
   * worker that died, as an ordinary one is.
   */
  sweep(queue: QueueName, conversation: ConversationId, sinceMs: number): Promise<void>
  /** How long the next hint of the queue has been waiting, 0 for an empty one, and how many there are, taken ones included. */
  look(queue: QueueName): Promise<{ readonly oldestMs: number; readonly count: number }>
  close(): Promise<void>
}

/** `now`: Redis' time. A queue is in the order of its jobs' times, whatever machines they came from. */
export function createHints(connection: RedisClient, now: () => number = Date.now): Hints {
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
    await open(toQueue(work, conversation)).add('hint', data, { deduplication, timestamp: Math.round(now()) })
  }
  return {
    inbound: (conversation) => add('route', conversation),
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
