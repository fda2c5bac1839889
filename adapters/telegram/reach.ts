// Where a row goes and whether it can: to where the chat is now, and nowhere if the chat is closed. What a refusal tells of the chat is
// written down, so that the next row costs no request. A book that cannot be read keeps nothing from being sent.
import { toChat, type ConversationId } from '#shared/chat/conversation.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { BegunRow, Outcome } from '#queues/kernel/kernel.ts'
import type { BotApi } from './bot-api.ts'
import { deliver } from './deliver.ts'
import { toChatId, toPlace, type TelegramPlace } from './place.ts'

export type ReachDeps = { readonly bot: BotApi; readonly chats: ChatBook }
type Limit = { readonly timeoutMs: number; readonly signal: AbortSignal }

/** Refusals of the chat itself, not of what was to be sent. https://core.telegram.org/bots/api#making-requests names none; as seen. */
const closing =
  /bot was blocked|user is deactivated|bot was kicked|bot is not a member|chat not found|PEER_ID_INVALID|group chat was deactivated|not enough rights to send|have no rights to send|CHAT_WRITE_FORBIDDEN|need administrator rights|bot can't initiate/i

/** Never throws. */
export async function reach(
  { bot, chats }: ReachDeps,
  { conversation, row }: { readonly conversation: ConversationId; readonly row: BegunRow },
  limit: Limit,
): Promise<Outcome> {
  const chat = toChat(conversation)
  const where = await findReach(chats, conversation)
  if (where.closed !== undefined) return { kind: 'failed', reason: where.closed }
  const onMoved = async (to: number): Promise<void> => await chats.move(chat, toChatId(to)).catch(() => {})
  const outcome = await deliver(bot, { place: where.place, row, onMoved }, limit)
  if (outcome.kind === 'failed' && closing.test(outcome.reason)) await chats.close(chat, outcome.reason).catch(() => {})
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
