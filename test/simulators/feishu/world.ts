// What exists in the simulated Feishu: the application, people, chats, topics, messages, card entities, files, presses. It stores and
// finds; what the bot may not see or do is refused in `access.ts`, and it sends nothing.
import type { ShownCard } from './card.ts'
import type { Clock } from './clock.ts'
import { newId } from './ids.ts'
import { allScopes } from './scopes.ts'

export type FsUser = {
  readonly openId: string
  readonly unionId: string
  readonly userId: string
  readonly name: string
  /** Whether the application is available to this person. */
  isReachable: boolean
  /** Whether the person is within the application's range of contacts. */
  isContact: boolean
  /** Has told the bot to send nothing more. */
  hasStoppedBot: boolean
}

export type FsChat = {
  readonly id: string
  /** `topic`: a group in which every message opens a topic. */
  readonly mode: 'p2p' | 'group' | 'topic'
  name: string
  owner: FsUser | undefined
  readonly admins: Set<FsUser>
  readonly members: Set<FsUser>
  hasBot: boolean
  isDissolved: boolean
  /** Only the owner and administrators may speak. */
  isModerated: boolean
  /** Takes texts and no cards ('private connection group'). */
  isCardless: boolean
  readonly messages: Map<string, StoredMessage>
}

/** A name in a message: `@_user_1` in the text stands for it. */
export type Mention = { readonly key: string; readonly openId: string; readonly name: string }

export type Reaction = {
  readonly id: string
  readonly emoji: string
  /** Undefined when it is the bot's. */
  readonly by: FsUser | undefined
  readonly at: number
}

export type StoredMessage = {
  readonly id: string
  readonly chat: FsChat
  /** Undefined when it is the bot's. */
  readonly sender: FsUser | undefined
  readonly type: string
  content: string
  /** What it has said, as people read it, the first time first. */
  readonly texts: string[]
  mentions: readonly Mention[]
  card: ShownCard | undefined
  readonly entity: CardEntity | undefined
  readonly root: StoredMessage | undefined
  readonly parent: StoredMessage | undefined
  /** What a `merge_forward` holds. */
  readonly forwards: readonly StoredMessage[]
  /** The topic's id; the first message of a topic gets it when the topic is opened. */
  thread: string | undefined
  readonly reactions: Reaction[]
  readonly createdAt: number
  updatedAt: number | undefined
  edits: number
  isRecalled: boolean
}

/** A card that lives beside messages. It is streamed → closed by the bot, or by the server after ten minutes. */
export type CardEntity = {
  readonly id: string
  readonly createdAt: number
  json: Readonly<Record<string, unknown>>
  card: ShownCard
  sequence: number
  streamingSince: number | undefined
  /** The server, not the bot, closed it, and nobody was told so yet. */
  isCutOff: boolean
  message: StoredMessage | undefined
  /** How often a text was shown at once, since it does not begin with the one before: only what continues is written letter by letter. */
  jumps: number
  readonly uuids: Set<string>
}

/** A press of a button goes waiting → answered, or failed when no answer comes in time. */
export type PressState = {
  readonly token: string
  readonly by: FsUser
  readonly message: StoredMessage
  readonly at: number
  answeredAt: number | undefined
  toast: string | undefined
  /** The number that the person is shown: 200340 not reached, 200341 too late, 200671 refused, 200672 not understood, 200673 bad card. */
  error: number | undefined
  uses: number
  /** What the message was when it was pressed: a change before the answer does not last. */
  before: { readonly content: string; readonly card: ShownCard } | undefined
}

export type StoredFile = { readonly name: string; readonly bytes: Buffer; readonly type: string }

/** What the developer's console has. */
export type AppState = {
  readonly id: string
  readonly secret: string
  readonly bot: FsUser
  readonly tenantKey: string
  readonly verificationToken: string
  readonly scopes: Set<string>
  /** Types of events and callbacks that are subscribed. */
  readonly events: Set<string>
  isEnabled: boolean
  isPublished: boolean
  hasBotAbility: boolean
  /** Calls left this month; undefined where the plan has no limit. */
  quotaPerMonth: number | undefined
}

export type World = {
  readonly app: AppState
  readonly clock: Clock
  readonly users: Map<string, FsUser>
  readonly chats: Map<string, FsChat>
  readonly messages: Map<string, StoredMessage>
  readonly entities: Map<string, CardEntity>
  readonly files: Map<string, StoredFile>
  readonly presses: Map<string, PressState>
}

export const allEvents = [
  'im.message.receive_v1',
  'im.message.recalled_v1',
  'im.message.updated_v1',
  'im.message.reaction.created_v1',
  'im.message.reaction.deleted_v1',
  'im.message.message_read_v1',
  'im.chat.member.bot.added_v1',
  'im.chat.member.bot.deleted_v1',
  'im.chat.disbanded_v1',
  'im.chat.updated_v1',
  'im.chat.access_event.bot_p2p_chat_entered_v1',
  'application.bot.menu_v6',
  'card.action.trigger',
] as const

export type AppInput = {
  readonly id: string
  readonly secret: string
  readonly name: string
  readonly verificationToken: string
  readonly quotaPerMonth: number | undefined
}

export function createWorld({ name, ...app }: AppInput, clock: Clock): World {
  return {
    app: {
      ...app,
      bot: toUser(name),
      tenantKey: '736588c9260f175d',
      scopes: new Set(allScopes),
      events: new Set(allEvents),
      isEnabled: true,
      isPublished: true,
      hasBotAbility: true,
    },
    clock,
    users: new Map(),
    chats: new Map(),
    messages: new Map(),
    entities: new Map(),
    files: new Map(),
    presses: new Map(),
  }
}

export function toUser(name: string): FsUser {
  const ids = { openId: newId.user(), unionId: newId.union(), userId: newId.userId() }
  return { ...ids, name, isReachable: true, isContact: true, hasStoppedBot: false }
}

export type NewChat = Pick<FsChat, 'mode' | 'name'> & Partial<Pick<FsChat, 'owner' | 'hasBot'>>

export function addChat(world: World, { mode, name, owner, hasBot = true }: NewChat): FsChat {
  const chat: FsChat = {
    id: newId.chat(),
    mode,
    name,
    owner,
    admins: new Set(),
    members: new Set(owner === undefined ? [] : [owner]),
    hasBot,
    isDissolved: false,
    isModerated: false,
    isCardless: false,
    messages: new Map(),
  }
  world.chats.set(chat.id, chat)
  return chat
}

/** The direct chat with this person, made on first use. */
export function directChatOf(world: World, user: FsUser): FsChat {
  const known = [...world.chats.values()].find(({ mode, members }) => mode === 'p2p' && members.has(user))
  return known ?? addChat(world, { mode: 'p2p', name: '', owner: user })
}

/** A chat for people; throws for one that does not exist. */
export function chatOf(world: World, id: string): FsChat {
  const chat = world.chats.get(id)
  if (chat === undefined) throw new Error(`There is no chat ${id}: add a group first`)
  return chat
}

export type NewMessage = Pick<StoredMessage, 'sender' | 'type' | 'content'> & {
  readonly text: string
  readonly mentions?: readonly Mention[] | undefined
  readonly card?: ShownCard | undefined
  readonly entity?: CardEntity | undefined
  /** Inside a topic the first message of it, unless another one is quoted. */
  readonly parent?: StoredMessage | undefined
  readonly forwards?: readonly StoredMessage[] | undefined
  readonly thread?: string | undefined
}

/** What the interface calls the parent of a message: in a topic always the first message of it, whichever one is quoted there (*message/reply*). */
export const toldParent = ({ root, parent, thread }: StoredMessage): StoredMessage | undefined =>
  thread === undefined ? parent : root

export function storeMessage(world: World, chat: FsChat, message: NewMessage): StoredMessage {
  const { sender, type, content, text, mentions = [], card, entity, parent, forwards = [], thread } = message
  const root = parent?.root ?? parent
  const stored: StoredMessage = {
    id: newId.message(),
    chat,
    sender,
    type,
    content,
    texts: [text],
    mentions,
    card,
    entity,
    root,
    parent,
    forwards,
    thread,
    reactions: [],
    createdAt: world.clock.now(),
    updatedAt: undefined,
    edits: 0,
    isRecalled: false,
  }
  chat.messages.set(stored.id, stored)
  world.messages.set(stored.id, stored)
  return stored
}

/** Changes what a message says. */
export function rewrite(world: World, stored: StoredMessage, next: Pick<StoredMessage, 'content'> & { text: string }) {
  stored.content = next.content
  stored.updatedAt = world.clock.now()
  if (stored.texts.at(-1) !== next.text) stored.texts.push(next.text)
}
