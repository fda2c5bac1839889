// The requests that bring one outbox row to a channel: a message, an edit or a reaction. Nobody is ever pinged, and no preview is opened.
// A send carries a nonce made of its row, by which Discord shows it once however often it comes within a few minutes.
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Button } from '#shared/chat/message.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { BegunRow, Outcome } from '#queues/kernel/kernel.ts'
import { toBase32 } from '#queues/partition.ts'
import { escapeDiscord, toDiscord } from '#adapters/markup/to-discord.ts'
import type { Limit } from '#adapters/calls/call-result.ts'
import { toRefusalText } from '#adapters/calls/trouble.ts'
import type { RowRequests } from '#adapters/delivery/deliver-row.ts'
import type { SendBody } from '#adapters/delivery/notice.ts'
import { toRepair } from '#adapters/delivery/outcome.ts'
import { withId } from './payloads.ts'
import { toChannel } from './ids.ts'
import { nothing, type CallResult, type Call, type Failed, type RestApi, type Status } from './rest-api.ts'
import { isOfAddress, toMissing } from './trouble.ts'

type Refused = Extract<Failed, { kind: 'refused' }>
type Message = z.infer<typeof withId>
type Row = { readonly conversation: ConversationId; readonly id: string }

const suppressEmbeds = 4
const secondary = 2
const [mostRows, mostInRow] = [5, 5]
const unknownMessage = 10_008
const notOurs = 50_005
const badForm = 50_035
/** The bot lacks Read Message History. */
const mayNotReply = 160_002
export const pingNobody = { parse: [] } as const
export const maxContentUnits = 2000

/** `limit` covers all requests of the row together. */
export function toRequests(api: RestApi, { conversation, id }: Row, limit: Limit): RowRequests<Message, Status> {
  const channel = toChannel(conversation)
  return {
    name: 'Discord',
    async react(messageId, emoji) {
      const path = `/channels/${channel}/messages/${messageId}/reactions/${encodeURIComponent(emoji)}/@me` as const
      await api.call({ method: 'put', path, shape: nothing }, limit)
    },
    takeButtonsOff: (message) => takeButtonsOff(api, { channel, message }, limit),
    isGone,
    async send(body, receipt) {
      const posted = { conversation, id, body }
      const edited = body.file || !receipt ? undefined : await edit(api, { ...posted, receipt }, limit)
      return edited && (body.plan || !(edited.kind === 'refused' && isGone(edited)))
        ? edited
        : await send(api, posted, limit)
    },
    mayBeFile: (refused) => refused.status !== 401 && !isOfAddress(refused),
    toReceipt: (sent) => sent.id,
    toRefusal,
  }
}

/** By the bot itself, not by a press: that works however late it is. */
export function takeButtonsOff(
  api: RestApi,
  { channel, message }: { readonly channel: string; readonly message: string },
  limit: Limit,
): Promise<CallResult<Message>> {
  const path = `/channels/${channel}/messages/${message}` as const
  return api.call({ method: 'patch', path, body: { components: [] }, shape: withId }, limit)
}

const isGone = ({ code }: Refused): boolean => code === unknownMessage || code === notOurs

type Posted = Row & { readonly body: SendBody }

async function edit(
  api: RestApi,
  { conversation, body, receipt }: Posted & { readonly receipt: string },
  limit: Limit,
): Promise<CallResult<Message>> {
  const path = `/channels/${toChannel(conversation)}/messages/${receipt}` as const
  const components = toComponents(body.buttons)
  const call = { method: 'patch', path, shape: withId } as const
  const edited = await api.call({ ...call, body: { ...toMessage(body), components } }, limit)
  return isBadForm(edited) ? await api.call({ ...call, body: { ...toBare(body), components } }, limit) : edited
}

async function send(api: RestApi, posted: Posted, limit: Limit): Promise<CallResult<Message>> {
  const { conversation, body } = posted
  const post = {
    method: 'post',
    path: `/channels/${toChannel(conversation)}/messages`,
    shape: withId,
    ...toFiles(body),
  } as const
  const once = { nonce: toNonce(conversation, posted), enforce_nonce: true }
  const components = toComponents(body.buttons)
  const message = { ...toMessage(body), ...once, ...(components.length > 0 ? { components } : {}) }
  const reply =
    body.replyTo === undefined
      ? message
      : { ...message, message_reference: { message_id: body.replyTo, fail_if_not_exists: false } }
  let sent = await api.call({ ...post, body: reply }, limit)
  // Better beside the question than not at all.
  if (sent.kind === 'refused' && sent.code === mayNotReply) {
    sent = await api.call({ ...post, body: message }, limit)
  }
  return isBadForm(sent) && !body.file ? api.call({ ...post, body: { ...message, ...toBare(body) } }, limit) : sent
}

/** https://docs.discord.com/developers/reference#uploading-files */
function toFiles({ file }: SendBody): Pick<Call, 'files'> {
  return file ? { files: [{ name: file.name, data: file.text, contentType: 'text/plain; charset=utf-8' }] } : {}
}

const isBadForm = (result: CallResult<unknown>): boolean => result.kind === 'refused' && result.code === badForm

/** Refused for its form, a text goes once more as bare words: better plain than not at all. What is cut off is marked. */
function toBare(body: SendBody): { readonly content: string } {
  const bare = escapeDiscord(body.text)
  return { content: bare.length > maxContentUnits ? `${bare.slice(0, maxContentUnits - 1).toWellFormed()}…` : bare }
}

/** A growing text into a message that is there. */
export function toEdit(conversation: ConversationId, message: string, content: string): Call<Message> {
  return {
    shape: withId,
    method: 'patch',
    path: `/channels/${toChannel(conversation)}/messages/${message}`,
    body: { ...toCommon(), content },
  }
}

const toCommon = () => ({ allowed_mentions: pingNobody, flags: suppressEmbeds })

function toMessage(body: SendBody): { readonly content: string } & ReturnType<typeof toCommon> {
  return { ...toCommon(), content: toDiscord(body.file?.caption ?? body.text) }
}

/** Five rows of five at most; longer rows are folded, and of more rows all buttons are packed. https://docs.discord.com/developers/components/reference#action-row */
function toComponents(rows: SendBody['buttons'] = []): readonly object[] {
  const folded = rows.flatMap(fold)
  const packed = folded.length > mostRows ? fold(rows.flat()) : folded
  return packed.slice(0, mostRows).map((row) => ({
    type: 1,
    components: row.map(({ id, label }) => ({ type: 2, style: secondary, label, custom_id: id })),
  }))
}

function fold(row: readonly Button[]): readonly (readonly Button[])[] {
  const parts: (readonly Button[])[] = []
  for (let at = 0; at < row.length; at += mostInRow) parts.push(row.slice(at, at + mostInRow))
  return parts
}

/**
 * 125 bits of the row's name in 25 characters, the longest nonce that Discord takes. Where a turn is run once more, and takes in what was
 * said since, its answer has the same name: under the same nonce Discord would not show it.
 */
export function toNonce(conversation: ConversationId, { id, body }: Pick<BegunRow, 'id' | 'body'>): string {
  const [, ...further] = body.answers
  const digest = createHash('sha256')
    .update([`${conversation}\n${id}`, ...further].join('\n'))
    .digest()
  return toBase32(digest.subarray(0, 25))
}

function toRefusal({ code, status, reason }: Refused): Outcome {
  if (isOfAddress({ code, status })) return toRepair('Discord knows no such address')
  if (status === 401) return toRepair('Discord refuses the token')
  return { kind: 'failed', reason: toMissing(code) ?? toRefusalText('Discord', { code: code || status, reason }) }
}
