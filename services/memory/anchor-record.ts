// Anchors as they are written: what somebody settled by /anchor, and one record of two texts on one topic.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { mostReasonChars, mostTags, type Anchor, type AnchorKind } from '#shared/memory/anchor.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { mostRecordChars, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { joinTaint } from '#shared/model/taint.ts'
import { findRefusal } from './refuse.ts'
import { toFolded } from './words.ts'

/** What somebody wants settled, before it is written. */
export type Settled = {
  readonly of: AnchorKind
  readonly text: string
  readonly anchor: Anchor
  readonly speaker: PrincipalId
  readonly name?: string
  /** The event that said it. */
  readonly event: string
  readonly conversation: ConversationId
  readonly messages: readonly string[]
}

/** `by`: who confirms it, at this moment: from then on it holds. */
export const toAnchorRecord = (
  { of, text, anchor, speaker, name, event, conversation, messages }: Settled,
  by: { readonly principal: PrincipalId; readonly atMs: number },
): NewRecord => ({
  id: toEventId('said', conversation, event),
  kind: of,
  speaker,
  ...(name === undefined ? {} : { name }),
  text,
  saidAt: by.atMs,
  status: 'confirmed',
  confirmedBy: by.principal,
  origin: 'said',
  from: [{ conversation, messages: [...messages] }],
  anchor,
})

/** Why nothing of it is kept: any of its parts may say what is never kept. */
export const refuseAnchor = ({ text, anchor }: Pick<Settled, 'text' | 'anchor'>, group: boolean) =>
  [text, [anchor.why, anchor.context, ...anchor.tags].join('\n')]
    .map((part) => findRefusal(part, { group }))
    .find((refusal) => refusal !== undefined)

/** The confirmed one that holds on the same topic. */
export async function findOnTopic(
  memory: Pick<MemoryStore, 'read'>,
  scope: string,
  { of, anchor }: Pick<Settled, 'of' | 'anchor'>,
): Promise<MemoryRecord | undefined> {
  const read = await memory.read(scope)
  const records = read === 'same' ? [] : read.records
  return records.find(
    (one) =>
      one.kind === of &&
      one.status === 'confirmed' &&
      one.supersededBy === undefined &&
      one.anchor !== undefined &&
      toFolded(one.anchor.topic) === toFolded(anchor.topic),
  )
}

const origins = ['tool', 'inferred', 'said'] as const
const mostMessages = 20

/** Both texts and both sources, no surer than the less sure of them. Undefined where both have no room in one record. */
export function merge(older: MemoryRecord, newer: NewRecord): NewRecord | undefined {
  const { anchor } = newer
  if (!anchor || !older.anchor) return undefined
  const said = newer.text.slice(anchor.topic.length).replace(/^\s{0,3}[:：]\s{0,3}/u, '')
  const isHan = /\p{Script=Han}/u.test(said)
  const text = `${older.text}${isHan ? '；' : '; '}${said}`
  const why = join(older.anchor.why, anchor.why)
  const context = join(older.anchor.context, anchor.context)
  if (text.length > mostRecordChars || [why, context].some((part) => part.length > mostReasonChars)) return undefined
  const taint = joinTaint(older.taint, newer.taint)
  const isConfirmed = older.status === 'confirmed' && newer.status === 'confirmed'
  const { id, kind, speaker, name, saidAt, confirmedBy } = newer
  const { why: _why, context: _context, ...days } = anchor
  return {
    id,
    kind,
    speaker,
    ...(name === undefined ? {} : { name }),
    saidAt,
    text,
    status: isConfirmed ? 'confirmed' : 'unconfirmed',
    ...(isConfirmed && confirmedBy !== undefined ? { confirmedBy } : {}),
    origin: origins.find((one) => one === older.origin || one === newer.origin) ?? newer.origin,
    ...(taint.length > 0 ? { taint: [...taint] } : {}),
    from: bound([...older.from, ...newer.from]),
    anchor: {
      ...toEarlier(older.anchor, days),
      tags: [...new Set([...older.anchor.tags, ...anchor.tags])].slice(0, mostTags),
      ...(why === '' ? {} : { why }),
      ...(context === '' ? {} : { context }),
    },
  }
}

const join = (one = '', other = ''): string =>
  one === other ? one : [one, other].filter((part) => part !== '').join('; ')

/** What is settled anew says until when; what says no day leaves the older one's. */
const toEarlier = ({ until }: Anchor, newer: Anchor): Anchor => (until === undefined ? newer : { until, ...newer })

/** The newest messages count, as of all records. */
function bound(from: NewRecord['from']): NewRecord['from'] {
  let left = mostMessages
  return from
    .toReversed()
    .flatMap(({ conversation, messages }) => {
      const newest = left > 0 ? messages.slice(-left) : []
      left -= newest.length
      return newest.length > 0 ? [{ conversation, messages: newest }] : []
    })
    .toReversed()
}
