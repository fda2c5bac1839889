// Which turns of a session a model reads together: three, or fewer once nothing was answered for a minute and a half. It is told by the times of the records
// alone, so that each turn is read once, nothing is stored for it, and a job that comes again reads the same.
import { ownOf } from '#shared/chat/spoken.ts'
import type { TurnRecord } from '#shared/run/record.ts'

/** A card comes two minutes after an answer: what is read by then can stand on it. */
export const silentMs = 90_000
const mostTogether = 3

/** Something was asked in it, in words, and it was no command. */
export const hasAsked = ({ asked }: Pick<TurnRecord, 'asked'>): boolean => {
  const own = ownOf(asked).trim()
  return own !== '' && !own.startsWith('/')
}

type Read = Pick<TurnRecord, 'turn' | 'endedAt'>

/**
 * `turns`: those of the session that may be read, the oldest first. The batch that ends with this turn; undefined where a later turn's has it, or the turn is
 * none of them. `isFull`: there is nothing to wait for.
 */
export function findBatch<T extends Read>(
  turns: readonly T[],
  turn: string,
): { readonly turns: readonly T[]; readonly isFull: boolean } | undefined {
  let begin = 0
  for (const [at, one] of turns.entries()) {
    const next = turns[at + 1]
    const isFull = at - begin + 1 === mostTogether
    const isEnd = isFull || next === undefined || next.endedAt - one.endedAt >= silentMs
    if (one.turn === turn) return isEnd ? { turns: turns.slice(begin, at + 1), isFull } : undefined
    if (isEnd) begin = at + 1
  }
  return undefined
}
