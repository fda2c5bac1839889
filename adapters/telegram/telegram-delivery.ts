// The sending half of the channel: the delivery worker's port on the Bot API. In private chats a reply is streamed as a draft, which is
// no message yet, and ends with a real one; in groups its first message grows by edits.
import { createHash } from 'node:crypto'
import { toChat } from '#shared/chat/conversation.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { Address, ChannelDelivery, ShownDraft } from '#queues/workers/channel-adapter.ts'
import { deliverRow } from '#adapters/delivery/deliver-row.ts'
import { toDraftOutcome } from '#adapters/delivery/outcome.ts'
import { takeTurn } from '#adapters/markup/in-turns.ts'
import { toEntities, type EntityText } from '#adapters/markup/to-entities.ts'
import { done, edited } from './responses.ts'
import type { CallResult, BotApi } from './bot-api.ts'
import { isUnchanged, toMarkup, toRequests, toTextOptions } from './deliver.ts'
import { maxTextUnits, splitToForms, stepDown, type RichSupport } from './ladder.ts'
import { toLimits, type TelegramRates } from './limits.ts'
import { toChatId, toMessageNumber, toAddress } from './ids.ts'
import { isOfChat } from './trouble.ts'

const maxDraftUnits = 3500
const draftTimeoutMs = 3000
/** Until a refused draft may be tried again. */
const closedAfterMs = 30_000

type DeliveryDeps = { readonly bot: BotApi; readonly chats: Pick<ChatBook, 'move'> }

export function createTelegramDelivery(
  { bot, chats }: DeliveryDeps,
  rates: TelegramRates,
  sendTimeoutMs = 10_000,
): ChannelDelivery {
  const rich: RichSupport = { isKnown: true }
  return {
    idempotentForMs: 0,
    sendTimeoutMs,
    split: async (body) => (body.kind === 'send' && body.file ? [body] : await splitToForms(rich, body)),
    chatOf: toChat,
    closes: isOfChat,
    deliver({ conversation, standing }, row, signal) {
      const onMoved = async (to: number): Promise<void> =>
        await chats.move(toChat(conversation), toChatId(to)).catch(() => {})
      const address = toAddress(conversation, standing)
      return deliverRow(toRequests(bot, { address, onMoved, rich }, { timeoutMs: sendTimeoutMs, signal }), row)
    },
    limits: (conversation) => toLimits(rates, bot.botId, conversation),
    streaming: (conversation) =>
      toAddress(conversation).isGroup ? { as: 'edit', everyMs: 3100 } : { as: 'draft', everyMs: 1500 },
    async showDraft(to, draft, signal) {
      const shown = await show({ bot, rich }, { to, draft }, signal)
      if (!shown) return { kind: 'refused', afterMs: closedAfterMs }
      const isSame = shown.kind === 'refused' && isUnchanged(shown)
      return isSame ? { kind: 'shown' } : toDraftOutcome(shown, closedAfterMs)
    },
  }
}

/** Undefined when there is nothing to show it in: the chat moved since the message that grows was sent. */
async function show(
  { bot, rich }: { readonly bot: BotApi; readonly rich: RichSupport },
  { to, draft }: { readonly to: Address; readonly draft: ShownDraft },
  signal: AbortSignal,
): Promise<CallResult<unknown> | undefined> {
  const address = toAddress(to.conversation, to.standing)
  const { chat, topic } = address
  const thread = topic === undefined ? {} : { message_thread_id: topic }
  const limit = { timeoutMs: draftTimeoutMs, signal }
  if (draft.message) {
    const { receipt, buttons } = draft.message
    const message = toMessageNumber(receipt, address)
    if (message === undefined) return undefined
    await takeTurn(draft.text.length)
    const { text, entities } = toEntities(draft.text.slice(0, maxDraftUnits).toWellFormed())
    const options = { ...toTextOptions({ entities: [...entities] }), ...toMarkup({ buttons }) }
    return await bot.call(edited, (api, stop) => api.editMessageText(chat, message, text, options, stop), limit)
  }
  if (draft.text.trim() === '') {
    return await bot.call(done, (api, stop) => api.sendChatAction(chat, 'typing', thread, stop), limit)
  }
  const id = toDraftId(draft.turn)
  const shown = await stepDown(rich, { text: draft.text, toText: () => toDraft(draft.text) }, (form) =>
    bot.call(
      done,
      (api, stop) =>
        form.kind === 'rich'
          ? api.sendRichMessageDraft(chat, id, form.message, thread, stop)
          : api.sendMessageDraft(chat, id, form.text, { ...thread, entities: form.entities }, stop),
      limit,
    ),
  )
  return shown.kind === 'too-long' ? undefined : shown
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
