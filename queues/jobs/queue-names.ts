// The queues: of which work each holds the hints, and which process takes them.
import { parseConversation, type Channel, type ConversationId } from '#shared/chat/conversation.ts'

/** The work that a conversation may have: events to route, routed ones to work on, rows to deliver. */
export type Work = 'route' | 'run' | 'out'

export type QueueName = 'inbound' | 'execute' | `outbound-${Channel}`

/** By the process that takes its hints; a channel's own process takes those of its rows. */
export const queueNames = { router: 'inbound', executor: 'execute' } as const satisfies Record<string, QueueName>

export const toOutQueue = (channel: Channel): QueueName => `outbound-${channel}`

/** Throws `bad-input` for what is no conversation. */
export function toQueue(work: Work, conversation: ConversationId): QueueName {
  switch (work) {
    case 'route':
      return queueNames.router
    case 'run':
      return queueNames.executor
    case 'out':
      return toOutQueue(parseConversation(conversation).channel)
    default:
      return work satisfies never
  }
}

/** All queues of a fleet with these channels. */
export const allQueues = (channels: readonly Channel[]): readonly QueueName[] => [
  ...Object.values(queueNames),
  ...channels.map(toOutQueue),
]

/** Every queue has a hash tag of its own: its keys share a slot, and queues spread over a cluster. */
export const queuePrefix = (queue: QueueName): string => `fl:{${queue}}`
