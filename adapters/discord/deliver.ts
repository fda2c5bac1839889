// Sends one outbox row as one message, edit or reaction and says what became of it. Nobody is ever pinged, and no preview is opened.
// A send carries a nonce made of its row, by which Discord shows it once however often it comes within a few minutes.
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Button } from '#shared/chat/message.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { BegunRow, Outcome } from '#queues/kernel/kernel.ts'
import { toBase32 } from '#queues/partition.ts'
import { escapeDiscord, toDiscord } from '#adapters/markup/to-discord.ts'
import { withoutFile } from '#adapters/markup/split-body.ts'
import { toNoticeMessage } from '#adapters/press/texts.ts'
import { withId } from './payloads.ts'
import { toChannel } from './place.ts'
import { nothing, type Answer, type Call, type Limit, type RestApi } from './rest-api.ts'
import { isOfAddress, toMissing } from './trouble.ts'

type SendBody = Extract<OutBody, { kind: 'send' }>
type Refused = Extract<Answer<unknown>, { kind: 'refused' }>
type Message = z.infer<typeof withId>
type Delivery = { readonly conversation: ConversationId; readonly row: BegunRow }

const wrongTokenRetryMs = 30_000
const unclearRetryMs = 1500
const suppressEmbeds = 4
const secondary = 2
const unknownMessage = 10_008
const notOurs = 50_005
const badForm = 50_035
/** The bot lacks Read Message History. */
const mayNotReply = 160_002
export const pingNobody = { parse: [] } as const
export const maxContentUnits = 2000

/** Never throws. `limit` covers all requests of the row together. */
export async function deliver(api: RestApi, { conversation, row }: Delivery, limit: Limit): Promise<Outcome> {
  const channel = toChannel(conversation)
  const { body } = row
  switch (body.kind) {
    case 'react': {
      // A courtesy: whether it shows or not, nobody must be told.
      const emoji = encodeURIComponent(body.emoji)
      const path = `/channels/${channel}/messages/${body.messageId}/reactions/${emoji}/@me` as const
      await api.ask({ method: 'put', path, shape: nothing }, limit)
      return { kind: 'sent', receipt: '' }
    }
    case 'notice':
      return toOutcome(await send(api, { conversation, row: { ...row, body: toNoticeMessage(body) } }, limit), row)
    case 'unbutton': {
      if (!row.replacesReceipt) return { kind: 'sent', receipt: '' }
      const path = `/channels/${channel}/messages/${row.replacesReceipt}` as const
      const shown = await api.ask({ method: 'patch', path, body: { components: [] }, shape: withId }, limit)
      // A message that is gone needs nothing.
      const isGone = shown.kind === 'refused' && (shown.code === unknownMessage || shown.code === notOurs)
      return isGone ? { kind: 'sent', receipt: '' } : toOutcome(shown, row)
    }
    case 'send': {
      const sent = await sendOrEdit(api, { conversation, row }, limit)
      // A place may take texts and no files.
      const isFileRefused =
        body.file !== undefined && sent.kind === 'refused' && sent.status !== 401 && !isOfAddress(sent)
      return isFileRefused ? { kind: 'split', bodies: [withoutFile(body)] } : toOutcome(sent, row)
    }
    default:
      return body satisfies never
  }
}

async function sendOrEdit(api: RestApi, { conversation, row }: Delivery, limit: Limit): Promise<Answer<Message>> {
  const { body, replacesReceipt: message } = row
  if (body.kind !== 'send' || !message || body.file) return send(api, { conversation, row }, limit)
  const path = `/channels/${toChannel(conversation)}/messages/${message}` as const
  const components = toComponents(body.buttons)
  const edit = { method: 'patch', path, shape: withId } as const
  let edited = await api.ask({ ...edit, body: { ...toMessage(body), components } }, limit)
  if (isBadForm(edited)) edited = await api.ask({ ...edit, body: { ...toBare(body), components } }, limit)
  const isGone = edited.kind === 'refused' && (edited.code === unknownMessage || edited.code === notOurs)
  return isGone ? send(api, { conversation, row }, limit) : edited
}

async function send(api: RestApi, { conversation, row }: Delivery, limit: Limit): Promise<Answer<Message>> {
  const { body } = row
  if (body.kind !== 'send') return { kind: 'unclear', reason: 'no text' }
  const post = {
    method: 'post',
    path: `/channels/${toChannel(conversation)}/messages`,
    shape: withId,
    ...toFiles(body),
  } as const
  const once = { nonce: toNonce(conversation, row), enforce_nonce: true }
  const components = toComponents(body.buttons)
  const message = { ...toMessage(body), ...once, ...(components.length > 0 ? { components } : {}) }
  const reply =
    body.replyTo === undefined
      ? message
      : { ...message, message_reference: { message_id: body.replyTo, fail_if_not_exists: false } }
  let sent = await api.ask({ ...post, body: reply }, limit)
  // Better beside the question than not at all.
  if (sent.kind === 'refused' && sent.code === mayNotReply) {
    sent = await api.ask({ ...post, body: message }, limit)
  }
  return isBadForm(sent) && !body.file ? api.ask({ ...post, body: { ...message, ...toBare(body) } }, limit) : sent
}

/** https://docs.discord.com/developers/reference#uploading-files */
function toFiles({ file }: SendBody): Pick<Call, 'files'> {
  return file ? { files: [{ name: file.name, data: file.text, contentType: 'text/plain; charset=utf-8' }] } : {}
}

const isBadForm = (answer: Answer<unknown>): boolean => answer.kind === 'refused' && answer.code === badForm

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

/** Five rows of five at most; longer rows are folded. https://docs.discord.com/developers/components/reference#action-row */
function toComponents(rows: SendBody['buttons']): readonly object[] {
  const folded = (rows ?? []).flatMap((row) => {
    const parts: (readonly Button[])[] = []
    for (let at = 0; at < row.length; at += 5) parts.push(row.slice(at, at + 5))
    return parts
  })
  return folded.slice(0, 5).map((row) => ({
    type: 1,
    components: row.map(({ id, label }) => ({ type: 2, style: secondary, label, custom_id: id })),
  }))
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

function toOutcome(sent: Answer<Message>, row: BegunRow): Outcome {
  const patienceMs = Math.min(1000 * 2 ** Math.min(row.attempts - 1, 5), 30_000)
  switch (sent.kind) {
    case 'ok':
      return { kind: 'sent', receipt: sent.result.id }
    case 'slow-down':
      return {
        kind: 'retry',
        afterMs: sent.retryAfterMs + 50,
        reason: 'Discord asks to slow down',
        slowDown: sent.scope,
      }
    case 'not-sent':
      return { kind: 'retry', afterMs: patienceMs, reason: sent.reason }
    case 'unclear':
      return { kind: 'unknown', reason: sent.reason, afterMs: Math.max(unclearRetryMs, patienceMs) }
    case 'refused':
      return toRefusal(sent)
    default:
      return sent satisfies never
  }
}

function toRefusal({ code, status, reason }: Refused): Outcome {
  // A token or an address under repair: the row's expiry bounds how long this goes on.
  if (isOfAddress({ code, status }))
    return { kind: 'retry', afterMs: wrongTokenRetryMs, reason: 'Discord knows no such address' }
  if (status === 401) return { kind: 'retry', afterMs: wrongTokenRetryMs, reason: 'Discord refuses the token' }
  const why = toMissing(code)
  return { kind: 'failed', reason: why ?? `Discord refused: ${code || status} ${reason}`.trim().slice(0, 200) }
}
