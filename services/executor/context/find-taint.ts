// Finds what of a prompt others wrote: quotations, other members of a group, results of tools, parts that features gave, and answers of the
// bot to any of these.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { anotherMember, joinTaint, type Taint } from '#shared/model/taint.ts'
import type { GivenPart } from '#services/executor/state/given-part.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'

type Read = {
  readonly items: readonly HistoryItem[]
  readonly parts: readonly GivenPart[]
  readonly summary?: { readonly taint?: Taint | undefined; readonly by?: string | undefined } | undefined
}

/** `principal` is whom the turn serves: everybody else is another. */
export function findTaint({ items, parts, summary }: Read, principal: PrincipalId): Taint {
  // Ids of calls are unique within an answer only.
  const names = new Map<string, string>()
  const origins = new Set<string>(summary?.taint)
  if (summary?.by !== undefined && summary.by !== principal) origins.add(anotherMember)
  for (const item of items) {
    for (const origin of item.taint ?? []) origins.add(origin)
    if (item.role === 'assistant') for (const { id, name } of item.toolCalls ?? []) names.set(id, name)
    else if (item.role === 'tool') {
      const isInner = item.source === 'own' || item.source === 'person'
      // What is read again says itself where it came from.
      if (!isInner && !item.taint?.length) origins.add(names.get(item.callId)?.slice(0, 100) ?? 'a tool')
    } else if (item.source === 'others') origins.add('a quotation')
    else if (!isOwnMessage(item, principal)) origins.add(anotherMember)
  }
  for (const { name, source, taint = [] } of parts) {
    for (const origin of taint) origins.add(origin)
    if (source === 'others' && taint.length === 0) origins.add(name.slice(0, 100))
  }
  return origins.size === 0 ? [] : joinTaint([...origins])
}

/** Whether the principal wrote it, perhaps with a quotation. */
export const isOwnMessage = (item: HistoryItem, principal: PrincipalId): boolean =>
  item.role === 'user' && (item.by === undefined || item.by === principal)
