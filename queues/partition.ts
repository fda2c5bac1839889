// Where a conversation's state lives: 64 partitions, each one hash tag, so that a unit touches one slot on a cluster too. Ids of
// questions name it, so that any process finds them.
import { hash, randomFillSync } from 'node:crypto'
import { homeOf, type Address } from '#shared/chat/address.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'

export const partitions = 64

const known = new Map<Address, number>()
const mostKnown = 4096

/** 0–63, the same in every process and release; that of its conversation for a task. */
export function toPartition(conversation: Address): number {
  let partition = known.get(conversation)
  if (partition === undefined) {
    partition = Number.parseInt(hash('sha1', homeOf(conversation)).slice(0, 4), 16) % partitions
    if (known.size >= mostKnown) known.clear()
    known.set(conversation, partition)
  }
  return partition
}

/** `fl:{p07}:`, what every key of a partition begins with. */
export function partitionPrefix(partition: number): string {
  return `fl:{p${String(partition).padStart(2, '0')}}:`
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
export const toBase32 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => alphabet[byte % 32]).join('')

const idBytes = 22
/** Random bytes for many ids: asking the system for them costs the same for one as for a hundred. */
const pool = new Uint8Array(100 * idBytes)
let used = pool.length

/** Random part of question and notice ids: 22 characters of 5 bits, 110 bits. No byte is used twice. */
export function randomId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += idBytes
  return toBase32(pool.subarray(used - idBytes, used))
}

/** A question id of this conversation's partition. */
export function toQuestionId(conversation: ConversationId, random: string): string {
  return `p${String(toPartition(conversation)).padStart(2, '0')}-${random}`
}
