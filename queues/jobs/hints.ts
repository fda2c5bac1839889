// BullMQ as a wake-up call: a job says only which conversation has something to do. Losing or repeating one changes nothing.
import { Queue } from 'bullmq'
import { z } from 'zod'
import { conversationId, parseConversation, type Channel, type ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'

export const hintPayload = z.object({ v: z.literal(1), conversation: conversationId })
export type HintPayload = z.infer<typeof hintPayload>

export type QueueName = 'inbound' | 'execute' | `outbound-${Channel}`

/** Every queue has a hash tag of its own: its keys share a slot, and queues spread over a cluster. */
export const queuePrefix = (queue: QueueName): string => `fl:{${queue}}`

export type Hints = {
  inbound(conversation: ConversationId): Promise<void>
  execute(conversation: ConversationId): Promise<void>
  outbound(conversation: ConversationId): Promise<void>
  /** The sweeper's hint has a deduplication id of its own: an ordinary one is parked behind a job whose worker died. */
  sweep(queue: QueueName, conversation: ConversationId, epoch: number): Promise<void>
  /** How long the hint that waits longest has been in the queue; 0 for an empty one. By the clocks of this machine and the adder's. */
  oldestWaitMs(queue: QueueName): Promise<number>
  close(): Promise<void>
}

export function createHints(connection: RedisClient): Hints {
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
  async function add(name: QueueName, conversation: ConversationId, dedupeId: string): Promise<void> {
    const data: HintPayload = { v: 1, conversation }
    await open(name).add('hint', data, { deduplication: { id: dedupeId, keepLastIfActive: true } })
  }
  return {
    inbound: (conversation) => add('inbound', conversation, conversation),
    execute: (conversation) => add('execute', conversation, conversation),
    outbound: (conversation) => add(`outbound-${parseConversation(conversation).channel}`, conversation, conversation),
    async sweep(queue, conversation, epoch) {
      const data: HintPayload = { v: 1, conversation }
      // Other hints wait behind the job of a process that died, so what it left and is put off once has only this to come back by.
      await open(queue).add('hint', data, { deduplication: { id: `${conversation}-sweep-${epoch}`, ttl: 2000 } })
    },
    async oldestWaitMs(queue) {
      // A job whose data is broken must not keep the sweeper from working.
      const [oldest] = await open(queue)
        .getJobs(['wait'], 0, 0, true)
        .catch(() => [])
      return oldest ? Math.max(0, Date.now() - oldest.timestamp) : 0
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}
