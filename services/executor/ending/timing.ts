// Where the time of an answer went, for the operator's log: numbers and names of ours, and nothing that anybody wrote.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { TurnEnding } from '#shared/run/journal.ts'
import type { Timing } from '#services/executor/run/deps.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'

export function toTiming(
  { start, entries }: OpenTurn,
  {
    events,
    ending,
    endedAt,
  }: { readonly events: readonly ChatEvent[]; readonly ending: TurnEnding; readonly endedAt: number },
): Timing {
  const begun = start.at
  const saidAt = events.reduce((first, { at }) => Math.min(first, at), begun)
  const answers = entries.filter((entry) => entry.t === 'llm:fin' && entry.approved === undefined)
  const model = answers.findLast((entry) => entry.t === 'llm:fin')
  const modelMs = sumSpans(entries, 'llm')
  const toolMs = sumSpans(entries, 'tool')
  return {
    turn: start.turn,
    ending,
    ...(model?.t === 'llm:fin' ? { model: model.model } : {}),
    modelCalls: answers.length,
    toolCalls: entries.filter(({ t }) => t === 'tool:fin').length,
    totalMs: Math.max(0, endedAt - saidAt),
    waitedMs: begun - saidAt,
    modelMs,
    toolMs,
    otherMs: Math.max(0, endedAt - begun - modelMs - toolMs),
  }
}

/** Calls that ran at once count once. A try that came to nothing counts until the next one ended. */
function sumSpans(entries: OpenTurn['entries'], what: 'llm' | 'tool'): number {
  let total = 0
  let since: number | undefined
  for (const { t, at } of entries) {
    if (t === `${what}:req`) since ??= at
    if (t !== `${what}:fin` || since === undefined) continue
    total += Math.max(0, at - since)
    since = at
  }
  return total
}
