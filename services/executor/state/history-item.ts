// One message of a conversation's history, in the snapshot and in prompts.
import { z } from 'zod'
import { principalId, type PrincipalId } from '#shared/chat/conversation.ts'
import { source } from '#shared/model/source.ts'
import { taint } from '#shared/model/taint.ts'
import { toolCall } from '#shared/run/journal.ts'

const base = {
  text: z.string(),
  /** Whose words it holds. */
  source,
  /** What others wrote that it was made of. */
  taint: taint.optional(),
  /** Who alone may see it: it holds what somebody said in private, or comes of that. */
  for: principalId.exactOptional(),
}

export const historyItem = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    ...base,
    name: z.string().optional(),
    /** Who of a group wrote it, or who answered or pressed what it works on. */
    by: principalId.optional(),
    messageId: z.string().optional(),
    /** Of a turn's first item: platform ids of the messages that the turn is about, where these are not this item's own alone. */
    about: z.array(z.string()).optional(),
    /** A later item of the turn that begins further up. */
    joined: z.literal(true).optional(),
  }),
  z.object({
    role: z.literal('assistant'),
    ...base,
    toolCalls: z.array(toolCall).optional(),
  }),
  z.object({
    role: z.literal('tool'),
    ...base,
    callId: z.string(),
    /** The artifact that holds the whole of it, or that it is read from. */
    artifact: z.string().optional(),
  }),
])
export type HistoryItem = z.infer<typeof historyItem>

/** As one person may see it, or without one as all may: what is for others' eyes is blank. */
export const visibleTo = (history: readonly HistoryItem[], principal?: PrincipalId): readonly HistoryItem[] =>
  history.some((item) => isHidden(item, principal))
    ? history.map((item) => (isHidden(item, principal) ? blankItem(item, '[private]') : item))
    : history
const isHidden = (item: HistoryItem, principal?: PrincipalId): boolean =>
  item.for !== undefined && item.for !== principal

/** What stands in its place. A model may make up the name of a tool, too. */
export const blankItem = (item: HistoryItem, text: string): HistoryItem =>
  item.role === 'assistant' && item.toolCalls
    ? { ...item, text, toolCalls: item.toolCalls.map(({ id }) => ({ id, name: 'gone', arguments: '{}' })) }
    : { ...item, text }

/** Upper bound of a text's tokens. */
export type Estimate = (text: string) => number

/** As lines `name: text`, without what tools said. */
export const toTranscript = (history: readonly HistoryItem[]): string[] =>
  history.flatMap((item) => (item.role === 'tool' || item.text === '' ? [] : [`${item.role}: ${item.text}`]))

/** Platform ids of the messages whose texts are in it. */
export const aboutHistory = (history: readonly HistoryItem[]): string[] => [
  ...new Set(
    history.flatMap((item) =>
      item.role === 'user' ? [...(item.messageId ? [item.messageId] : []), ...(item.about ?? [])] : [],
    ),
  ),
]
