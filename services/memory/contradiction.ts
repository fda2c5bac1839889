// Whether something that is confirmed says otherwise than what was noticed: that is told before a person decides.
import { agree } from '#shared/memory/agree.ts'
import type { MemoryRecord, NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { readOwnSlot } from './comparing.ts'

/**
 * Those that have another value of what can have one only than a confirmed record of the same speaker. Each record is read once: whoever has many of both must
 * not hold up all others.
 */
export function findContradicting<T extends NewRecord>(
  waiting: readonly T[],
  records: readonly MemoryRecord[],
): ReadonlySet<T> {
  const confirmed = new Map<string, (readonly string[])[]>()
  for (const one of records) {
    const slot = one.status === 'confirmed' && one.supersededBy === undefined ? toSlot(one) : undefined
    if (slot) confirmed.set(slot.name, [...(confirmed.get(slot.name) ?? []), slot.value])
  }
  const isContradicting = (one: T): boolean => {
    const slot = confirmed.size > 0 ? toSlot(one) : undefined
    if (!slot || slot.keeps) return false
    return confirmed.get(slot.name)?.some((value) => !agree(value, slot.value)) === true
  }
  return new Set(waiting.filter(isContradicting))
}

/** What is confirmed and says otherwise than this record. To write it again changes nothing, and the store looks through all of its scope, however large. */
export async function findAgainst(
  memory: Pick<MemoryStore, 'write'>,
  record: MemoryRecord,
): Promise<MemoryRecord | undefined> {
  const { v: _v, scope, number: _number, uses: _uses, lastUsedAt: _at, ...said } = record
  const again = await memory.write(scope, said)
  return again.kind === 'conflict' ? again.against : undefined
}

type Slot = { readonly name: string; readonly value: readonly string[]; readonly keeps: boolean }

function toSlot(record: NewRecord): Slot | undefined {
  if (record.kind !== 'fact' && record.kind !== 'preference') return undefined
  const slot = readOwnSlot(record)
  return slot && { name: `${record.speaker}\n${slot.of}`, value: slot.value, keeps: slot.keeps === true }
}
