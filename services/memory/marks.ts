// What a person chose for a record of theirs: that it stays in sight, and that it may be told in groups.
import type { MemoryRecord, NewRecord } from '#shared/memory/record.ts'

/** It holds for its new words, too. */
export const toMarks = ({ pinned, groups }: MemoryRecord): Pick<NewRecord, 'pinned' | 'groups'> => ({
  ...(pinned === true ? { pinned } : {}),
  ...(groups ? { groups } : {}),
})

export const toDisallowed = ({ groups: _groups, ...record }: MemoryRecord): MemoryRecord => record
