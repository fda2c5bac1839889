// The sending half of the channel: the delivery worker's port on the Bot API. In private chats a reply is streamed as a draft, which is
// no message yet, and ends with a real one; in groups its first message grows by edits.
import { createHash } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChannelAdapter, DraftOutcome, ShownDraft } from '#queues/workers/channel-adapter.ts'
import { splitBody } from '#adapters/markup/split-body.ts'
import { toEntities, type EntityText } from '#adapters/markup/to-entities.ts'
import type { Answer, BotApi, Refused } from './bot-api.ts'
import { deliver, toCommon } from './deliver.ts'
import { toLimits, type TelegramRates } from './limits.ts'
import { toPlace } from './place.ts'

/** UTF-16 units of a message after rendering. https://core.telegram.org/bots/api#sendmessage */
const maxTextUnits = 4096
const maxDraftUnits = 3500
const draftTimeoutMs = 3000

export function createTelegramAdapter(bot: BotApi, rates: TelegramRates, sendTimeoutMs = 10_000): ChannelAdapter {
  return {
    channel: 'telegram',
    idempotent: false,
    sendTimeoutMs,
    split: (body) => splitBody(body, telegramLimit),
    deliver: (conversation, row, signal) => deliver(bot, { conversation, row }, { timeoutMs: sendTimeoutMs, signal }),
    limits: (conversation) => toLimits(rates, bot.botId, conversation),
    streaming: (conversation) =>
      toPlace(conversation).isGroup ? { as: 'edit', everyMs: 3100 } : { as: 'draft', everyMs: 1200 },
    async showDraft(conversation, draft, signal) {
      const shown = await show(bot, { conversation, draft }, signal)
      if (shown.kind === 'refused') return toRefusal(shown)
      if (shown.kind === 'unclear') return { kind: 'unclear' }
      return shown.kind === 'ok' ? { kind: 'shown' } : { kind: 'refused', afterMs: 5000 }
    },
  }
}

function toRefusal({ code, reason, retryAfterMs }: Refused): DraftOutcome {
  if (/message is not modified/i.test(reason)) return { kind: 'shown' }
  return { kind: 'refused', afterMs: retryAfterMs ?? 30_000, ...(code === 429 ? { slowDown: 'chat' } : {}) }
}

function show(
  bot: BotApi,
  { conversation, draft }: { readonly conversation: ConversationId; readonly draft: ShownDraft },
  signal: AbortSignal,
): Promise<Answer<unknown>> {
  const { chat, topic } = toPlace(conversation)
  const thread = topic === undefined ? {} : { message_thread_id: topic }
  const limit = { timeoutMs: draftTimeoutMs, signal }
  if (draft.message) {
    const { receipt, buttons } = draft.message
    const { text, entities } = toEntities(draft.text.slice(0, maxDraftUnits).toWellFormed())
    const options = { entities: [...entities], ...toCommon({ buttons }) }
    return bot.ask((api, stop) => api.editMessageText(chat, Number(receipt), text, options, stop), limit)
  }
  if (draft.text.trim() === '') {
    return bot.ask((api, stop) => api.sendChatAction(chat, 'typing', thread, stop), limit)
  }
  const { text, entities } = toDraft(draft.text)
  const options = { ...thread, entities: [...entities] }
  return bot.ask((api, stop) => api.sendMessageDraft(chat, toDraftId(draft.turn), text, options, stop), limit)
}

/** The end of a text too long for one draft; how it begins has been read by then. */
function toDraft(markdown: string): EntityText {
  const end = markdown.length > maxDraftUnits ? `…${markdown.slice(-maxDraftUnits)}`.toWellFormed() : markdown
  const rendered = toEntities(end)
  return rendered.text.length <= maxTextUnits ? rendered : { text: end, entities: [] }
}

/** Telegram animates a text under the same number; it must not be 0. */
function toDraftId(turn: string): number {
  return (createHash('sha1').update(turn).digest().readUInt32BE(0) >>> 1) + 1
}

const telegramLimit = { limit: maxTextUnits, measure: (markdown: string) => toEntities(markdown).text.length }
