// One message into a chat: as an answer where it answers something, and in its topic. A send carries an id made of its row, under which Feishu
// shows it once however often it comes within an hour.
import { createHash } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import { toBase32 } from '#queues/partition.ts'
import type { Limit } from '#adapters/calls/call-result.ts'
import type { SendBody } from '#adapters/delivery/notice.ts'
import type { CallResult } from './answers.ts'
import { toAddress } from './ids.ts'
import { isGroup } from './lookups.ts'
import { sent as sentShape } from './payloads.ts'
import type { Places } from './places.ts'
import type { RestApi } from './rest-api.ts'
import { isOfMessage, takesNoCards } from './trouble.ts'

export type Putting = {
  readonly api: RestApi
  readonly places: Pick<Places, 'show' | 'findLast'>
}

export type Message = {
  readonly conversation: ConversationId
  readonly id: string
  readonly body: SendBody
  /** Tells the messages of one row apart. */
  readonly part: 'c' | 'f' | 'p'
  readonly type: 'interactive' | 'file' | 'post'
  readonly content: object
  /** The card entity that it shows. */
  readonly card?: string
}

export async function putMessage(
  putting: Putting,
  message: Message,
  limit: Limit,
): Promise<CallResult<{ readonly receipt: string }>> {
  const { conversation, card } = message
  const put = await send(putting, message, limit)
  if (put.kind !== 'ok') return put
  const { message_id: receipt } = put.value
  putting.places.show(receipt, { conversation, card })
  return { kind: 'ok', value: { receipt } }
}

type Put = CallResult<{ readonly message_id: string }>

async function send({ api, places }: Putting, message: Message, limit: Limit): Promise<Put> {
  const { conversation, body, part, type, content } = message
  const { chat, topic } = toAddress(conversation)
  const said = { msg_type: type, content: JSON.stringify(content), uuid: `${toUuid(conversation, message)}-${part}` }
  const reply = async (to: string): Promise<Put> => {
    const given = { ...said, ...(topic === undefined ? {} : { reply_in_thread: true }) }
    return await api.call({ method: 'POST', path: `/im/v1/messages/${to}/reply`, body: given, shape: sentShape }, limit)
  }
  const answered = isGroup(conversation) ? body.replyTo : undefined
  let last: Put | undefined
  for (const place of [answered, topic].filter((one) => one !== undefined)) {
    last = await reply(place)
    if (!isGone(last)) return last
  }
  if (topic === undefined || !last) {
    // Better beside the question than not at all.
    const query = { receive_id_type: isGroup(conversation) ? 'chat_id' : 'open_id' }
    const sent = { ...said, receive_id: chat }
    return await api.call({ method: 'POST', path: '/im/v1/messages', query, body: sent, shape: sentShape }, limit)
  }
  // A topic has no other place; where the message that began it is gone, another one of it does.
  const other = await places.findLast(conversation).catch(() => undefined)
  return other === undefined ? last : await reply(other)
}

const isGone = (put: Put): boolean => put.kind === 'refused' && isOfMessage(put) && !takesNoCards(put)

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
