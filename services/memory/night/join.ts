// What several records become when their person makes one of them: words that one of them has, and nothing surer than the least sure of them.
import { joinTaint, toTainted } from '#shared/model/taint.ts'
import { mostAccounts, type MemoryRecord } from '#shared/memory/record.ts'
import type { Joined } from '#shared/memory/store.ts'

const mostMessages = 20
/** The least sure first. */
const origins = ['tool', 'inferred', 'said'] as const

/** The one whose words stay: the longest, of two the newer. */
export const findLongest = (records: readonly MemoryRecord[]): MemoryRecord | undefined =>
  records.toSorted((a, b) => b.text.length - a.text.length || b.number - a.number)[0]

export function toJoined(records: readonly MemoryRecord[]): Joined | undefined {
  const longest = findLongest(records)
  if (!longest || records.length < 2) return undefined
  const { kind, speaker, name, text, validFrom, confirmedBy } = longest
  const isConfirmed = records.every((one) => one.status === 'confirmed')
  const alsoBy = [...new Set(records.flatMap((one) => [one.speaker, ...(one.alsoBy ?? [])]))]
    .filter((one) => one !== speaker)
    .slice(0, mostAccounts)
  const lastUsedAt = Math.max(...records.map((one) => one.lastUsedAt ?? 0))
  return {
    kind,
    speaker,
    ...(alsoBy.length > 0 && { alsoBy }),
    ...(name !== undefined && { name }),
    text,
    saidAt: Math.max(...records.map((one) => one.saidAt)),
    ...(validFrom !== undefined && { validFrom }),
    status: isConfirmed ? 'confirmed' : 'unconfirmed',
    ...(isConfirmed && confirmedBy !== undefined && { confirmedBy }),
    origin: origins.find((origin) => records.some((one) => one.origin === origin)) ?? 'tool',
    ...toTainted(joinTaint(...records.map((one) => one.taint))),
    from: joinSources([...records.filter((one) => one !== longest), longest]),
    ...(records.some((one) => one.pinned === true) && { pinned: true }),
    ...(records.every((one) => one.groups === true) && { groups: true }),
    uses: records.reduce((sum, one) => sum + one.uses, 0),
    ...(lastUsedAt > 0 && { lastUsedAt }),
  }
}

/** All messages, each once; of too many the last: what the words came of stands there. */
function joinSources(records: readonly MemoryRecord[]): MemoryRecord['from'] {
  const known = new Set<string>()
  let left = mostMessages
  const kept: MemoryRecord['from'] = []
  for (const { conversation, messages } of records.flatMap(({ from }) => from).toReversed()) {
    const news = messages.filter((id) => !known.has(`${conversation} ${id}`)).slice(left > 0 ? -left : messages.length)
    for (const id of news) known.add(`${conversation} ${id}`)
    left -= news.length
    if (news.length > 0) kept.unshift({ conversation, messages: news })
  }
  return kept
}
