// Whether something that is confirmed says otherwise than what was noticed: that is told before a person decides.
import { agree } from '#shared/memory/agree.ts'
import type { MemoryRecord, NewRecord } from '#shared/memory/record.ts'
import { comparing } from './comparing.ts'

/** Of the same speaker: the first confirmed record that has another value of what can have one only. */
export function findContradicted(records: readonly MemoryRecord[], record: NewRecord): MemoryRecord | undefined {
  const slot = toSlot(record)
  if (!slot) return undefined
  return records.find((one) => {
    if (one.status !== 'confirmed' || one.supersededBy !== undefined || one.speaker !== record.speaker) return false
    const other = toSlot(one)
    return other?.of === slot.of && !agree(other.value, slot.value)
  })
}

const toSlot = (record: NewRecord) =>
  record.kind === 'fact' || record.kind === 'preference' ? comparing.read(record).slot : undefined
