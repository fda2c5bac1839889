// What a record keeps when it is worded anew: what its person chose for it, the collection that it stands in, and what it was settled for.
import type { MemoryRecord, NewRecord } from '#shared/memory/record.ts'

/** It holds for its new words, too. */
export const toMarks = ({
  pinned,
  groups,
  collection,
  anchor,
}: MemoryRecord): Pick<NewRecord, 'pinned' | 'groups' | 'collection' | 'anchor'> => ({
  ...(pinned === true ? { pinned } : {}),
  ...(groups ? { groups } : {}),
  ...(collection === undefined ? {} : { collection }),
  ...(anchor ? { anchor } : {}),
})

export const toDisallowed = ({ groups: _groups, ...record }: MemoryRecord): MemoryRecord => record
