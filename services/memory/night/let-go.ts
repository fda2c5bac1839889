// What a scope may let go of where its texts together are too long: what is used least, of that the oldest, and nothing that is
// pinned, was settled on purpose, or was taught.
import type { MemoryRecord } from '#shared/memory/record.ts'

/** Of the texts of one scope. Notes have a bound of their own. */
export const mostBytes = 50_000

/** At most so many of them; empty where all fit. */
export function findToLetGo(records: readonly MemoryRecord[], most: number): readonly MemoryRecord[] {
  const counted = records.filter(({ kind }) => kind !== 'note')
  let over = counted.reduce((sum, { text }) => sum + measure(text), 0) - mostBytes
  const going: MemoryRecord[] = []
  for (const record of counted.filter(mayGo).toSorted(byWorth)) {
    if (over <= 0 || going.length === most) break
    over -= measure(record.text)
    going.push(record)
  }
  return going
}

const mayGo = ({ pinned, anchor, kind }: MemoryRecord): boolean =>
  pinned !== true && anchor === undefined && kind !== 'skill'

const encoder = new TextEncoder()
const measure = (text: string): number => encoder.encode(text).length

/** What something newer took the place of is not used any more: it goes before that. */
const byWorth = (a: MemoryRecord, b: MemoryRecord): number =>
  Number(a.supersededBy === undefined) - Number(b.supersededBy === undefined) ||
  a.uses - b.uses ||
  lastOf(a) - lastOf(b) ||
  a.number - b.number

const lastOf = ({ lastUsedAt, saidAt }: MemoryRecord): number => Math.max(lastUsedAt ?? 0, saidAt)
