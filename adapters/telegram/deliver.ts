// The requests that bring one outbox row to a chat: a message, an edit or a reaction. Text goes as blocks or with entities, never in a
// parse mode, and without link previews: to fetch one tells its address, and what is in it, to others. Nothing that may have arrived is sent twice.
import { InputFile } from 'grammy'
import type { InlineKeyboardMarkup } from 'grammy/types'
import type { z } from 'zod'
import type { Button } from '#shared/chat/message.ts'
import { done, edited as editedShape, message as messageShape } from './responses.ts'
import type { Limit } from '#adapters/calls/call-result.ts'
import { toRefusalText } from '#adapters/calls/trouble.ts'
import type { RowRequests } from '#adapters/delivery/deliver-row.ts'
import type { SendBody } from '#adapters/delivery/notice.ts'
import { toRepair } from '#adapters/delivery/outcome.ts'
import type { CallResult, BotApi, Move, Refused } from './bot-api.ts'
import { splitToTexts, stepDown, type RichSupport } from './ladder.ts'
import { toMessageId, toMessageNumber, type TelegramAddress } from './ids.ts'

type Message = z.infer<typeof editedShape>
type Sent = CallResult<Message> | { readonly kind: 'too-long' }

type Sending = {
  readonly address: TelegramAddress
  readonly rich: RichSupport
  /** Told once, when the chat turns out to have another id now. */
  readonly onMoved: (to: number) => Promise<void>
}

/** `limit` covers all requests of the row together. */
export function toRequests(bot: BotApi, sending: Sending, limit: Limit): RowRequests<Message, Move> {
  const { address } = sending
  return {
    name: 'Telegram',
    async react(messageId) {
      const thumb = { type: 'emoji', emoji: '👍' } as const
      const message = toMessageNumber(messageId, address)
      if (message !== undefined)
        await bot.call(done, (api, signal) => api.setMessageReaction(address.chat, message, [thumb], {}, signal), limit)
    },
    async takeButtonsOff(receipt) {
      const message = toMessageNumber(receipt, address)
      return message === undefined ? undefined : await takeButtonsOff(bot, { chat: address.chat, message }, limit)
    },
    isGone: ({ code }) => code === 400,
    async send(body, receipt) {
      const sent = await follow(bot, { ...sending, body, receipt }, limit)
      return sent.kind === 'too-long' ? { kind: 'split', bodies: await splitToTexts(body) } : sent
    },
    mayBeFile: ({ code }) => [400, 403, 413].includes(code),
    toReceipt: (sent) => (sent === true ? '' : toMessageId(sent.message_id, sent.chat.id !== address.home)),
    toRefusal: (refused) =>
      refused.code === 401 || refused.code === 404
        ? toRepair('Telegram refuses the token')
        : { kind: 'failed', reason: toRefusalText('Telegram', refused) },
  }
}

export function takeButtonsOff(
  bot: BotApi,
  { chat, message }: { readonly chat: number; readonly message: number },
  limit: Limit,
): Promise<CallResult<Message>> {
  return bot.call(editedShape, (api, signal) => api.editMessageReplyMarkup(chat, message, {}, signal), limit)
}

type Target = Omit<Sending, 'onMoved'> & { readonly body: SendBody; readonly receipt?: string | undefined }

/** A group that has become a supergroup refuses, and names its new id. */
async function follow(
  bot: BotApi,
  { onMoved, ...target }: Target & Pick<Sending, 'onMoved'>,
  limit: Limit,
): Promise<Sent> {
  const sent = await sendOrEdit(bot, target, limit)
  const { address } = target
  if (sent.kind !== 'refused' || sent.migratedTo === undefined || address.chat !== address.home) return sent
  await onMoved(sent.migratedTo)
  return await sendOrEdit(bot, { ...target, address: { ...address, chat: sent.migratedTo } }, limit)
}

async function sendOrEdit(bot: BotApi, { receipt, ...target }: Target, limit: Limit): Promise<Sent> {
  const { address, body, rich } = target
  const message = toMessageNumber(receipt, address)
  if (message === undefined || body.file) return sendNew(bot, target, limit)
  const markup = toMarkup(body)
  const edited = await stepDown<Message>(rich, body, (form) =>
    bot.call(
      editedShape,
      (api, signal) =>
        form.kind === 'rich'
          ? api.editMessageText(address.chat, message, form.message, markup, signal)
          : api.editMessageText(address.chat, message, form.text, { ...toTextOptions(form), ...markup }, signal),
      limit,
    ),
  )
  if (edited.kind === 'refused' && isUnchanged(edited)) {
    return { kind: 'ok', value: { message_id: message, chat: { id: address.chat } } }
  }
  const isGone =
    edited.kind === 'refused' && /message (to edit not found|can't be edited|_id_invalid)/i.test(edited.reason)
  // Made twice, an edit shows once: what nobody knows of it is made again.
  if (edited.kind === 'unclear') return { kind: 'not-sent', reason: edited.reason }
  return isGone && !body.plan ? sendNew(bot, target, limit) : edited
}

function sendNew(bot: BotApi, { address, body, rich }: Target, limit: Limit): Promise<Sent> {
  const replyTo = address.isGroup ? toMessageNumber(body.replyTo, address) : undefined
  const options = {
    ...toMarkup(body),
    ...(address.topic === undefined ? {} : { message_thread_id: address.topic }),
    ...(replyTo === undefined ? {} : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
  }
  const { file } = body
  if (file) {
    const { caption } = file
    const document = new InputFile(Buffer.from(file.text), file.name)
    return bot.call(
      messageShape,
      (api, signal) => api.sendDocument(address.chat, document, { caption, ...options }, signal),
      limit,
    )
  }
  return stepDown<Message>(rich, body, (form) =>
    bot.call(
      messageShape,
      (api, signal) =>
        form.kind === 'rich'
          ? api.sendRichMessage(address.chat, form.message, options, signal)
          : api.sendMessage(address.chat, form.text, { ...toTextOptions(form), ...options }, signal),
      limit,
    ),
  )
}

/** The refusal of an edit that would change nothing. */
export function isUnchanged({ reason }: Refused): boolean {
  return /message is not modified/i.test(reason)
}

/** Rich messages have no previews to be switched off. */
export function toTextOptions<T>({ entities }: { readonly entities: T }): {
  readonly entities: T
  readonly link_preview_options: { readonly is_disabled: true }
} {
  return { entities, link_preview_options: { is_disabled: true } }
}

export function toMarkup({ buttons }: { readonly buttons?: readonly (readonly Button[])[] | undefined }): {
  readonly reply_markup?: InlineKeyboardMarkup
} {
  return buttons?.length ? { reply_markup: { inline_keyboard: buttons.map(toRow) } } : {}
}

function toRow(row: readonly Button[]): { text: string; callback_data: string }[] {
  return row.map(({ id, label }) => ({ text: label, callback_data: id }))
}
