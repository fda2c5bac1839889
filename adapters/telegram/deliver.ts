// Sends one outbox row as one message, edit or reaction and says what became of it. Text goes as blocks or with entities, never in a
// parse mode, and without link previews: to fetch one tells its address, and what is in it, to others. Nothing that may have arrived is sent twice.
import { InputFile } from 'grammy'
import type { InlineKeyboardMarkup } from 'grammy/types'
import type { z } from 'zod'
import type { Button } from '#shared/chat/message.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { BegunRow, Outcome } from '#queues/kernel/kernel.ts'
import { done, edited as editedShape, message as messageShape } from './answers.ts'
import type { Answer, BotApi, Limit, Refused } from './bot-api.ts'
import { withoutFile } from '#adapters/markup/split-body.ts'
import { splitToTexts, stepDown, type RichSupport } from './ladder.ts'
import { toNoticeMessage } from '#adapters/press/texts.ts'
import { toMessageId, toMessageNumber, type TelegramPlace } from './place.ts'

type SendBody = Extract<OutBody, { kind: 'send' }>
type Message = z.infer<typeof editedShape>
type Sent = Answer<Message> | { readonly kind: 'too-long' }

const wrongTokenRetryMs = 30_000

type Delivery = {
  readonly place: TelegramPlace
  readonly row: BegunRow
  readonly rich: RichSupport
  /** Told once, when the chat turns out to have another id now. */
  readonly onMoved: (to: number) => Promise<void>
}

/** Never throws. `limit` covers all requests of the row together. */
export async function deliver(bot: BotApi, delivery: Delivery, limit: Limit): Promise<Outcome> {
  const { place, row } = delivery
  const { body } = row
  switch (body.kind) {
    case 'react': {
      // A courtesy: whether it shows or not, nobody must be told.
      const reaction = { type: 'emoji', emoji: '👍' } as const
      const message = toMessageNumber(body.messageId, place)
      if (message !== undefined)
        await bot.ask(done, (api, signal) => api.setMessageReaction(place.chat, message, [reaction], {}, signal), limit)
      return { kind: 'sent', receipt: '' }
    }
    case 'notice':
      return await toOutcome(await follow(bot, { ...delivery, body: toNoticeMessage(body) }, limit), row, place)
    case 'unbutton': {
      const message = toMessageNumber(row.replacesReceipt, place)
      if (message === undefined) return { kind: 'sent', receipt: '' }
      const shown = await bot.ask(
        editedShape,
        (api, signal) => api.editMessageReplyMarkup(place.chat, message, {}, signal),
        limit,
      )
      // A message that is gone, or shows no buttons any more, needs nothing.
      return shown.kind === 'refused' && shown.code === 400
        ? { kind: 'sent', receipt: '' }
        : await toOutcome(shown, row, place)
    }
    case 'send': {
      const sent = await follow(bot, { ...delivery, body, receipt: row.replacesReceipt }, limit)
      // A chat may take texts and no files.
      const isFileRefused = body.file !== undefined && sent.kind === 'refused' && [400, 403, 413].includes(sent.code)
      return isFileRefused ? { kind: 'split', bodies: [withoutFile(body)] } : await toOutcome(sent, row, place)
    }
    default:
      return body satisfies never
  }
}

type Target = Pick<Delivery, 'place' | 'rich'> & { readonly body: SendBody; readonly receipt?: string | undefined }

/** A group that has become a supergroup refuses, and names its new id. */
async function follow(
  bot: BotApi,
  { onMoved, ...target }: Target & Pick<Delivery, 'onMoved'>,
  limit: Limit,
): Promise<Sent> {
  const sent = await sendOrEdit(bot, target, limit)
  const { place } = target
  if (sent.kind !== 'refused' || sent.migratedTo === undefined || place.chat !== place.home) return sent
  await onMoved(sent.migratedTo)
  return await sendOrEdit(bot, { ...target, place: { ...place, chat: sent.migratedTo } }, limit)
}

async function sendOrEdit(bot: BotApi, { receipt, ...target }: Target, limit: Limit): Promise<Sent> {
  const { place, body, rich } = target
  const message = toMessageNumber(receipt, place)
  if (message === undefined || body.file) return sendNew(bot, target, limit)
  const markup = toMarkup(body)
  const edited = await stepDown<Message>(rich, body, (form) =>
    bot.ask(
      editedShape,
      (api, signal) =>
        form.kind === 'rich'
          ? api.editMessageText(place.chat, message, form.message, markup, signal)
          : api.editMessageText(place.chat, message, form.text, { ...toTextOptions(form), ...markup }, signal),
      limit,
    ),
  )
  if (edited.kind === 'refused' && /message is not modified/i.test(edited.reason)) {
    return { kind: 'ok', result: { message_id: message, chat: { id: place.chat } } }
  }
  const isGone =
    edited.kind === 'refused' && /message (to edit not found|can't be edited|_id_invalid)/i.test(edited.reason)
  // Made twice, an edit shows once: what nobody knows of it is made again.
  if (edited.kind === 'unclear') return { kind: 'not-sent', reason: edited.reason }
  return isGone ? sendNew(bot, target, limit) : edited
}

function sendNew(bot: BotApi, { place, body, rich }: Target, limit: Limit): Promise<Sent> {
  const replyTo = place.isGroup ? toMessageNumber(body.replyTo, place) : undefined
  const options = {
    ...toMarkup(body),
    ...(place.topic === undefined ? {} : { message_thread_id: place.topic }),
    ...(replyTo === undefined ? {} : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
  }
  const { file } = body
  if (file) {
    const { caption } = file
    const document = new InputFile(Buffer.from(file.text), file.name)
    return bot.ask(
      messageShape,
      (api, signal) => api.sendDocument(place.chat, document, { caption, ...options }, signal),
      limit,
    )
  }
  return stepDown<Message>(rich, body, (form) =>
    bot.ask(
      messageShape,
      (api, signal) =>
        form.kind === 'rich'
          ? api.sendRichMessage(place.chat, form.message, options, signal)
          : api.sendMessage(place.chat, form.text, { ...toTextOptions(form), ...options }, signal),
      limit,
    ),
  )
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

async function toOutcome(sent: Sent, row: BegunRow, { home }: TelegramPlace): Promise<Outcome> {
  switch (sent.kind) {
    case 'ok': {
      const { result } = sent
      return { kind: 'sent', receipt: result === true ? '' : toMessageId(result.message_id, result.chat.id !== home) }
    }
    case 'not-sent': {
      const afterMs = Math.min(1000 * 2 ** Math.min(row.attempts - 1, 5), 30_000)
      return { kind: 'retry', afterMs, reason: sent.reason }
    }
    case 'unclear':
      return { kind: 'unknown', reason: sent.reason }
    case 'refused':
      return toRefusal(sent)
    case 'too-long':
      return { kind: 'split', bodies: await splitToTexts(row.body) }
    default:
      return sent satisfies never
  }
}

function toRefusal({ code, reason, retryAfterMs }: Refused): Outcome {
  if (code === 429) {
    const afterMs = (retryAfterMs ?? 1000) + 50
    return { kind: 'retry', afterMs, reason: 'Telegram asks to slow down', slowDown: 'chat' }
  }
  // A token or an address under repair: the row's expiry bounds how long this goes on.
  if (code === 401 || code === 404)
    return { kind: 'retry', afterMs: wrongTokenRetryMs, reason: 'Telegram refuses the token' }
  return { kind: 'failed', reason: `Telegram refused: ${code} ${reason}`.slice(0, 200) }
}
