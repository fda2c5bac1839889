// A pressed button: resolved first, so that the toast tells what really happened; then the spinner is ended at once.
import { resolvePress, type Press, type ResolveDeps } from '#adapters/press/resolve-press.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { toLanguage } from '#adapters/events/to-language.ts'
import { callsAdmin, type Admins } from './admins.ts'
import { done } from './responses.ts'
import type { BotApi } from './bot-api.ts'
import type { ChatBudget } from './chat-budget.ts'
import { takeButtonsOff } from './deliver.ts'
import { toConversation, toPrincipal } from './ids.ts'
import { toName } from './quotes.ts'
import { cardAtHome } from './chat-home.ts'
import type { TgPress } from './updates.ts'

export type PressDeps = ResolveDeps & {
  readonly bot: BotApi
  readonly budget: ChatBudget
  readonly chats: Pick<ChatBook, 'find'>
  readonly admins: Admins
}

const requestTimeoutMs = 5000

/**
 * Throws BotError `store-unavailable` when nobody knows yet who won: then the update must come again. The toast is not waited for;
 * the returned promise of it never rejects.
 */
export async function takePress(
  deps: PressDeps,
  press: TgPress,
  id: string,
): Promise<{ readonly told: Promise<void> }> {
  const { from, data } = press
  const actor = from.is_bot ? undefined : toPrincipal(from.id)
  const { conversation, messageId, isAdmin } = await homeOf(deps, press, actor)
  const { dropsButtons, text } = await resolvePress(deps, {
    id,
    data,
    conversation,
    actor,
    name: toName(from),
    messageId,
    isAdmin,
    language: toLanguage(from.language_code ?? 'en'),
    labelOf: (wanted) => toLabel(press, wanted),
    nameOf: (principal) => principal.slice('telegram:'.length),
  })
  const toast = tell(deps.bot, press.id, text)
  if (!dropsButtons) return { told: toast }
  return { told: Promise.all([toast, dropButtons(deps, press)]).then(() => undefined) }
}

type Pressed = Pick<Press, 'conversation' | 'messageId'> & { readonly isAdmin: boolean }

/** A card may lie in a chat that has moved since its question was asked, and administrators may press more than others. */
async function homeOf(
  { chats, admins }: PressDeps,
  { message }: TgPress,
  principal: PrincipalId | undefined,
): Promise<Pressed> {
  if (!message || !principal) return { conversation: undefined, messageId: undefined, isAdmin: false }
  const topic = message.is_topic_message ? message.message_thread_id : undefined
  const conversation = toConversation(message.chat.id, topic)
  const [card, isAdmin] = await Promise.all([
    cardAtHome(chats, { conversation, messageId: String(message.message_id) }),
    callsAdmin(admins, { conversation, principal }),
  ])
  return { ...card, isAdmin }
}

function toLabel(press: TgPress, data: string): string | undefined {
  const rows = press.message?.reply_markup?.inline_keyboard ?? []
  return rows.flat().find((button) => button.callback_data === data)?.text
}

async function tell(bot: BotApi, id: string, text: string): Promise<void> {
  const short = text.toWellFormed().slice(0, 190).toWellFormed()
  await bot.call(done, (api, signal) => api.answerCallbackQuery(id, { text: short }, signal), limit())
}

const limit = () => ({ timeoutMs: requestTimeoutMs, signal: new AbortController().signal })

/** Left out where the chat has no room, and it may fail: a second press is told so. */
async function dropButtons({ bot, budget }: PressDeps, { message }: TgPress): Promise<void> {
  if (!message) return
  const card = { chat: message.chat.id, message: message.message_id }
  // A call never throws, and the store may be away.
  const dropped = await budget.edit(card.chat, () => takeButtonsOff(bot, card, limit())).catch(() => undefined)
  if (dropped?.kind === 'slow-down') await budget.pause(card.chat, dropped.retryAfterMs).catch(() => {})
}
