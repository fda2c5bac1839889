// The sending half of the channel: the delivery worker's port on Feishu's HTTP interface. A reply's first message is a card that grows; how
// often is bounded, since a tenant without a plan has ten thousand calls a month.
import { toChat, type ConversationId } from '#shared/chat/conversation.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { ChannelDelivery, DraftOutcome, ShownDraft } from '#queues/workers/channel-adapter.ts'
import { deliverRow } from '#adapters/delivery/deliver-row.ts'
import { toDraftOutcome } from '#adapters/delivery/outcome.ts'
import { inTurns, takeTurn } from '#adapters/markup/in-turns.ts'
import { splitBody } from '#adapters/markup/split-body.ts'
import { splitInSteps } from '#adapters/markup/split.ts'
import { toCardMarkdown } from '#adapters/markup/to-card.ts'
import { toGrowing } from '#adapters/markup/to-growing.ts'
import { withGrowthMark } from '#queues/workers/growth-mark.ts'
import { toCard } from './card.ts'
import { patch, toRequests, type Sending } from './deliver.ts'
import { parseReceipt } from './ids.ts'
import { createPace } from './pace.ts'
import { createTyping } from './typing.ts'
import { isBeingPressed, isOfAppReason, isOfChat } from './trouble.ts'

export type FeishuDeliverySettings = {
  readonly appId: string
  /** How often the card of one answer is changed at most, its end included. */
  readonly cardUpdates: number
  /** Calls a month that the tenant's plan has; 0 when there is no limit. */
  readonly monthlyCalls: number
  readonly sendTimeoutMs?: number | undefined
}

export type FeishuDeliveryDeps = Sending & { readonly say: (text: string) => void }

/** A card holds 30 KB; this many units of three bytes leave room for buttons. */
export const maxTextUnits = 7000
/** In thirds of a byte of the card's JSON, so that Chinese counts as it is. */
const cardLimit = { limit: maxTextUnits, measure: (markdown: string) => toUnits(toCardMarkdown(markdown)) }
/** What such a text leaves for buttons of a card's 30 KB, bytes. */
const buttonRoom = 9000
const longestConversation = `feishu:${'x'.repeat(64)}:${'x'.repeat(64)}`
/** Feishu knows a send's id for an hour; this is safely less. */
const knownForMs = 50 * 60_000
const draftTimeoutMs = 3000
/**
 * https://open.feishu.cn/document/ukTMukTMukTM/uUzN04SN3QjL1cDN: each method 50 times a second and 1,000 a minute; five messages a second in a
 * chat. A kind of call is one method or several, so that together they are never too many for one.
 */
const perMethod = [
  { count: 10, perMs: 200 },
  { count: 1000, perMs: 60_000 },
]
const closedAfterMs = 60_000
const pressedForMs = 1000
/** Closing a growing card, and its last text. */
const endUpdates = 2

export function createFeishuDelivery(
  { appId, cardUpdates, monthlyCalls, sendTimeoutMs = 10_000 }: FeishuDeliverySettings,
  { say, ...sending }: FeishuDeliveryDeps,
): ChannelDelivery {
  const isEndless = monthlyCalls === 0
  const now = () => performance.now()
  const pace = createPace({ most: Math.max(0, cardUpdates - endUpdates), isEndless, now })
  const typing = isEndless ? createTyping(sending.api) : undefined
  return {
    idempotentForMs: knownForMs,
    sendTimeoutMs,
    split: async (body) => (body.kind === 'send' && body.file ? [body] : await splitBody(body, toLimit(body))),
    chatOf: toChat,
    closes: isOfChat,
    async deliver({ conversation }, row, signal) {
      const limit = { timeoutMs: sendTimeoutMs, signal }
      const place = { conversation, id: row.id, attempts: row.attempts }
      if (row.body.kind === 'send') await takeTurn(row.body.text.length)
      if (row.body.kind === 'send') typing?.end(row.body.answers.map((id) => id.replace(/^fs:/, '')))
      const outcome = await deliverRow(toRequests(sending, place, limit), row)
      if ((outcome.kind === 'failed' || outcome.kind === 'retry') && isOfAppReason(outcome.reason)) say(outcome.reason)
      else if (outcome.kind === 'failed') say(`A message to ${conversation} was not taken: ${outcome.reason}`)
      return outcome
    },
    limits: (conversation) => ({
      bot: `feishu:${appId}`,
      chat: toChat(conversation),
      perBot: perMethod,
      // A topic is no chat of its own.
      perChat: [{ count: 5, perMs: 1000 }],
      buckets: {
        send: { name: 'send', perBot: perMethod },
        edit: { name: 'edit', perBot: perMethod },
        reaction: { name: 'reaction', perBot: perMethod },
      },
      cosmetics: [{ count: 2, perMs: 1000 }],
    }),
    streaming: () => ({ as: 'edit', everyMs: 1000, marksGrowth: true, showsTyping: typing !== undefined }),
    async showDraft({ conversation }, draft, signal) {
      const { asks, message, text } = draft
      if (!message && asks !== undefined) typing?.show(asks)
      if (!message || text.trim() === '') return { kind: 'shown' }
      if (asks !== undefined) typing?.end([asks])
      const waitMs = pace.take(draft.turn)
      if (waitMs > 0) return { kind: 'refused', afterMs: waitMs }
      return await grow(sending, { conversation, draft: { ...draft, message } }, signal)
    },
  }
}

type Growing = {
  readonly conversation: ConversationId
  readonly draft: ShownDraft & Pick<Required<ShownDraft>, 'message'>
}

async function grow(
  { api, cards }: Sending,
  { conversation, draft }: Growing,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const limit = { timeoutMs: draftTimeoutMs, signal }
  const { message, card } = parseReceipt(draft.message.receipt)
  const text = await toBeginning(draft.text)
  if (card !== undefined && cards.isOpen(card)) {
    const certain = toGrowing(text)
    if (certain === undefined) return { kind: 'shown' }
    const grown = await cards.grow(card, certain, limit)
    // The card takes none while Feishu waits for what a press comes to.
    if (grown.kind === 'refused' && isBeingPressed(grown)) return { kind: 'refused', afterMs: pressedForMs }
    if (grown.kind !== 'refused') return toDraftOutcome(grown, closedAfterMs)
  }
  const { buttons, language = 'en' } = draft.message
  const whole = toCard({ text: draft.isGrowing ? withGrowthMark(text) : text, buttons, to: conversation, language })
  return toDraftOutcome(await patch(api, { message, card: whole }, limit), closedAfterMs)
}

/** Many buttons with long labels leave less to the text. */
function toLimit(body: OutBody): typeof cardLimit {
  const buttons = body.kind === 'send' ? body.buttons : undefined
  if (!buttons) return cardLimit
  const card = toCard({ text: '', buttons, to: longestConversation, language: 'en' })
  const over = Math.max(0, Buffer.byteLength(JSON.stringify(card)) - buttonRoom)
  return { ...cardLimit, limit: Math.max(1000, maxTextUnits - Math.ceil(over / 3)) }
}

const toUnits = (rendered: string): number =>
  Math.max(rendered.length, Math.ceil(Buffer.byteLength(JSON.stringify(rendered)) / 3))

/** As much as one message holds, with its code closed. */
async function toBeginning(markdown: string): Promise<string> {
  const start = markdown.slice(0, maxTextUnits * 2)
  const [beginning = start] = await inTurns(start.length, splitInSteps(start, cardLimit, 1))
  return beginning
}
