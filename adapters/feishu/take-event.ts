// One event's way into the mailbox, the same for connection and webhook: completed by what Feishu leaves out, then stored. A press is
// answered with what really happened.
import { asksRank } from '#shared/feature/rights.ts'
import type { CommandInfo } from '#shared/feature/feature.ts'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import type { Quotation } from '#shared/chat/quotation.ts'
import { toChat, type ReplyMode } from '#shared/chat/conversation.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import { toContent } from './content.ts'
import { toAddress, toPrincipal } from './ids.ts'
import { isGroup, type Lookups } from './lookups.ts'
import type { FsItem } from './payloads.ts'
import type { Incoming } from './to-event.ts'

export type TakeDeps = {
  readonly ingest: Ingest
  readonly chats: ChatBook
  readonly lookups: Lookups
  readonly appId: string
  /** When the bot answers in a chat, `channel:chat`. */
  findMode(chat: string): Promise<ReplyMode>
  /** Those that say for whom they are. */
  readonly commands: readonly CommandInfo[]
  readonly count: (reason: string) => void
}

type IncomingEvent = Extract<Incoming, { kind: 'event' }>
const mostQuoted = 10

/** Resolves when the event is safe. Throws BotError when the store is away. */
export async function takeEvent(deps: TakeDeps, incoming: IncomingEvent): Promise<void> {
  const event = await complete(deps, incoming)
  if (!event) return deps.count('not-on-an-answer')
  if (event.kind === 'message' && event.messageId !== undefined) {
    deps.lookups.places.hear(event.messageId, event.conversation)
  }
  await Promise.all([deps.ingest.take(event, { dedupeKey: incoming.dedupeKey }), noteStanding(deps.chats, event)])
}

/** Undefined for what turns out to be nobody's concern. */
async function complete(deps: TakeDeps, incoming: IncomingEvent): Promise<ChatEvent | undefined> {
  const { event, inMessage, inChat } = incoming
  const { lookups } = deps
  if (event.kind === 'reaction') {
    const place = inMessage === undefined ? undefined : await lookups.places.find(inMessage)
    return place?.fromBot ? { ...event, conversation: place.conversation } : undefined
  }
  if (inMessage !== undefined && inChat !== undefined) {
    const conversation = (await lookups.findTakenBack(inMessage, inChat)) ?? (await lookups.findChat(inChat))
    return conversation === undefined ? undefined : { ...event, conversation }
  }
  if (event.kind === 'join') {
    const title = await lookups.findTitle(toAddress(event.conversation).chat)
    return title === undefined ? event : { ...event, title }
  }
  return event.kind === 'message' ? await completeMessage(deps, incoming, event) : event
}

/**
 * Feishu is asked for the missing parts of a message only where the bot may need them. In a group people mostly talk to each other, and each
 * question is a call of the month.
 */
async function completeMessage(deps: TakeDeps, incoming: IncomingEvent, event: MessageEvent): Promise<MessageEvent> {
  const { quotes } = incoming
  const { places, names } = deps.lookups
  const isReply = quotes !== undefined && (await places.find(quotes))?.fromBot === true
  const { isOfBot, isNew } = await lookAtTopic(deps, incoming)
  const addressed = event.addressed || isReply || (isOfBot && !incoming.toOthers)
  const mode = addressed || event.command ? 'always' : await deps.findMode(toChat(event.conversation))
  const [, person = ''] = event.principal.split(':')
  if (mode !== 'always') {
    const name = event.name ?? (mode === 'observe' ? await names.find(person) : names.peek(person))
    const replyTo = quotes === undefined ? {} : { replyTo: { messageId: quotes, fromBot: false } }
    return { ...event, ...replyTo, ...(name === undefined ? {} : { name }) }
  }
  const [named, quoted, isAdmin] = await Promise.all([
    withName(deps, event),
    findQuoted(deps, isNew && quotes === undefined ? { ...incoming, quotes: incoming.topic } : incoming),
    callsAdmin(deps, event),
  ])
  const isInTopic = toAddress(event.conversation).topic !== undefined
  if (addressed && isInTopic && event.messageId !== undefined) await places.mention(event.conversation, event.messageId)
  // Of a bundle that Feishu does not tell, only that it is one.
  const untold = incoming.forwards && quoted.quoted === undefined ? { media: [{ kind: 'messages' }] } : {}
  return { ...named, ...untold, ...quoted, addressed, ...(isAdmin ? { senderIsAdmin: true } : {}) }
}

/** `isOfBot`: what is said in the topic is for the bot. `isNew`: the bot knows nothing of it, not even how it began. */
async function lookAtTopic(
  { lookups: { places } }: TakeDeps,
  { event, topic }: IncomingEvent,
): Promise<{ readonly isOfBot: boolean; readonly isNew: boolean }> {
  if (topic === undefined) return { isOfBot: false, isNew: false }
  const root = await places.find(topic)
  const wasMentioned = await places.isOfBot(event.conversation)
  const isNew = !wasMentioned && root?.conversation !== event.conversation
  return { isOfBot: wasMentioned || root?.fromBot === true, isNew }
}

async function withName({ lookups }: TakeDeps, event: MessageEvent): Promise<MessageEvent> {
  const [, person = ''] = event.principal.split(':')
  const name = event.name ?? (await lookups.names.find(person))
  return name === undefined ? event : { ...event, name }
}

async function findQuoted(
  deps: TakeDeps,
  { event, quotes, forwards }: IncomingEvent,
): Promise<Pick<MessageEvent, 'replyTo' | 'quoted'>> {
  if (event.kind !== 'message') return {}
  const [reply, forwarded] = await Promise.all([
    quotes === undefined ? undefined : deps.lookups.read(quotes, event),
    forwards && event.messageId !== undefined ? deps.lookups.read(event.messageId, event) : undefined,
  ])
  // A bundle says nothing itself; what it holds comes with it.
  const bundle = reply?.[0]?.msg_type === 'merge_forward' ? reply : []
  const passedOn = [...(forwarded ?? []).slice(1), ...bundle.slice(1)].slice(0, mostQuoted)
  const quoted = passedOn.map((item): Quotation => {
    const { text, media } = read(item)
    return { how: 'forward', text, ...(media.length > 0 ? { media: [...media] } : {}) }
  })
  const said = quoted.filter(({ text, media }) => text !== '' || media !== undefined)
  return {
    ...(quotes === undefined ? {} : { replyTo: await toReply(deps, quotes, reply?.[0]) }),
    ...(said.length > 0 ? { quoted: said } : {}),
  }
}

async function toReply(
  { appId, lookups }: TakeDeps,
  messageId: string,
  item: FsItem | undefined,
): Promise<NonNullable<MessageEvent['replyTo']>> {
  if (!item) return { messageId, fromBot: (await lookups.places.find(messageId))?.fromBot === true }
  if (item.deleted) return { messageId, fromBot: false }
  const { sender } = item
  const fromBot = sender?.sender_type === 'app' && sender.id === appId
  const person = sender?.sender_type === 'user' ? sender.id : undefined
  const author = person === undefined ? undefined : await lookups.names.find(person)
  const { text, media } = read(item)
  return {
    messageId,
    fromBot,
    ...(text === '' ? {} : { text }),
    ...(person === undefined ? {} : { principal: toPrincipal(person) }),
    ...(author === undefined ? {} : { author }),
    ...(media.length > 0 ? { media: [...media] } : {}),
  }
}

function read({ msg_type: type, body, mentions }: FsItem): ReturnType<typeof toContent> {
  const names = new Map(mentions.map(({ key, name }) => [key, `@${name.toWellFormed().slice(0, 64)}`]))
  return toContent(type, body?.content ?? '', (key) => names.get(key))
}

/** Says of a person whether Feishu calls them an administrator, where that matters. */
async function callsAdmin({ lookups, commands }: TakeDeps, event: MessageEvent): Promise<boolean> {
  if (!event.group || !event.command) return false
  const { name, args } = event.command
  const command = commands.find((one) => one.name === name)
  return (
    command !== undefined && asksRank(command, args) && (await lookups.isAdmin(event.conversation, event.principal))
  )
}

/** Where somebody speaks, or the bot was let in, it can be tried again; where it was put out, nothing more is sent. */
async function noteStanding(chats: ChatBook, event: ChatEvent): Promise<void> {
  const chat = toChat(event.conversation)
  if (event.kind === 'leave') return await chats.close(chat, 'the bot was removed from the chat')
  if (event.kind === 'join') return await chats.open(chat)
  if (event.kind !== 'message') return
  const { closed } = await chats.find(chat)
  if (closed !== undefined) await chats.open(chat)
}

/** Which events wait for each other. */
export function toLane({ event, inMessage }: IncomingEvent): string {
  return inMessage === undefined || isGroup(event.conversation) ? event.conversation : `message ${inMessage}`
}
