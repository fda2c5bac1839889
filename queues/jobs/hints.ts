// BullMQ as a wake-up call: a job says only which conversation has something to do. Losing or repeating one changes nothing.
import { Queue } from 'bullmq'
import { z } from 'zod'
import { address, isTask, type Address } from '#shared/chat/address.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import { createBatch } from '#queues/batch.ts'
import { toQueueOptions } from './queue-options.ts'
import { queuePrefix, toQueue, type QueueName, type Work } from './queue-names.ts'

/** `conversation`, or a task of one; `also`: further ones. */
export const hintPayload = z.object({
  v: z.literal(1),
  conversation: address,
  also: z.array(address).optional(),
})
export type HintPayload = z.infer<typeof hintPayload>

/** Of conversations in one job. */
export const togetherAtMost = 16
const togetherWithinMs = 5

export type Hints = {
  /**
   * `wakes`: no other hint of the conversation is on its way. Those of one moment go together, for a job costs Redis as much as a turn's end. What came for
   * a task needs no router, and goes to an executor.
   */
  inbound(conversation: Address, wakes?: boolean): Promise<void>
  /** `wakes` as above. */
  execute(conversation: Address, wakes?: boolean): Promise<void>
  outbound(conversation: ConversationId): Promise<void>
  /**
   * Puts a hint before all that wait, as what has been due for `sinceMs`, longer than they. It is never parked behind the job of a
   * worker that died, as an ordinary one is.
   */
  sweep(queue: QueueName, conversation: Address, sinceMs: number): Promise<void>
  /** Puts what a worker has no room for back where its job stood: before all that wait. */
  putFirst(queue: QueueName, conversations: readonly Address[], timestamp: number): Promise<void>
  /** Where hints of this work are. Throws `bad-input` for what is no conversation. */
  queueOf(work: Work, conversation: Address): QueueName
  /** How long the next hint of the queue has been waiting, 0 for an empty one, and how many there are, taken ones included. */
  look(queue: QueueName): Promise<{ readonly oldestMs: number; readonly count: number }>
  close(): Promise<void>
}

const toPayload = ([conversation = '', ...also]: readonly Address[]): HintPayload => ({
  v: 1,
  conversation,
  ...(also.length > 0 ? { also } : {}),
})

type Gathering = {
  readonly most: number
  add(work: Work, conversation: Address): Promise<void>
  addTogether(work: Work, conversations: readonly Address[]): Promise<void>
}

function gatherHints(work: Work, { most, add, addTogether }: Gathering): Hints['inbound'] {
  const gathered = new Set<Address>()
  async function addAll(conversations: readonly Address[]): Promise<readonly Address[]> {
    for (const one of conversations) gathered.delete(one)
    await addTogether(work, conversations)
    return conversations
  }
  const gather = createBatch(most, addAll, () => togetherWithinMs)
  return async (conversation, wakes = false) => {
    // What comes before it has gone is found by the same hint.
    if (gathered.has(conversation)) return
    if (!wakes) return await add(work, conversation)
    gathered.add(conversation)
    await gather(conversation)
  }
}

/** `now`: Redis' time. A queue is in the order of its jobs' times, whatever machines they came from. `shards`: of each queue. */
export function createHints(connection: RedisClient, now: () => number = Date.now, shards = 1): Hints {
  const queueOf: Hints['queueOf'] = (work, conversation) => toQueue(work, conversation, shards)
  const queues = openQueues(connection)
  async function add(work: Work, conversation: Address): Promise<void> {
    const deduplication = { id: conversation, keepLastIfActive: true }
    const how = { deduplication, timestamp: Math.round(now()) }
    await queues.open(queueOf(work, conversation)).add('hint', toPayload([conversation]), how)
  }
  const putFirst: Hints['putFirst'] = async (queue, conversations, timestamp) => {
    await queues.open(queue).add('hint', toPayload(conversations), { lifo: true, timestamp: Math.round(timestamp) })
  }
  // There is no other of theirs that it could be one with. What comes after a rest does not wait for others.
  async function addTogether(work: Work, conversations: readonly Address[]): Promise<void> {
    const byQueue = Map.groupBy(conversations, (one) => queueOf(work, one))
    const timestamp = Math.round(now())
    const adding = [...byQueue].flatMap(([queue, some]) => {
      const jobs = Array.from({ length: Math.ceil(some.length / togetherAtMost) }, (_, n) =>
        some.slice(n * togetherAtMost, (n + 1) * togetherAtMost),
      )
      return jobs.map((job) => queues.open(queue).add('hint', toPayload(job), { timestamp }))
    })
    await Promise.all(adding)
  }
  const gathering = { most: togetherAtMost * shards, add, addTogether }
  const [inbound, execute] = [gatherHints('route', gathering), gatherHints('run', gathering)]
  return {
    queueOf,
    inbound: (conversation, wakes) => (isTask(conversation) ? execute : inbound)(conversation, wakes),
    execute,
    outbound: (conversation) => add('out', conversation),
    sweep: (queue, conversation, sinceMs) => putFirst(queue, [conversation], now() - sinceMs),
    putFirst,
    async look(queue) {
      const [count, [oldest]] = await Promise.all([
        queues.open(queue).getJobCountByTypes('wait', 'active'),
        // A job whose data is broken must not keep the sweeper from working.
        queues
          .open(queue)
          .getJobs(['wait'], 0, 0, true)
          .catch(() => []),
      ])
      return { count, oldestMs: oldest ? Math.max(0, now() - oldest.timestamp) : 0 }
    },
    close: queues.close,
  }
}

function openQueues(connection: RedisClient): { open(name: QueueName): Queue; close(): Promise<void> } {
  const queues = new Map<QueueName, Queue>()
  return {
    open(name) {
      const known = queues.get(name)
      if (known) return known
      const queue = new Queue(name, {
        connection,
        prefix: queuePrefix(name),
        ...toQueueOptions(),
      })
      queue.on('error', () => {})
      queues.set(name, queue)
      return queue
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}
