// What was tried in a turn and failed, for the end of its prompt: a failed step stays visible, so that it is not tried again in the same way.
import { withoutMarks } from '#shared/chat/spoken.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { JournalEntry } from '#shared/run/journal.ts'

const mostTrails = 5
const argumentChars = 120
const reasonChars = 160

/**
 * A line for each call that failed and was not made good by the same call later, the newest last; none as a rule. The reasons may be words of
 * others: they are material, and tainted as the results that they come from.
 */
export function errorTrail(entries: readonly JournalEntry[]): readonly string[] {
  const lines = new Map<string, string>()
  const calls = new Map<string, ToolCall>()
  for (const entry of entries) {
    if (entry.t === 'llm:fin') for (const call of entry.toolCalls) calls.set(`${entry.step} ${call.id}`, call)
    if (entry.t !== 'tool:fin') continue
    const call = calls.get(`${entry.step} ${entry.callId}`)
    if (!call) continue
    const tried = `${call.name} ${toLine(call.arguments, argumentChars)}`
    // The newest failure of a call stands where it happened.
    lines.delete(tried)
    const ways = entries.flatMap((one) =>
      one.t === 'tool:req' && one.again && one.step === entry.step && one.callId === entry.callId
        ? [one.again.how]
        : [],
    )
    const also = ways.length === 0 ? '' : ` (by itself also: ${ways.join(', ')})`
    if (!entry.ok) lines.set(tried, `tried ${tried}${also}: failed because ${toLine(entry.result, reasonChars)}`)
  }
  return [...lines.values()].slice(-mostTrails)
}

/** Seed 004 §3.2.3: what is not critical is skipped. */
export const skipping =
  'a step that failed and is not needed may be left out: go on without it, and say so in the answer'

function toLine(text: string, most: number): string {
  const line = withoutMarks(text.slice(0, 2 * most))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return (line.length > most ? `${line.slice(0, most - 1)}…` : line).toWellFormed()
}
