// What a turn's prompt may hold, by whose it is: what the turn's person wrote and quoted, what came from the web, and everything else.
import { findArgument } from '#shared/model/call-arguments.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import { visibleTo, type HistoryItem } from '#services/executor/state/history-item.ts'
import { ownOf, quotedOf } from '#shared/chat/spoken.ts'
import { isOwnMessage } from '#services/executor/context/find-taint.ts'
import { callsOf } from '#services/executor/run/open-turn.ts'
import type { TurnRun } from '#services/executor/turn/turn-run.ts'
import { notRun } from './gateway.ts'
import type { Known } from './reach.ts'

/** `asking` is the call that is judged: those before it in the same answer count as made. */
export function findKnown({ claim, start, turn, facts, deps }: TurnRun, asking: ToolCall): Known {
  const { state } = claim
  const { items: now } = facts()
  const own: string[] = []
  const quoted: string[] = []
  // Whose words a part of a summary is nobody knows any more.
  const others = [
    state.summary?.text ?? '',
    ...[...(state.prefix ?? []), ...(state.context ?? [])].map(({ text }) => text),
  ]
  const searches: Known['searches'][number][] = []
  const pages: Known['pages'][number][] = []
  // Ids of calls are unique within an answer only.
  const calls = new Map<string, ToolCall>()
  // By the names of artifacts, the calls whose results they hold.
  const kept = new Map<string, ToolCall>()
  const read = (item: HistoryItem, isNow: boolean): void => {
    if (item.role === 'assistant') for (const call of item.toolCalls ?? []) calls.set(call.id, call)
    const call = item.role === 'tool' ? findCall(item, calls, kept) : undefined
    const sends = call && deps.features.findTool(call.name)?.found.sends
    const { text } = item
    // A turn may be begun by words that a tool left, which the model chose.
    const isOwn = isOwnMessage(item, start.principal) && !item.taint?.length
    if (isOwn) {
      own.push(ownOf(text))
      quoted.push(quotedOf(text))
    } else if (call && sends?.what === 'query') searches.push({ call, text })
    else if (call && sends) {
      if (!text.startsWith(notRun(call.name))) pages.push({ call, text, isNow, url: toOpened(call, sends) })
    } else others.push(text)
  }
  for (const item of visibleTo(state.history, start.principal)) read(item, false)
  for (const item of now) read(item, true)
  const answer = callsOf(turn())
  for (const call of answer.slice(
    0,
    Math.max(
      0,
      answer.findIndex(({ id }) => id === asking.id),
    ),
  )) {
    const sends = deps.features.findTool(call.name)?.found.sends
    if (sends?.what === 'address') pages.push({ call, text: '', isNow: true, url: toOpened(call, sends) })
  }
  return { own, quoted, others, searches, pages }
}

/** The call of a result; of one that reads on in an artifact, the call that found what is in it. */
function findCall(
  { callId, artifact }: Extract<HistoryItem, { role: 'tool' }>,
  calls: ReadonlyMap<string, ToolCall>,
  kept: Map<string, ToolCall>,
): ToolCall | undefined {
  const call = calls.get(callId)
  if (call === undefined || artifact === undefined) return call
  const first = kept.get(artifact) ?? call
  kept.set(artifact, first)
  return first
}

/** Arguments that cannot be read were never sent. */
function toOpened(call: ToolCall, { argument }: NonNullable<Tool['sends']>): string {
  const value = findArgument(call.arguments, argument)
  return typeof value === 'string' ? value : ''
}
