// What exists in the simulated Telegram: users, chats, topics, messages, drafts, files, pressed buttons. It stores and finds,
// and refuses what Telegram refuses of a chat (unknown, blocked, migrated); it sends nothing.
import { ApiError, badRequest } from './api-error.ts'
import type { RichContent } from './rich-blocks.ts'
import type { TgChat, TgMessage, TgUser } from './types.ts'

export type StoredMessage = {
  wire: TgMessage
  readonly fromBot: boolean
  /** Every text it has had, the first one first. */
  readonly texts: string[]
  rich: RichContent | undefined
  isDeleted: boolean
  reaction: string | undefined
}

export type ChatState = {
  chat: TgChat
  nextMessageId: number
  readonly messages: Map<number, StoredMessage>
  readonly topics: Map<number, string>
  readonly admins: Set<number>
  /** Administrators who hide behind the group. */
  readonly anonymous: Set<number>
  /** Whether the bot gets everything that is written here: privacy mode counts as it was when the bot was added. */
  readsAll: boolean
  /** Whether members who are no administrators may write, by the group's own permissions. */
  mayMembersWrite: boolean
  /** Why the bot cannot write here. */
  closed: undefined | 'blocked' | 'kicked' | 'deleted' | 'deactivated' | 'muted'
  migratedTo: number | undefined
  /** Streamed previews by draft id. */
  readonly drafts: Map<number, { readonly text: string; readonly at: number; readonly canStop: boolean }>
  action: { readonly action: string; readonly at: number; readonly topic: number | undefined } | undefined
}

export type PressState = {
  readonly id: string
  readonly at: number
  readonly from: number
  answer: { readonly text: string | undefined; readonly alert: boolean; readonly at: number } | undefined
}

export type StoredFile = { readonly name: string; readonly bytes: Buffer; readonly size: number }

export type World = {
  readonly bot: TgUser & { readonly username: string }
  /** As set with @BotFather: privacy mode is off, and groups may add the bot. */
  canReadAllGroupMessages: boolean
  canJoinGroups: boolean
  readonly users: Map<number, TgUser>
  readonly chats: Map<number, ChatState>
  readonly presses: Map<string, PressState>
  readonly files: Map<string, StoredFile>
  /** URLs that Telegram fetched for previews or rich media. */
  readonly unfurled: { readonly chat: number; readonly message: number; readonly url: string }[]
  readonly commands: Map<string, readonly { readonly command: string; readonly description: string }[]>
}

export function createWorld(bot: World['bot'], canReadAllGroupMessages: boolean): World {
  return {
    bot,
    canReadAllGroupMessages,
    canJoinGroups: true,
    users: new Map(),
    chats: new Map(),
    presses: new Map(),
    files: new Map(),
    unfurled: [],
    commands: new Map(),
  }
}

/** The user of this id, made up when not known yet. */
export function userOf(world: World, id: number): TgUser {
  const known = world.users.get(id)
  if (known !== undefined) return known
  const user = { id, is_bot: false, first_name: `User ${id}`, language_code: 'en' }
  world.users.set(id, user)
  return user
}

export function addChat(world: World, chat: TgChat): ChatState {
  const state: ChatState = {
    chat,
    nextMessageId: 1,
    messages: new Map(),
    topics: new Map(),
    admins: new Set(),
    anonymous: new Set(),
    readsAll: world.canReadAllGroupMessages,
    mayMembersWrite: true,
    closed: undefined,
    migratedTo: undefined,
    drafts: new Map(),
    action: undefined,
  }
  world.chats.set(chat.id, state)
  return state
}

/** The chat a person writes in; a positive id is the private chat with that user and is made on first use. */
export function chatOf(world: World, id: number): ChatState {
  const known = world.chats.get(id)
  if (known !== undefined) return known
  if (id <= 0) throw new Error(`There is no group ${id}: add the bot to it first`)
  const { first_name, username } = userOf(world, id)
  return addChat(world, { id, type: 'private', first_name, username })
}

/** The chat a bot's method names. Throws Telegram's refusal when the bot cannot write there. */
export function findWritableChat(world: World, chatId: number | string): ChatState {
  const state = findReachedChat(world, chatId)
  if (state.closed === 'blocked') throw new ApiError(403, 'Forbidden: bot was blocked by the user')
  const isFree = state.mayMembersWrite || state.admins.has(world.bot.id)
  if (state.closed === 'muted' || !isFree) throw badRequest('not enough rights to send text messages to the chat')
  return state
}

/** The chat that a bot's method asks about; being muted or blocked keeps nobody from asking. */
export function findReachedChat(world: World, chatId: number | string): ChatState {
  const state = world.chats.get(Number(chatId))
  if (state === undefined || state.closed === 'deleted') throw badRequest('chat not found')
  if (state.migratedTo !== undefined) {
    const parameters = { migrate_to_chat_id: state.migratedTo }
    throw new ApiError(400, 'Bad Request: group chat was upgraded to a supergroup chat', parameters)
  }
  if (state.closed === 'deactivated') throw new ApiError(403, 'Forbidden: user is deactivated')
  if (state.closed === 'kicked') {
    throw new ApiError(403, `Forbidden: bot was kicked from the ${state.chat.type} chat`)
  }
  return state
}

/** A message that people can see; undefined when it never was or is deleted. */
export function findMessage(state: ChatState, id: number | undefined): StoredMessage | undefined {
  const found = id === undefined ? undefined : state.messages.get(id)
  return found === undefined || found.isDeleted ? undefined : found
}

type NewMessage = {
  readonly from: TgUser
  readonly topic?: number | undefined
  readonly replyTo?: StoredMessage | undefined
  /** Seconds since 1970; now by default. */
  readonly date?: number | undefined
  readonly content: Readonly<Record<string, unknown>>
  readonly rich?: RichContent | undefined
}

/** Stores a message under the chat's next id. */
export function storeMessage(world: World, state: ChatState, message: NewMessage): StoredMessage {
  const id = state.nextMessageId
  state.nextMessageId += 1
  const quoted = message.replyTo === undefined ? undefined : { ...message.replyTo.wire, reply_to_message: undefined }
  const wire: TgMessage = {
    message_id: id,
    date: message.date ?? Math.floor(Date.now() / 1000),
    chat: state.chat,
    from: message.from,
    message_thread_id: message.topic,
    is_topic_message: message.topic === undefined ? undefined : true,
    reply_to_message: quoted,
    ...message.content,
  }
  const stored: StoredMessage = {
    wire,
    fromBot: message.from.id === world.bot.id,
    texts: [wire.text ?? wire.caption ?? message.rich?.text ?? ''],
    rich: message.rich,
    isDeleted: false,
    reaction: undefined,
  }
  state.messages.set(id, stored)
  return stored
}
