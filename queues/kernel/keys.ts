// Where a conversation's state lives: 64 partitions, each one hash tag, so that a unit touches one slot on a cluster too.
import { hash } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'

export const partitions = 64

const known = new Map<ConversationId, number>()
const mostKnown = 4096

/** 0–63, the same in every process and release. */
export function toPartition(conversation: ConversationId): number {
  let partition = known.get(conversation)
  if (partition === undefined) {
    partition = Number.parseInt(hash('sha1', conversation).slice(0, 4), 16) % partitions
    if (known.size >= mostKnown) known.clear()
    known.set(conversation, partition)
  }
  return partition
}

/** `fl:{p07}:`, what every key of a partition begins with. */
export function partitionPrefix(partition: number): string {
  return `fl:{p${String(partition).padStart(2, '0')}}:`
}
