// Where a scope of memory lives: 64 partitions, each one hash tag, beside those of conversations.
import { createHash } from 'node:crypto'
import type { MemoryScope } from '#shared/memory/record.ts'
import { partitions } from '#queues/partition.ts'

/** `fl:{m07}:`, what every key of a scope begins with. */
export function scopePrefix(scope: MemoryScope): string {
  const digest = createHash('sha1').update(scope).digest()
  return memoryPrefix(digest.readUInt16BE(0) % partitions)
}

export const memoryPrefix = (partition: number): string => `fl:{m${String(partition).padStart(2, '0')}}:`
