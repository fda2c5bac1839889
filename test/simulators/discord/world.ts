// What exists in the simulated Discord: users, guilds, channels, threads, messages, interactions, commands. It stores and finds;
// what the bot may not see or do is refused in `access.ts`, and it sends nothing.
import { messageFlags, type Permission, type PrivilegedIntent } from './bits.ts'
import { createSnowflakes, type Snowflakes } from './snowflake.ts'
import type { DcAttachment, DcCommand, DcEmbed, DcRow, DcUser } from './types.ts'

export type Member = {
  readonly user: DcUser
  readonly nick: string | null
  readonly joinedAt: number
  isAdmin: boolean
}

export type Guild = {
  readonly id: string
  readonly name: string
  readonly ownerId: string
  readonly members: Map<string, Member>
  readonly channels: Map<string, Channel>
  /** The role that makes a member admin, and the bot's own. */
  readonly adminRoleId: string
  readonly botRoleId: string
  readonly botId: string
  readonly denied: Set<Permission>
  botJoinedAt: number
  hasBot: boolean
  /** Whether the bot was invited with the scope applications.commands. */
  hasCommandScope: boolean
  /** Who added which bot; the audit log has nothing else. */
  readonly botsAdded: { readonly id: string; readonly user: DcUser; readonly bot: string }[]
}

export type Channel = {
  readonly id: string
  readonly kind: 'text' | 'thread' | 'dm'
  readonly name: string
  /** Undefined for direct channels. */
  readonly guild: Guild | undefined
  /** The channel that a thread belongs to. */
  readonly parent: Channel | undefined
  /** The person on the other side of a direct channel, or the starter of a thread. */
  readonly owner: DcUser | undefined
  readonly messages: Map<string, StoredMessage>
  readonly denied: Set<Permission>
  isArchived: boolean
  isLocked: boolean
  isDeleted: boolean
  /** A person who does not take direct messages from this bot. */
  isClosed: boolean
  /** When the bot last showed itself typing, unless it has written since. */
  typingAt: number | undefined
}

export type Pings = { readonly everyone: boolean; readonly users: readonly string[]; readonly roles: readonly string[] }

export type StoredMessage = {
  readonly id: string
  readonly channel: Channel
  readonly author: DcUser
  readonly webhookId: string | undefined
  readonly type: number
  content: string
  /** Every text it has had, the first one first. */
  readonly texts: string[]
  embeds: readonly DcEmbed[]
  rows: readonly DcRow[]
  attachments: readonly DcAttachment[]
  flags: number
  /** Who the text names, and whom it pinged when it came. */
  mentions: Pings
  readonly pings: Pings
  readonly replyTo: StoredMessage | undefined
  /** The message whose snapshot this one forwards. */
  readonly forwardOf: StoredMessage | undefined
  readonly nonce: string | number | undefined
  /** Further fields as Discord writes them: `poll`, `sticker_items`, components of every kind. */
  readonly more: Readonly<Record<string, unknown>>
  readonly reactions: Map<string, Set<string>>
  readonly interaction: Interaction | undefined
  /** The only person who sees it. */
  readonly onlyFor: string | undefined
  readonly createdAt: number
  editedAt: number | undefined
  thread: Channel | undefined
  isDeleted: boolean
}

/** A press or a command goes new → acknowledged; unanswered in time it is failed for the person. */
export type Interaction = {
  readonly id: string
  readonly token: string
  readonly kind: 'press' | 'command'
  readonly user: DcUser
  readonly channel: Channel
  /** The message whose button was pressed. */
  readonly message: StoredMessage | undefined
  readonly command: DcCommand | undefined
  readonly at: number
  ack: { readonly type: number; readonly at: number } | undefined
  /** What @original names after the first answer. */
  original: StoredMessage | undefined
  readonly followUps: StoredMessage[]
}

export type StoredFile = { readonly name: string; readonly bytes: Buffer; readonly type: string }

export type World = {
  readonly bot: DcUser
  readonly applicationId: string
  readonly granted: Set<PrivilegedIntent>
  readonly newId: Snowflakes
  readonly users: Map<string, DcUser>
  readonly guilds: Map<string, Guild>
  readonly channels: Map<string, Channel>
  readonly interactions: Map<string, Interaction>
  readonly files: Map<string, StoredFile>
  /** By guild id; global ones under ''. */
  readonly commands: Map<string, readonly DcCommand[]>
  /** URLs that Discord fetched for previews of the bot's messages. */
  readonly unfurled: string[]
  /** `http://127.0.0.1:port`, for the addresses of files. */
  origin: string
}

type WorldOptions = {
  readonly applicationId: string
  readonly username: string
  readonly granted: readonly PrivilegedIntent[]
}

export function createWorld({ applicationId, username, granted }: WorldOptions): World {
  const bot: DcUser = { ...toUser(applicationId, username), global_name: null, bot: true }
  return {
    bot,
    applicationId,
    granted: new Set(granted),
    newId: createSnowflakes(),
    users: new Map([[bot.id, bot]]),
    guilds: new Map(),
    channels: new Map(),
    interactions: new Map(),
    files: new Map(),
    commands: new Map(),
    unfurled: [],
    origin: '',
  }
}

/** A person; the display name is the name as given. */
export function toUser(id: string, name: string): DcUser {
  const username = name.toLowerCase().replaceAll(/[^a-z0-9_.]/g, '_')
  const look = { avatar: null, avatar_decoration_data: null, collectibles: null, primary_guild: null }
  return { id, username, global_name: name, discriminator: '0', public_flags: 0, ...look }
}

type NewChannel = Pick<Channel, 'kind' | 'name'> & {
  readonly id?: string
  readonly guild?: Guild | undefined
  readonly parent?: Channel | undefined
  readonly owner?: DcUser | undefined
}

export function addChannel(
  world: World,
  { id = world.newId(), kind, name, guild, parent, owner }: NewChannel,
): Channel {
  const channel: Channel = {
    id,
    kind,
    name,
    guild,
    parent,
    owner,
    messages: new Map(),
    denied: new Set(),
    isArchived: false,
    isLocked: false,
    isDeleted: false,
    isClosed: false,
    typingAt: undefined,
  }
  world.channels.set(id, channel)
  guild?.channels.set(id, channel)
  return channel
}

/** The direct channel with this person, made on first use. */
export function directChannelOf(world: World, user: DcUser): Channel {
  const known = [...world.channels.values()].find(({ kind, owner }) => kind === 'dm' && owner?.id === user.id)
  return known ?? addChannel(world, { kind: 'dm', name: user.username, owner: user })
}

/** A channel for people; throws for one that does not exist. */
export function channelOf(world: World, id: string): Channel {
  const channel = world.channels.get(id)
  if (channel === undefined || channel.isDeleted) throw new Error(`There is no channel ${id}: add a guild first`)
  return channel
}

/** A message that people can see; undefined when it never was or is deleted. */
export function findMessage(channel: Channel, id: string | undefined): StoredMessage | undefined {
  const found = id === undefined ? undefined : channel.messages.get(id)
  return found === undefined || found.isDeleted ? undefined : found
}

export type NewMessage = Pick<StoredMessage, 'author'> &
  Partial<
    Pick<StoredMessage, 'content' | 'embeds' | 'rows' | 'attachments' | 'flags' | 'mentions' | 'pings' | 'type'>
  > &
  Partial<Pick<StoredMessage, 'replyTo' | 'forwardOf' | 'nonce' | 'more' | 'interaction' | 'onlyFor' | 'webhookId'>> & {
    readonly id?: string
  }

const nobody: Pings = { everyone: false, users: [], roles: [] }

export function storeMessage(world: World, channel: Channel, message: NewMessage): StoredMessage {
  const stored: StoredMessage = {
    id: message.id ?? world.newId(),
    channel,
    author: message.author,
    webhookId: message.webhookId,
    type: message.type ?? 0,
    content: message.content ?? '',
    texts: [message.content ?? ''],
    embeds: message.embeds ?? [],
    rows: message.rows ?? [],
    attachments: message.attachments ?? [],
    flags: message.flags ?? 0,
    mentions: message.mentions ?? nobody,
    pings: message.pings ?? nobody,
    replyTo: message.replyTo,
    forwardOf: message.forwardOf,
    nonce: message.nonce,
    more: message.more ?? {},
    reactions: new Map(),
    interaction: message.interaction,
    onlyFor: message.onlyFor,
    createdAt: Date.now(),
    editedAt: undefined,
    thread: undefined,
    isDeleted: false,
  }
  channel.messages.set(stored.id, stored)
  if (message.author.id === world.bot.id) channel.typingAt = undefined
  unfurl(world, stored)
  return stored
}

/** Notes what Discord would fetch: every URL of the bot's that is neither in angle brackets nor in a message without embeds. */
export function unfurl(world: World, { author, content, flags }: StoredMessage): void {
  if (author.id !== world.bot.id || (flags & messageFlags.SuppressEmbeds) !== 0) return
  for (const [url] of content.matchAll(/(?<!<)https?:\/\/[^\s<>]+/g)) world.unfurled.push(url)
}
