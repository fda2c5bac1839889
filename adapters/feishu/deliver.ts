// The requests that bring one outbox row to a chat: a card, a change of one, a file or a reaction. A send carries an id made of its row,
// under which Feishu shows it once however often it comes within an hour.
import { createHash } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import { toBase32 } from '#queues/partition.ts'
import type { Limit } from '#adapters/calls/call-result.ts'
import type { RowRequests } from '#adapters/delivery/deliver-row.ts'
import type { SendBody } from '#adapters/delivery/notice.ts'
import { withGrowthMark } from '#queues/workers/growth-mark.ts'
import { toRepair } from '#adapters/delivery/outcome.ts'
import { findEntity, toCard, withoutButtons, type Card } from './card.ts'
import { toEmojiType } from './emoji.ts'
import { parseReceipt, toAddress, toReceipt } from './ids.ts'
import { isGroup } from './lookups.ts'
import { messageList, sent as sentShape, uploaded } from './payloads.ts'
import { done, type CallResult, type Missing } from './answers.ts'
import type { Places } from './places.ts'
import type { RestApi } from './rest-api.ts'
import type { StreamCards } from './stream-cards.ts'
import { isOfApp, isOfContent, isOfMessage, toReasonText } from './trouble.ts'

type Receipt = { readonly receipt: string }
type Result = CallResult<Receipt>
export type Sending = {
  readonly api: RestApi
  readonly cards: StreamCards
  /** Where each message stands, and which card it shows. */
  readonly places: Pick<Places, 'show' | 'findCard'>
}
type Row = { readonly conversation: ConversationId; readonly id: string; readonly attempts: number }

/** `limit` covers all requests of the row together. */
export function toRequests(sending: Sending, row: Row, limit: Limit): RowRequests<Receipt, Missing> {
  const { api } = sending
  return {
    name: 'Feishu',
    async react(messageId, emoji) {
      const type = toEmojiType(emoji)
      if (type === undefined) return
      const body = { reaction_type: { emoji_type: type } }
      await api.call({ method: 'POST', path: `/im/v1/messages/${messageId}/reactions`, body, shape: done }, limit)
    },
    takeButtonsOff: (receipt) => takeButtonsOff(sending, parseReceipt(receipt).message, limit),
    isGone: isOfMessage,
    async send(body, receipt) {
      const posted = { ...row, body }
      if (!receipt || body.file) return await send(sending, posted, limit)
      const edited = await edit(sending, { ...posted, receipt }, limit)
      const isGone = edited.kind === 'refused' && isOfMessage(edited)
      return isGone && !body.plan ? await send(sending, posted, limit) : edited
    },
    mayBeFile: (refused) => !isOfApp(refused),
    toReceipt: ({ receipt }) => receipt,
    toRefusal: (refused) =>
      isOfApp(refused) ? toRepair(toReasonText(refused)) : { kind: 'failed', reason: toReasonText(refused) },
  }
}

/** Undefined where there are none. */
export async function takeButtonsOff(
  { api, cards }: Sending,
  message: string,
  limit: Limit,
): Promise<Result | undefined> {
  const known = api.newCard?.(message)
  if (known !== undefined) {
    const bare = withoutButtons(known)
    return bare && (await patch(api, { message, card: bare }, limit))
  }
  const found = await read(api, message, limit)
  if (found.kind !== 'ok') return found
  const content = found.value
  const entity = findEntity(content)
  if (entity !== undefined) {
    const stripped = await cards.strip(entity, limit)
    return stripped?.kind === 'ok' ? { kind: 'ok', value: { receipt: message } } : stripped
  }
  const card = withoutButtons(content)
  return card && (await patch(api, { message, card }, limit))
}

/** Shows another card in a message. */
export async function patch(
  api: RestApi,
  { message, card }: { readonly message: string; readonly card: Card },
  limit: Limit,
): Promise<Result> {
  const body = { content: JSON.stringify(card) }
  const patched = await api.call({ method: 'PATCH', path: `/im/v1/messages/${message}`, body, shape: done }, limit)
  return patched.kind === 'ok' ? { kind: 'ok', value: { receipt: message } } : patched
}

type Posted = Row & { readonly body: SendBody }

function toShown({ conversation, body }: Posted): Parameters<typeof toCard>[0] {
  const { file, text, buttons, language } = body
  return { text: file?.caption ?? text, buttons, to: conversation, language }
}

async function edit(sending: Sending, posted: Posted & Receipt, limit: Limit): Promise<Result> {
  const { api } = sending
  const { message, card } = parseReceipt(posted.receipt)
  const shown = toShown(posted)
  if (card !== undefined) {
    const finished = await finish(sending, { message, card, shown }, limit)
    if (finished.kind !== 'refused') return again(finished)
    // From now on it shows a card that is its own.
    sending.places.show(message, { conversation: posted.conversation })
  }
  const patched = await patch(api, { message, card: toCard(shown) }, limit)
  if (patched.kind !== 'refused') return again(patched)
  if (isOfContent(patched))
    return again(await patch(api, { message, card: toCard({ ...shown, isPlain: true }) }, limit))
  // A message that once grew may take changes by the name of its card alone.
  const entity = isOfMessage(patched) && card === undefined ? await findCard(api, message, limit) : undefined
  return entity === undefined ? patched : again(await finish(sending, { message, card: entity, shown }, limit))
}

type Finishing = { readonly message: string; readonly card: string; readonly shown: Parameters<typeof toCard>[0] }

async function finish({ cards }: Sending, { message, card, shown }: Finishing, limit: Limit): Promise<Result> {
  const finished = await cards.finish(card, toCard(shown), limit)
  return finished.kind === 'ok' ? { kind: 'ok', value: { receipt: message } } : finished
}

/** The card entity that a message shows. */
async function findCard(api: RestApi, message: string, limit: Limit): Promise<string | undefined> {
  const found = await read(api, message, limit)
  return found.kind === 'ok' ? findEntity(found.value) : undefined
}

/** A message as it was sent, which is JSON. */
async function read(api: RestApi, message: string, limit: Limit): Promise<CallResult<string>> {
  const query = { card_msg_content_type: 'user_card_content' }
  const found = await api.call({ method: 'GET', path: `/im/v1/messages/${message}`, query, shape: messageList }, limit)
  return found.kind === 'ok' ? { kind: 'ok', value: found.value.items[0]?.body?.content ?? '' } : found
}

/** Made twice, a change shows once: what nobody knows of it is made again. */
function again<T>(result: CallResult<T>): CallResult<T> {
  return result.kind === 'unclear' ? { kind: 'not-sent', reason: result.reason } : result
}

async function send(sending: Sending, posted: Posted, limit: Limit): Promise<Result> {
  const { file, partial } = posted.body
  if (file) return await sendFile(sending, { ...posted, file }, limit)
  const shown = toShown(posted)
  // Sent a second time, Feishu may show the card of the first, which then nobody knows by name.
  if (partial && posted.attempts === 1) {
    const card = await sending.cards.create(toCard({ ...shown, isStreaming: true }), limit)
    if (card.kind === 'ok') {
      const content = { type: 'card', data: { card_id: card.value } }
      const sent = await post(sending, { ...posted, part: 'c', type: 'interactive', content }, limit)
      if (sent.kind !== 'ok') return sent
      sending.places.show(sent.value.receipt, { conversation: posted.conversation, card: card.value })
      return { kind: 'ok', value: { receipt: toReceipt(sent.value.receipt, card.value) } }
    }
    if (card.kind !== 'refused') return again(card)
  }
  const text = partial ? withGrowthMark(posted.body.text) : posted.body.text
  return await sendCard(sending, { ...posted, body: { ...posted.body, text } }, limit)
}

/** Refused for its form, a text goes once more as bare words: better plain than not at all. */
async function sendCard(sending: Sending, posted: Posted, limit: Limit): Promise<Result> {
  const shown = toShown(posted)
  const card = { ...posted, part: 'c', type: 'interactive' } as const
  const sent = await post(sending, { ...card, content: toCard(shown) }, limit)
  const isForm = sent.kind === 'refused' && isOfContent(sent)
  return isForm ? await post(sending, { ...card, content: toCard({ ...shown, isPlain: true }) }, limit) : sent
}

/** The file stands below its caption, which has the buttons. */
async function sendFile(
  sending: Sending,
  posted: Posted & { readonly file: NonNullable<SendBody['file']> },
  limit: Limit,
): Promise<Result> {
  const { name, text } = posted.file
  const form = new FormData()
  form.set('file_type', 'stream')
  form.set('file_name', name)
  form.set('file', new File([text], name))
  const file = await sending.api.call({ method: 'POST', path: '/im/v1/files', body: form, shape: uploaded }, limit)
  if (file.kind !== 'ok') return again(file)
  const caption = await sendCard(sending, posted, limit)
  if (caption.kind !== 'ok') return caption
  const sent = await post(
    sending,
    { ...posted, part: 'f', type: 'file', content: { file_key: file.value.file_key } },
    limit,
  )
  return sent.kind === 'ok' ? caption : sent
}

type Message = Posted & {
  /** Tells the messages of one row apart. */
  readonly part: 'c' | 'f'
  readonly type: 'interactive' | 'file'
  readonly content: object
}

async function post(sending: Sending, message: Message, limit: Limit): Promise<Result> {
  const { conversation } = message
  const posted = await put(sending, message, limit)
  if (posted.kind !== 'ok') return posted
  const { message_id: receipt } = posted.value
  sending.places.show(receipt, { conversation })
  return { kind: 'ok', value: { receipt } }
}

type Put = CallResult<{ readonly message_id: string }>

async function put({ api }: Sending, message: Message, limit: Limit): Promise<Put> {
  const { conversation, body, part, type, content } = message
  const { chat, topic } = toAddress(conversation)
  const said = { msg_type: type, content: JSON.stringify(content), uuid: `${toUuid(conversation, message)}-${part}` }
  const reply = async (to: string): Promise<Put> => {
    const given = { ...said, ...(topic === undefined ? {} : { reply_in_thread: true }) }
    return await api.call({ method: 'POST', path: `/im/v1/messages/${to}/reply`, body: given, shape: sentShape }, limit)
  }
  // A topic has no other place.
  const places = [isGroup(conversation) ? body.replyTo : undefined, topic].filter((one) => one !== undefined)
  for (const place of places) {
    const replied = await reply(place)
    const isGone = replied.kind === 'refused' && isOfMessage(replied)
    if (!isGone || place === topic) return replied
  }
  // Better beside the question than not at all.
  const query = { receive_id_type: isGroup(conversation) ? 'chat_id' : 'open_id' }
  const sent = { ...said, receive_id: chat }
  return await api.call({ method: 'POST', path: '/im/v1/messages', query, body: sent, shape: sentShape }, limit)
}

/**
 * 40 signs of the row's name; Feishu takes 50. Where a turn is run once more, and takes in what was said since, its answer has the same
 * name: under the same id Feishu would not show it.
 */
function toUuid(
  conversation: ConversationId,
  { id, body }: Pick<BegunRow, 'id'> & { readonly body: SendBody },
): string {
  const [, ...further] = body.answers
  const digest = createHash('sha256')
    .update([`${conversation}\n${id}`, ...further].join('\n'))
    .digest()
  return toBase32(digest).slice(0, 40)
}
