// The queues: of which work each holds the hints, and which process takes them. A queue lives in one slot of a cluster; where a fleet wants
// more, each is several, its shards, by the conversation's partition.
import { homeOf, isTask, type Address } from '#shared/chat/address.ts'
import { parseConversation, type Channel } from '#shared/chat/conversation.ts'
import type { ReaderWorker } from '#shared/feature/projection.ts'
import { toPartition } from '#queues/partition.ts'

/** The work that a conversation may have: events to route, routed ones to work on, rows to deliver. */
export type Work = 'route' | 'run' | 'out'

export type QueueKind = 'inbound' | 'execute' | 'execute-tasks' | `outbound-${Channel}`
/** The first shard has the name of its kind. */
export type QueueName = QueueKind | `${QueueKind}.${number}`

/** A channel's own process takes the hints of its rows. Tasks wait in a queue of their own, so that no conversation waits behind one. */
export const queueNames = {
  router: 'inbound',
  executor: 'execute',
  tasks: 'execute-tasks',
} as const satisfies Record<string, QueueKind>

export const toOutQueue = (channel: Channel): QueueKind => `outbound-${channel}`

/** Throws `bad-input` for what is no conversation. */
export function toQueue(work: Work, conversation: Address, shards = 1): QueueName {
  return toShard(toKind(work, conversation), toPartition(conversation) % shards)
}

function toKind(work: Work, conversation: Address): QueueKind {
  switch (work) {
    case 'route':
      return queueNames.router
    case 'run':
      return isTask(conversation) ? queueNames.tasks : queueNames.executor
    case 'out':
      return toOutQueue(parseConversation(homeOf(conversation)).channel)
    default:
      return work satisfies never
  }
}

const toShard = (kind: QueueKind, shard: number): QueueName => (shard === 0 ? kind : `${kind}.${shard}`)

export const listShards = (kind: QueueKind, shards: number): readonly QueueName[] =>
  Array.from({ length: shards }, (_, shard) => toShard(kind, shard))

/** All queues of a fleet with these channels. */
export const allQueues = (channels: readonly Channel[], shards: number): readonly QueueName[] =>
  [...Object.values(queueNames), ...channels.map(toOutQueue)].flatMap((kind) => listShards(kind, shards))

/** Every queue has a hash tag of its own: its keys share a slot, and queues spread over a cluster. */
export const queuePrefix = (queue: QueueName | ReaderWorker): string => `fl:{${queue}}`
