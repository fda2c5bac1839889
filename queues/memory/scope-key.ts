// Where a scope of memory lives: 64 partitions, each one hash tag, beside those of conversations.
import { createHash } from 'node:crypto'
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { partitions } from '#queues/partition.ts'

/** `fl:{m07}:`, what every key of a scope begins with. */
export function scopePrefix(scope: MemoryScope): string {
  const digest = createHash('sha1').update(scope).digest()
  return toScopePrefix(digest.readUInt16BE(0) % partitions)
}

/** Of the scopes' partition of this number. */
export const toScopePrefix = (partition: number): string => `fl:{m${String(partition).padStart(2, '0')}}:`

/** What two records have in common that say the same words: case, width, spaces and marks do not count. */
export function hashWords({ kind, text }: Pick<MemoryRecord, 'kind' | 'text'>): string {
  const plain = toNormalForm(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{Z}\s]+/gu, ' ')
    .trim()
  const digest = createHash('sha1').update(plain).digest('hex').slice(0, 20)
  // A note and a fact of the same words are two things.
  return kind === 'note' ? `n${digest}` : digest
}
