// The sending half of the channel: the delivery worker's port on the Bot API. In private chats a reply is streamed as a draft, which is
// no message yet, and ends with a real one; in groups people see that the bot is typing.
import { createHash } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { Draft } from '#queues/kernel/kernel.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { toEntities, type EntityText } from '#adapters/markup/to-entities.ts'
import type { Answer } from './bot-api.ts'
import { toPlace } from './place.ts'
import { findReach, reach, type ReachDeps } from './reach.ts'

/** UTF-16 units of a message after rendering. https://core.telegram.org/bots/api#sendmessage */
const maxTextUnits = 4096
const maxDraftUnits = 3500
const draftTimeoutMs = 3000
/** Telegram takes about one message a second in a chat; drafts leave room for the answer. */
const draftEveryMs = 1200
const groupTypingEveryMs = 4000

export function createTelegramAdapter(deps: ReachDeps, sendTimeoutMs = 10_000): ChannelAdapter {
  const quietUntilMs = new Map<ConversationId, number>()
  return {
    channel: 'telegram',
    idempotent: false,
    sendTimeoutMs,
    split: (body) => (body.kind === 'send' ? splitBody(body) : [body]),
    deliver: (conversation, row, signal) => reach(deps, { conversation, row }, { timeoutMs: sendTimeoutMs, signal }),
    draftEveryMs: (conversation) => (toPlace(conversation).isGroup ? groupTypingEveryMs : draftEveryMs),
    async showDraft(conversation, draft, signal) {
      if ((quietUntilMs.get(conversation) ?? 0) > Date.now()) return
      quietUntilMs.delete(conversation)
      const shown = await show(deps, { conversation, draft }, signal)
      if (shown.kind === 'ok') return
      const pauseMs = shown.kind === 'refused' ? (shown.retryAfterMs ?? 30_000) : 5000
      if (quietUntilMs.size > 1000) quietUntilMs.clear()
      quietUntilMs.set(conversation, Date.now() + pauseMs)
    },
  }
}

async function show(
  { bot, chats }: ReachDeps,
  { conversation, draft }: { readonly conversation: ConversationId; readonly draft: Draft },
  signal: AbortSignal,
): Promise<Answer<true>> {
  const { place, closed } = await findReach(chats, conversation)
  if (closed !== undefined) return { kind: 'ok', result: true }
  const { chat, topic, isGroup } = place
  const thread = topic === undefined ? {} : { message_thread_id: topic }
  const limit = { timeoutMs: draftTimeoutMs, signal }
  if (isGroup || draft.text.trim() === '') {
    return await bot.ask((api, stop) => api.sendChatAction(chat, 'typing', thread, stop), limit)
  }
  const { text, entities } = toDraft(draft.text)
  const options = { ...thread, entities: [...entities] }
  return await bot.ask((api, stop) => api.sendMessageDraft(chat, toDraftId(draft.turn), text, options, stop), limit)
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

/** The first part carries what is answered and replied to, the last one the buttons. */
function splitBody(body: Extract<OutBody, { kind: 'send' }>): readonly OutBody[] {
  const texts = splitMarkdown(body.text, telegramLimit)
  if (texts.length < 2) return [body]
  const { buttons, replyTo, replaces, answers, ...rest } = body
  return texts.map((text, i) => ({
    ...rest,
    text,
    answers: i === 0 ? answers : [],
    ...(i === 0 && replyTo !== undefined ? { replyTo } : {}),
    ...(i === 0 && replaces !== undefined ? { replaces } : {}),
    ...(i === texts.length - 1 && buttons ? { buttons } : {}),
  }))
}
