// Which part of a history is old enough to be summed up: all but the last exchanges, which stay word for word. Pure.
import type { Estimate, HistoryItem } from '#services/executor/state/history-item.ts'
import { neverCut, toExchanges, type Exchange } from '#services/executor/context/exchanges.ts'
import { sumTokens } from '#services/executor/state/fit-items.ts'

/** So many stay where there is room for them, and the last two in any case. */
const keptExchanges = 5

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
    if (answered >= neverCut && tokens > roomTokens) break
    if (answered >= keptExchanges) break
    if (isAnswered(next)) answered += 1
  }
  return { old: exchanges.slice(0, from), kept: exchanges.slice(from).flat() }
}
