// A record that is said again by the same person. It is as sure as each of its sources: one that is as sure is added to them; of one that is surer it
// takes words and sources alone; one that is less sure is no source of it.
import { mostAccounts, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'
import { isAsSure } from './settle.ts'

const mostMessages = 20

export function mergeRepeat(before: MemoryRecord, repeat: NewRecord): MemoryRecord {
  if (before.id === repeat.id || knowsAll(before, repeat)) return before
  const uses = before.uses + 1
  if (!isAsSure(repeat, before)) return { ...before, uses }
  const others = findOthers(before, repeat)
  if (isAsSure(before, repeat)) {
    const { speaker } = before
    return { ...before, uses, ...toAlsoBy(others, speaker), from: boundFrom([...before.from, ...repeat.from]) }
  }
  const { v, scope, number, id, lastUsedAt, pinned, groups, merged } = before
  return {
    ...repeat,
    v,
    scope,
    number,
    id,
    uses,
    ...toAlsoBy(others, repeat.speaker),
    ...(pinned !== undefined && { pinned }),
    ...(groups && { groups }),
    ...(merged && { merged }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    from: boundFrom(repeat.from),
  }
}

/** Of one person: other accounts by which they said it, too. */
const findOthers = (before: NewRecord, repeat: NewRecord): readonly string[] => [
  ...new Set([before, repeat].flatMap(({ speaker, alsoBy = [] }) => [speaker, ...alsoBy])),
]
function toAlsoBy(all: readonly string[], speaker: string): Pick<NewRecord, 'alsoBy'> {
  const alsoBy = all.filter((one) => one !== speaker).slice(0, mostAccounts)
  return alsoBy.length === 0 ? {} : { alsoBy }
}

function knowsAll(before: MemoryRecord, repeat: NewRecord): boolean {
  const known = new Set(toNames(before.from))
  const names = toNames(repeat.from)
  return names.length > 0 && names.every((name) => known.has(name)) && isAsSure(before, repeat)
}

const toNames = (from: MemoryRecord['from']): readonly string[] =>
  from.flatMap(({ conversation, messages }) => messages.map((id) => `${conversation} ${id}`))

/** The newest messages count. */
function boundFrom(from: MemoryRecord['from']): MemoryRecord['from'] {
  let left = mostMessages
  const kept: MemoryRecord['from'] = []
  for (const { conversation, messages } of from.toReversed()) {
    const newest = messages.slice(-left)
    if (left <= 0 || newest.length === 0) break
    left -= newest.length
    kept.unshift({ conversation, messages: newest })
  }
  return kept
}
