// GET …/messages: what was said in a conversation, from a position on (`after`) or, for a page that opens, the newest first and what came
// before it later (`before`, where 0 is the end).
import type { Context, Hono } from 'hono'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import { isPosition, readFrom, toPosition } from '#queues/shown/out-position.ts'
import { refuse } from './answer.ts'
import { toApiMessage, type ApiMessage } from './api-message.ts'
import { toWebConversation } from './conversation-routes.ts'
import type { BlockReader } from './open-block-reader.ts'

const mostItems = 500
const fewItems = 40

export type HistoryDeps = {
  readonly kernel: Pick<Kernel, 'readOut' | 'readOutBefore'>
  readonly reader: BlockReader
}

type Page = {
  readonly messages: readonly ApiMessage[]
  /** What to pass as `before` for the messages that came earlier; absent when there are none. */
  readonly earlier?: string
  /** There were earlier ones, which are kept no more. */
  readonly cut?: true
}

export function addHistory(app: Hono, deps: HistoryDeps): void {
  app.get('/api/conversations/:id/messages', async (context) => {
    const conversation = toWebConversation(context.req.param('id'))
    const { before, after = '0', limit } = context.req.query()
    if (!isPosition(after) || (before !== undefined && !isPosition(before))) {
      return refusePlace(context)
    }
    if (limit !== undefined && (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > mostItems)) {
      return refuse(context, 400, { code: 'bad-input', message: `limit must be a number from 1 to ${mostItems}.` })
    }
    if (before === undefined)
      return context.json(await readAfter(deps, conversation, after, Number(limit ?? mostItems)))
    return context.json(await readBefore(deps, conversation, before, Number(limit ?? fewItems)))
  })
}

function refusePlace(context: Context): Response {
  return refuse(context, 400, { code: 'bad-input', message: 'after and before must be the id of a message, or 0.' })
}

async function readAfter(deps: HistoryDeps, conversation: ConversationId, after: string, limit: number): Promise<Page> {
  const reader = readFrom(deps.kernel, conversation, after)
  for (;;) {
    const items = await reader.next(limit)
    const messages = await toMessages(deps, items)
    if (messages.length > 0 || items.length === 0) return { messages }
  }
}

/** Until there is something to show, or nothing before it. */
async function readBefore(
  deps: HistoryDeps,
  conversation: ConversationId,
  before: string,
  limit: number,
): Promise<Page> {
  let position = before.split('-')[1] ?? '0'
  for (;;) {
    const items = await deps.kernel.readOutBefore(conversation, position, limit)
    const messages = await toMessages(deps, items)
    const [first] = items
    if (!first || items.length < limit) return { messages, ...((await isCut(deps, conversation)) ? { cut: true } : {}) }
    if (messages.length > 0) return { messages, earlier: toPosition(first) }
    position = first.id
  }
}

/** Items are numbered from 1 on. */
async function isCut({ kernel }: HistoryDeps, conversation: ConversationId): Promise<boolean> {
  const [first] = await kernel.readOut(conversation, '0', 1)
  return first !== undefined && first.id !== '1'
}

/** One after the other: what others read has its turn between two. */
async function toMessages(deps: HistoryDeps, items: readonly OutItem[]): Promise<ApiMessage[]> {
  const messages: ApiMessage[] = []
  for (const item of items) {
    const message = await toApiMessage(item, deps.reader)
    if (message) messages.push(message)
  }
  return messages
}
