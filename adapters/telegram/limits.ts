// How fast Telegram takes messages, as its FAQ states it: 30 a second in all, one a second in a chat, 20 a minute in a group, whose
// topics share them. Operators with an agreement, or a Bot API server of their own, may have more. https://core.telegram.org/bots/faq
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
  const perS = { count: rates.chatPerS, perMs: 1000 }
  return {
    bot: `telegram:${botId}`,
    chat: toChat(conversation),
    // In sixths, so that a second's worth is not sent at once and pushed together on its way.
    perBot: [{ count: Math.ceil(rates.botPerS / 6), perMs: 1000 / 6 }],
    perChat: isGroup ? [perS, { count: rates.groupPerMinute, perMs: 60_000 }] : [perS],
    // In groups edits take less than half, so that an answer always finds room.
    drafts: isGroup ? [{ count: Math.max(1, Math.floor(rates.groupPerMinute * 0.4)), perMs: 60_000 }] : [perS],
    nativeDrafts: !isGroup,
  }
}
