// A record whose words are said again: it knows both sources, and is as sure as the surer of the two where that one was said or confirmed by the same
// person. What others wrote never makes a record surer.
import type { MemoryRecord, NewRecord } from '#shared/memory/record.ts'

const mostMessages = 20

export function mergeRepeat(before: MemoryRecord, repeat: NewRecord): MemoryRecord {
  if (before.id === repeat.id) return before
  const known = new Set(
    before.from.flatMap(({ conversation, messages }) => messages.map((id) => `${conversation} ${id}`)),
  )
  const isKnown = repeat.from.every(({ conversation, messages }) =>
    messages.every((id) => known.has(`${conversation} ${id}`)),
  )
  if (isKnown) return before
  const confirms = repeat.status === 'confirmed' && repeat.taint === undefined && repeat.speaker === before.speaker
  return {
    ...before,
    ...(confirms && before.status === 'unconfirmed'
      ? { status: 'confirmed', origin: repeat.origin, confirmedBy: repeat.confirmedBy ?? repeat.speaker }
      : {}),
    uses: before.uses + 1,
    from: boundFrom([...before.from, ...repeat.from]),
  }
}

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
