// Where a row goes and whether it can: to where the chat is now, and nowhere if the chat is closed. What a refusal tells of the chat is
// written down, so that the next row costs no request. A book that cannot be read keeps nothing from being sent.
import { toChat, type ConversationId } from '#shared/chat/conversation.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { BegunRow, Outcome } from '#queues/kernel/kernel.ts'
import type { BotApi } from './bot-api.ts'
import { deliver } from './deliver.ts'
import type { RichSupport } from './ladder.ts'
import { isOfChat } from './trouble.ts'
import { toChatId, toPlace, type TelegramPlace } from './place.ts'

export type ReachDeps = { readonly bot: BotApi; readonly chats: ChatBook; readonly rich: RichSupport }
type Limit = { readonly timeoutMs: number; readonly signal: AbortSignal }

/** Never throws. */
export async function reach(
  { bot, chats, rich }: ReachDeps,
  { conversation, row }: { readonly conversation: ConversationId; readonly row: BegunRow },
  limit: Limit,
): Promise<Outcome> {
  const chat = toChat(conversation)
  const where = await findReach(chats, conversation)
  if (where.closed !== undefined) return { kind: 'failed', reason: where.closed }
  const onMoved = async (to: number): Promise<void> => await chats.move(chat, toChatId(to)).catch(() => {})
  const outcome = await deliver(bot, { place: where.place, row, onMoved, rich }, limit)
  if (outcome.kind === 'failed' && isOfChat(outcome.reason)) await chats.close(chat, outcome.reason).catch(() => {})
  return outcome
}

/** A chat's place now, and why nothing can be sent there. */
export async function findReach(
  chats: ChatBook,
  conversation: ConversationId,
): Promise<{ readonly place: TelegramPlace; readonly closed: string | undefined }> {
  const standing = await chats.find(toChat(conversation)).catch(() => undefined)
  return { place: toPlace(conversation, standing), closed: standing?.closed }
}
