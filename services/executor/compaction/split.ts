// Which part of a history is old enough to be summed up: all but the last exchanges, which stay word for word. Pure.
import type { Estimate, HistoryItem } from '#services/executor/context/history-item.ts'
import { sumTokens } from '#services/executor/context/fit-items.ts'

/** So many stay where there is room for them, and the last two in any case. */
const keptExchanges = 5
const neverSummed = 2

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

const isAnswered = (exchange: Exchange): boolean => exchange.some(({ role }) => role === 'assistant')

/** `roomTokens`: how much may stay beyond the last two exchanges. */
export function splitHistory(
  history: readonly HistoryItem[],
  roomTokens: number,
  estimate: Estimate,
): { readonly old: readonly Exchange[]; readonly kept: readonly HistoryItem[] } {
  const exchanges = toExchanges(history)
  let answered = 0
  let tokens = 0
  let from = exchanges.length
  for (; from > 0; from--) {
    const next = exchanges[from - 1] ?? []
    tokens += sumTokens(next, estimate)
    if (answered >= neverSummed && tokens > roomTokens) break
    if (answered >= keptExchanges) break
    if (isAnswered(next)) answered += 1
  }
  return { old: exchanges.slice(0, from), kept: exchanges.slice(from).flat() }
}
