// How anchors are told to people and to the model, and until when they hold.
import type { Language } from '#shared/chat/message.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { anchorKinds } from '#shared/memory/anchor.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'

type Told = Pick<MemoryRecord, 'anchor'>

/** Whether the last day on which it holds is over; `today`: `YYYY-MM-DD`. */
export const isExpired = ({ anchor }: Told, today: string): boolean =>
  anchor?.until !== undefined && anchor.until < today

/** Of such a kind, whether it was ordered or noticed. */
export const isAnchor = ({ kind }: Pick<MemoryRecord, 'kind'>): boolean => anchorKinds.some((one) => one === kind)

/** In a group it holds once somebody confirms it who may change what holds there: nobody settles anything alone. */
export const isForAdmins = (record: Pick<MemoryRecord, 'kind' | 'anchor' | 'scope' | 'status'>): boolean =>
  record.scope.startsWith('chat:') &&
  (record.anchor !== undefined || (isAnchor(record) && record.status === 'unconfirmed'))

/** Behind its kind, speaker and day. */
export function tellUntil({ anchor }: Told, language: Language): readonly string[] {
  const { until, validated } = anchor ?? {}
  return [
    ...(until === undefined ? [] : [language === 'zh' ? `到 ${until} 为止` : `until ${until}`]),
    ...(validated === undefined ? [] : [language === 'zh' ? `${validated} 验证过` : `validated ${validated}`]),
  ]
}

/** On the card of the record alone. */
export function tellReasons({ anchor }: Told, language: Language): readonly string[] {
  if (!anchor) return []
  const isChinese = language === 'zh'
  const { why, context, tags } = anchor
  const lines = [
    [isChinese ? '原因：' : 'why: ', why],
    [isChinese ? '背景：' : 'context: ', context],
    [isChinese ? '标签：' : 'tags: ', tags.join(isChinese ? '、' : ', ')],
  ] as const
  return lines.flatMap(([name, said]) => (said ? [`${name}${toInertLine(said, 600)}`] : []))
}

/** Behind its text, for the model. */
export function tellToModel({ anchor }: Told): string {
  if (!anchor) return ''
  const { why, context, until } = anchor
  const parts = [
    ...(context === undefined ? [] : [`context: ${context}`]),
    ...(why === undefined ? [] : [`why: ${why}`]),
    ...(until === undefined ? [] : [`holds until ${until}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join('; ').replaceAll(/\s+/g, ' ')})`
}

const mostDecisions = 10

/** Of what was found the newest ten decisions that were settled on purpose stand first; all others keep their order. */
export function decisionsFirst<T extends { readonly record: MemoryRecord }>(found: readonly T[]): readonly T[] {
  const isDecision = ({ record }: T): boolean =>
    record.kind === 'decision' && record.anchor !== undefined && record.status === 'confirmed'
  const first = found
    .filter(isDecision)
    .toSorted((a, b) => b.record.saidAt - a.record.saidAt)
    .slice(0, mostDecisions)
  return first.length === 0 ? found : [...first, ...found.filter((one) => !first.includes(one))]
}
