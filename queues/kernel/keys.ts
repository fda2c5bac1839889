// Where a conversation's state lives: 64 partitions, each one hash tag, so that a unit touches one slot on a cluster too.
import { hash } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'

export const partitions = 64

/** 0–63, the same in every process and release. */
export function toPartition(conversation: ConversationId): number {
  return Number.parseInt(hash('sha1', conversation).slice(0, 4), 16) % partitions
}

/** `fl:{p07}:`, what every key of a partition begins with. */
export function partitionPrefix(partition: number): string {
  return `fl:{p${String(partition).padStart(2, '0')}}:`
}
