// The routes that send, answer, change, take back and read messages.
import { z } from 'zod'
import { checkWritable, findKnownMessage, findReceiver } from './access.ts'
import { refusals } from './api-error.ts'
import { readContent, type MessageContent } from './message-content.ts'
import { check, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import { newId } from './ids.ts'
import { readingGroups } from './scopes.ts'
import { toMessage } from './wire.ts'
import { rewrite, storeMessage, type FsChat, type StoredMessage, type World } from './world.ts'

const uuid = z.string().max(50).optional()
const newMessage = z.looseObject({ receive_id: z.string(), msg_type: z.string(), content: z.string(), uuid })
const newReply = z.looseObject({
  msg_type: z.string(),
  content: z.string(),
  reply_in_thread: z.boolean().optional(),
  uuid,
})
const cardChange = z.looseObject({ content: z.string() })
const textChange = z.looseObject({ msg_type: z.string(), content: z.string() })

const maxEdits = 20
const daysMs = 86_400_000
const updatableMs = 14 * daysMs

export function createMessage(deps: RouteDeps, { body, query }: RouteCall): RouteResult {
  const { world, limits } = deps
  const given = check(newMessage, body)
  const chat = findReceiver(world, query.get('receive_id_type'), given.receive_id)
  return once(deps, given.uuid, () => {
    const content = readContent(world, given.msg_type, given.content)
    limits.countMessage(chat.id)
    // In a group of topics every message opens one.
    const thread = chat.mode === 'topic' ? newId.thread() : undefined
    return send(world, chat, { type: given.msg_type, content, thread })
  })
}

export function replyMessage(deps: RouteDeps, { body, path }: RouteCall): RouteResult {
  const { world, limits } = deps
  const given = check(newReply, body)
  const parent = findKnownMessage(world, path['message'])
  checkWritable(world, parent.chat)
  if (parent.isRecalled) throw refusals.recalled()
  return once(deps, given.uuid, () => {
    const content = readContent(world, given.msg_type, given.content)
    limits.countMessage(parent.chat.id)
    if (given.reply_in_thread === true && parent.thread === undefined) {
      if (parent.chat.mode === 'p2p') throw refusals.notSender()
      parent.thread = newId.thread()
    }
    return send(world, parent.chat, { type: given.msg_type, content, thread: parent.thread, parent })
  })
}

type Sending = {
  readonly type: string
  readonly content: MessageContent
  readonly thread?: string | undefined
  readonly parent?: StoredMessage
}

function send(world: World, chat: FsChat, { type, content, ...place }: Sending): StoredMessage {
  if (chat.isCardless && type === 'interactive') throw refusals.cardless()
  const stored = storeMessage(world, chat, { sender: undefined, type, ...content, ...place })
  if (content.entity !== undefined) content.entity.message = stored
  return stored
}

/** At most one message for a `uuid` within the hour: the second call gives the first one's back. */
function once({ world, options, limits }: RouteDeps, key: string | undefined, make: () => StoredMessage): RouteResult {
  const kept = key === undefined ? undefined : limits.sent.get(key)
  if (kept !== undefined && world.clock.now() - kept.at < options.uuidWindowMs) {
    return { data: toMessage(world, kept.message), message: kept.message.id }
  }
  const message = make()
  if (key !== undefined) limits.sent.set(key, { message, at: world.clock.now() })
  return { data: toMessage(world, message), message: message.id }
}

/** Cards only: those of the bot, shared before and after, sent within 14 days, five times a second each. */
export function patchMessage({ world, limits }: RouteDeps, { body, path }: RouteCall): RouteResult {
  const { content } = check(cardChange, body)
  const stored = findKnownMessage(world, path['message'])
  if (stored.isRecalled) throw refusals.recalled()
  if (stored.card === undefined) throw refusals.invalid('This message is NOT a card.')
  if (stored.sender !== undefined) throw refusals.invalid('The operator is NOT the sender of the card.')
  if (world.clock.now() - stored.createdAt > updatableMs) throw refusals.tooOldToUpdate()
  const next = readContent(world, 'interactive', content)
  if (next.card === undefined || next.entity !== undefined) throw refusals.invalid('invalid card content.')
  if (!stored.card.isShared || !next.card.isShared) throw refusals.invalid('The card is NOT shared (update_multi).')
  limits.countPatch(stored.id)
  rewrite(world, stored, next)
  stored.card = next.card
  return { data: {}, message: stored.id }
}

/** Texts and rich texts only, twenty times. */
export function editMessage({ world, limits }: RouteDeps, { body, path }: RouteCall): RouteResult {
  const given = check(textChange, body)
  const stored = findKnownMessage(world, path['message'])
  if (stored.isRecalled) throw refusals.recalled()
  if (stored.sender !== undefined) throw refusals.notSender()
  if ((given.msg_type !== 'text' && given.msg_type !== 'post') || stored.card !== undefined) throw refusals.wrongType()
  if (stored.type !== 'text' && stored.type !== 'post') throw refusals.wrongType()
  if (stored.edits >= maxEdits) throw refusals.editsUsedUp()
  const next = readContent(world, given.msg_type, given.content)
  limits.countPatch(stored.id)
  stored.edits += 1
  stored.mentions = next.mentions
  rewrite(world, stored, next)
  return { data: toMessage(world, stored), message: stored.id }
}

/** A recalled message is still found, marked as deleted, without what it said. Messages of groups take a permission of their own. */
export function getMessage({ world }: RouteDeps, { path }: RouteCall): RouteResult {
  const stored = findKnownMessage(world, path['message'])
  checkReading(world, stored.chat)
  const forwards = stored.forwards.map((one) => ({ ...toMessage(world, one), upper_message_id: stored.id }))
  return { data: { items: [toMessage(world, stored), ...forwards] }, message: stored.id }
}

function checkReading({ app }: World, { mode }: FsChat): void {
  if (mode !== 'p2p' && !app.scopes.has(readingGroups)) throw refusals.groupUnread(`need scope: ${readingGroups}`)
}

/** The bot's own messages within 24 hours. */
export function deleteMessage({ world, events }: RouteDeps, { path }: RouteCall): RouteResult {
  const stored = findKnownMessage(world, path['message'])
  if (stored.isRecalled) throw refusals.recalled()
  if (stored.sender !== undefined || world.clock.now() - stored.createdAt > daysMs) throw refusals.tooLateToRecall()
  stored.isRecalled = true
  events.recalled(stored, 'message_owner')
  return { data: {}, message: stored.id }
}

const listQuery = z.object({
  container_id_type: z.enum(['chat', 'thread']),
  container_id: z.string(),
  sort_type: z.enum(['ByCreateTimeAsc', 'ByCreateTimeDesc']).default('ByCreateTimeAsc'),
  page_size: z.coerce.number().int().min(1).max(50).default(20),
  page_token: z.coerce.number().int().min(0).default(0),
  start_time: z.coerce.number().int().default(0),
  end_time: z.coerce.number().int().default(Number.MAX_SAFE_INTEGER),
})

/** The messages of a chat or a topic, also others' and recalled ones. */
export function listMessages({ world }: RouteDeps, { query }: RouteCall): RouteResult {
  const asked = check(listQuery, Object.fromEntries(query))
  const isIn = (one: StoredMessage) =>
    asked.container_id_type === 'chat' ? one.chat.id === asked.container_id : one.thread === asked.container_id
  const all = [...world.messages.values()].filter(isIn)
  const [chat] = all.map((one) => one.chat)
  if (chat === undefined && !world.chats.has(asked.container_id)) throw refusals.invalid('invalid container_id.')
  if (chat?.hasBot === false) throw refusals.botOutside()
  if (chat) checkReading(world, chat)
  const within = all.filter(
    ({ createdAt }) => createdAt >= asked.start_time * 1000 && createdAt < (asked.end_time + 1) * 1000,
  )
  const sorted = asked.sort_type === 'ByCreateTimeDesc' ? within.toReversed() : within
  const page = sorted.slice(asked.page_token, asked.page_token + asked.page_size)
  const next = asked.page_token + page.length
  const hasMore = next < sorted.length
  return {
    data: {
      has_more: hasMore,
      ...(hasMore ? { page_token: String(next) } : {}),
      items: page.map((one) => toMessage(world, one)),
    },
  }
}
