// All records of a scope: a read gives the newest alone where there are many.
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'

/** Numbers that are looked at together, and how often: they are never used again, so that many of the first may be gone. */
const atOnce = 400
const mostLooks = 50

export type AllRecords = {
  /** By number, the newest first. */
  readonly records: readonly MemoryRecord[]
  /** The lowest number that was looked at: older ones, where there are any, are not here. */
  readonly from: number
}

/** Without skills, which are more than a line. */
export async function readAll(memory: Pick<MemoryStore, 'read' | 'find'>, scope: MemoryScope): Promise<AllRecords> {
  const { records, from } = await readWithSkills(memory, scope)
  return { records: records.filter(({ kind }) => kind !== 'skill'), from }
}

export async function readWithSkills(
  memory: Pick<MemoryStore, 'read' | 'find'>,
  scope: MemoryScope,
): Promise<AllRecords> {
  const read = await memory.read(scope)
  if (read === 'same') return { records: [], from: 1 }
  const records = [...read.records]
  let from = records.at(-1)?.number ?? 1
  for (let look = 0; look < mostLooks && from > 1 && records.length < read.count; look += 1) {
    const first = Math.max(1, from - atOnce)
    const some = await memory.find(
      scope,
      Array.from({ length: from - first }, (_, at) => first + at),
    )
    records.push(...some.toReversed())
    from = first
  }
  return { records, from: records.length < read.count ? from : 1 }
}
