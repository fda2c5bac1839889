// Where a scope of memory lives: 64 partitions, each one hash tag, beside those of conversations.
import { createHash } from 'node:crypto'
import type { MemoryScope } from '#shared/memory/record.ts'
import { partitions } from '#queues/partition.ts'

/** `fl:{m07}:`, what every key of a scope begins with. */
export const scopePrefix = (scope: MemoryScope): string => memoryPrefix(toMemoryPartition(scope))

export function toMemoryPartition(scope: MemoryScope): number {
  const digest = createHash('sha1').update(scope).digest()
  return digest.readUInt16BE(0) % partitions
}

export const memoryPrefix = (partition: number): string => `fl:{m${String(partition).padStart(2, '0')}}:`
