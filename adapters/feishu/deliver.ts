// The requests that bring one outbox row to a chat: a card, a change of one, a file or a reaction.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Limit } from '#adapters/calls/call-result.ts'
import type { RowRequests } from '#adapters/delivery/deliver-row.ts'
import type { SendBody } from '#adapters/delivery/notice.ts'
import { withGrowthMark } from '#queues/workers/growth-mark.ts'
import { toRepair } from '#adapters/delivery/outcome.ts'
import { findEntity, toCard, withoutButtons, type Card, type Shown } from './card.ts'
import { toPost } from './to-post.ts'
import { putMessage } from './put-message.ts'
import { toEmojiType } from './emoji.ts'
import { isGroup } from './lookups.ts'
import { parseReceipt, toReceipt } from './ids.ts'
import { messageList, uploaded } from './payloads.ts'
import { done, type CallResult, type Missing } from './answers.ts'
import type { Places } from './places.ts'
import type { RestApi } from './rest-api.ts'
import type { StreamCards } from './stream-cards.ts'
import {
  isBeingPressed,
  isNoCard,
  isOfApp,
  isOfContent,
  isOfMessage,
  isWithdrawn,
  takesNoCards,
  toReasonText,
} from './trouble.ts'

type Receipt = { readonly receipt: string }
type Result = CallResult<Receipt>
export type Sending = {
  readonly api: RestApi
  readonly cards: StreamCards
  /** Where each message stands, and which card it shows. */
  readonly places: Pick<Places, 'show' | 'findCard' | 'findLast'>
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
      if (edited.kind !== 'refused') return edited
      // Somebody took it away, and does not want to see it again.
      if (isWithdrawn(edited)) return { kind: 'ok', value: { receipt: parseReceipt(receipt).message } }
      const isGone = isOfMessage(edited) || isOfContent(edited)
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
  { api, cards, places }: Sending,
  message: string,
  limit: Limit,
): Promise<Result | undefined> {
  const known = api.newCard?.(message)
  if (known !== undefined) {
    const bare = withoutButtons(known)
    return bare && (await patch(api, { message, card: bare }, limit))
  }
  const grown = await places.findCard(message).catch(() => undefined)
  if (grown !== undefined) {
    const stripped = await cards.strip(grown, limit)
    if (!stripped || stripped.kind === 'ok') return stripped && { kind: 'ok', value: { receipt: message } }
    if (stripped.kind !== 'refused') return stripped
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

function toShown({ conversation, body }: Posted): Shown {
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
  const patched = await inForms(shown, (next) => patch(api, { message, card: next }, limit))
  if (patched.kind !== 'refused') return again(patched)
  if (isNoCard(patched)) return again(await rewrite(api, { message, shown }, limit))
  // A message that once grew may take changes by the name of its card alone.
  const entity = isOfMessage(patched) && card === undefined ? await findCard(api, message, limit) : undefined
  return entity === undefined ? patched : again(await finish(sending, { message, card: entity, shown }, limit))
}

/** Changes a message of a chat that takes no cards. */
async function rewrite(
  api: RestApi,
  { message, shown }: { readonly message: string; readonly shown: Shown },
  limit: Limit,
): Promise<Result> {
  const body = { msg_type: 'post', content: JSON.stringify(toPost(shown)) }
  const put = await api.call({ method: 'PUT', path: `/im/v1/messages/${message}`, body, shape: done }, limit)
  return put.kind === 'ok' ? { kind: 'ok', value: { receipt: message } } : put
}

type Finishing = { readonly message: string; readonly card: string; readonly shown: Shown }

async function finish({ cards }: Sending, { message, card, shown }: Finishing, limit: Limit): Promise<Result> {
  const finished = await cards.finish(card, toCard(shown), limit)
  // Somebody presses a button of it at this moment.
  if (finished.kind === 'refused' && isBeingPressed(finished)) return { kind: 'not-sent', reason: finished.reason }
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
  // A card that streams costs four calls at least, of which a group has few. Sent a second time, Feishu may show the card of the first, which then
  // nobody knows by name.
  if (partial && posted.attempts === 1 && !isGroup(posted.conversation)) {
    const card = await sending.cards.create(toCard({ ...shown, isStreaming: true }), limit)
    if (card.kind === 'ok') {
      const content = { type: 'card', data: { card_id: card.value } }
      const entity = { ...posted, part: 'c', type: 'interactive', content, card: card.value } as const
      const sent = await putMessage(sending, entity, limit)
      if (sent.kind === 'refused' && takesNoCards(sent)) return await sendCard(sending, posted, limit)
      if (sent.kind !== 'ok') return sent
      return { kind: 'ok', value: { receipt: toReceipt(sent.value.receipt, card.value) } }
    }
    if (card.kind !== 'refused') return again(card)
  }
  const text = partial ? withGrowthMark(posted.body.text) : posted.body.text
  return await sendCard(sending, { ...posted, body: { ...posted.body, text } }, limit)
}

/** Refused for its form, a text goes once more with its tables as plain columns, then as bare words: better plain than not at all. */
async function sendCard(sending: Sending, posted: Posted, limit: Limit): Promise<Result> {
  const sent = await inForms(toShown(posted), (content) =>
    putMessage(sending, { ...posted, part: 'c', type: 'interactive', content }, limit),
  )
  if (sent.kind !== 'refused' || !takesNoCards(sent)) return sent
  return await putMessage(sending, { ...posted, part: 'p', type: 'post', content: toPost(toShown(posted)) }, limit)
}

/** The first form of a card that is not refused for its form, or how the last one was. */
async function inForms(shown: Shown, put: (card: Card) => Promise<Result>): Promise<Result> {
  const forms = [toCard(shown), toCard({ ...shown, form: 'fenced' }), toCard({ ...shown, form: 'plain' })]
  let last: { readonly json: string; readonly result: Result } | undefined
  for (const form of forms) {
    const json = JSON.stringify(form)
    if (json === last?.json) continue
    const result = await put(form)
    if (result.kind !== 'refused' || !isOfContent(result)) return result
    last = { json, result }
  }
  return last?.result ?? { kind: 'not-sent', reason: 'no form' }
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
  const sent = await putMessage(
    sending,
    { ...posted, part: 'f', type: 'file', content: { file_key: file.value.file_key } },
    limit,
  )
  return sent.kind === 'ok' ? caption : sent
}
