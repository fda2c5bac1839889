// A history as exchanges: what a person said, and all that came of it. Pure.
import type { HistoryItem } from '#services/executor/state/history-item.ts'

/** So many stand in each prompt word for word, and are not summed up. */
export const neverCut = 2

/** What a person said, and all that came of it. What nobody answered is one alone. */
export type Exchange = readonly HistoryItem[]

export function toExchanges(history: readonly HistoryItem[]): Exchange[] {
  const all: HistoryItem[][] = []
  for (const item of history) {
    const last = all.at(-1)
    const begins = item.role === 'user' && !item.joined
    if (begins || !last) all.push([item])
    else last.push(item)
  }
  return all
}
