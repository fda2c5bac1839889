// A turn that another process is at, as it is looked at from outside: what it has done so far, with whose words that is.
import { keeper, type Kept } from '#shared/feature/kept.ts'
import type { CallLine } from '#shared/feature/left.ts'
import { joinTaint } from '#shared/model/taint.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { callLinesOf } from './call-lines.ts'
import { foldTail, readIdsOf, taintOf } from '#services/executor/run/open-turn.ts'

/** Times are ms since 1970; `at`: when something of it was stored last. */
export type LookedTurn = {
  readonly begunAt: number
  readonly at: number
  readonly tokens: number
  readonly calls: readonly CallLine[]
}

/** `tail`: the journal since its last fold; `about`: platform ids of the messages that the work comes of. Undefined where no turn is open. */
export function lookAtTurn(
  tail: readonly { readonly entry: JournalEntry }[],
  about: readonly string[],
): Kept<LookedTurn> | undefined {
  const turn = foldTail(tail)
  if (!turn) return undefined
  const { start, entries } = turn
  const outer = entries.flatMap((entry) =>
    entry.t === 'tool:fin' && entry.source !== 'own' && entry.source !== 'person'
      ? ['a tool', ...(entry.taint ?? [])]
      : [],
  )
  const keep = keeper({
    source: 'own',
    by: start.principal,
    taint: [...joinTaint(taintOf(turn), outer)],
    about: [...about, ...(start.about ?? []), ...readIdsOf(turn)],
  })
  return keep({
    begunAt: start.at,
    at: entries.at(-1)?.at ?? start.at,
    tokens: entries.reduce(
      (sum, entry) => sum + (entry.t === 'llm:fin' ? entry.usage.promptTokens + entry.usage.completionTokens : 0),
      0,
    ),
    calls: callLinesOf(turn),
  })
}
