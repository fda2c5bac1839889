// How fast Telegram takes calls, as its FAQ states it of messages: 30 a second in all, one a second in a chat, 20 a minute in a group, whose
// topics share them. What shows that the bot types, and a draft, count in a chat too: bots that left them out were stopped for hours. Operators with
// an agreement, or a Bot API server of their own, may have more. https://core.telegram.org/bots/faq
import { toChat, type ConversationId } from '#shared/chat/conversation.ts'
import type { SendLimits } from '#queues/fleet/send-budget.ts'
import { toAddress } from './ids.ts'

export type TelegramRates = {
  readonly botPerS: number
  readonly chatPerS: number
  readonly groupPerMinute: number
}

export function toLimits(rates: TelegramRates, botId: string, conversation: ConversationId): SendLimits {
  const { isGroup } = toAddress(conversation)
  const perMinute = { count: isGroup ? rates.groupPerMinute : 60 * rates.chatPerS, perMs: 60_000 }
  // A message is not held up by what showed before it that the bot types.
  const message = { name: 'message', perChat: [{ count: rates.chatPerS, perMs: 1000 }] }
  return {
    bot: `telegram:${botId}`,
    chat: toChat(conversation),
    // In sixths, so that a second's worth is not sent at once and pushed together on its way.
    perBot: [{ count: Math.ceil(rates.botPerS / 6), perMs: 1000 / 6 }],
    perChat: [perMinute],
    buckets: { send: message, edit: message },
    // In groups less than half, so that an answer always finds room.
    cosmetics: [{ ...perMinute, count: Math.max(1, Math.floor(perMinute.count * (isGroup ? 0.4 : 0.75))) }],
  }
}
