// Turns what the world holds into the objects Discord sends. A viewer without the MessageContent intent gets messages without
// content, unless they are direct, its own, or mention it. https://discord.com/developers/docs/resources/message
import { allowedIn, isAllowed } from './access.ts'
import { administrator, messageFlags, permissionNames, toPermissionBits } from './bits.ts'
import { toTimeMs, toTimestamp } from './snowflake.ts'
import { channelTypes, messageTypes, type DcUser } from './types.ts'
import type { Channel, Guild, Interaction, Member, StoredMessage, World } from './world.ts'

export type Wire = Readonly<Record<string, unknown>>

const allMembersMay = ['ViewChannel', 'SendMessages', 'ReadMessageHistory', 'AddReactions'] as const
const weekInMinutes = 10_080

export function toMemberWire(guild: Guild, { user, nick, joinedAt, isAdmin }: Member): Wire {
  const roles = user.id === guild.botId ? [guild.botRoleId] : isAdmin ? [guild.adminRoleId] : []
  const none = { avatar: null, banner: null, premium_since: null, communication_disabled_until: null }
  const extra = { avatar_decoration_data: null, collectibles: null }
  return {
    nick,
    roles,
    joined_at: toTimestamp(joinedAt),
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
    ...none,
    ...extra,
  }
}

export function toChannelWire(world: World, channel: Channel): Wire {
  const { id, name, guild, parent, owner } = channel
  const last = [...channel.messages.values()].findLast((one) => !one.isDeleted && one.onlyFor === undefined)
  const basic = { id, last_message_id: last?.id ?? null, flags: 0 }
  if (guild === undefined) {
    return { ...basic, type: channelTypes.dm, recipients: owner === undefined ? [] : [owner] }
  }
  const placed = { ...basic, guild_id: guild.id, name, rate_limit_per_user: 0 }
  if (parent !== undefined) return { ...placed, ...toThreadWire(world, channel), parent_id: parent.id }
  const allow = '0'
  const overwrites =
    channel.denied.size === 0 ? [] : [{ id: world.bot.id, type: 1, allow, deny: toPermissionBits(channel.denied) }]
  const text = { topic: null, nsfw: false, parent_id: null }
  const position = [...guild.channels.keys()].indexOf(id)
  return { ...placed, ...text, type: channelTypes.text, position, permission_overwrites: overwrites }
}

function toThreadWire(world: World, { isArchived, isLocked, owner, messages, id }: Channel): Wire {
  const created = toTimestamp(toTimeMs(id))
  const count = [...messages.values()].filter((one) => !one.isDeleted).length
  return {
    type: channelTypes.thread,
    owner_id: owner?.id ?? world.bot.id,
    member_count: 1,
    message_count: count,
    total_message_sent: messages.size,
    thread_metadata: {
      archived: isArchived,
      locked: isLocked,
      auto_archive_duration: weekInMinutes,
      archive_timestamp: created,
      create_timestamp: created,
    },
  }
}

function toRoleWire(id: string, name: string, bits: string, position: number): Wire {
  const colors = { primary_color: 0, secondary_color: null, tertiary_color: null }
  const look = { color: 0, colors, hoist: false, icon: null, unicode_emoji: null, managed: false, mentionable: false }
  return { id, name, permissions: bits, position, flags: 0, ...look }
}

export function toRoles(world: World, guild: Guild): Wire[] {
  return [
    toRoleWire(guild.id, '@everyone', toPermissionBits(allMembersMay.filter((name) => !guild.denied.has(name))), 0),
    toRoleWire(guild.adminRoleId, 'admin', String(administrator), 1),
    {
      ...toRoleWire(guild.botRoleId, world.bot.username, toPermissionBits(allowedIn(guild)), 2),
      managed: true,
      tags: { bot_id: world.bot.id },
    },
  ]
}

/** The guild as GET /guilds/:id gives it. */
export function toGuildWire(world: World, guild: Guild): Wire {
  const none = ['icon', 'splash', 'discovery_splash', 'banner', 'description', 'vanity_url_code', 'application_id']
  const places = ['afk_channel_id', 'system_channel_id', 'rules_channel_id', 'public_updates_channel_id']
  const empty = [...none, ...places, 'safety_alerts_channel_id', 'widget_channel_id', 'incidents_data']
  return {
    id: guild.id,
    name: guild.name,
    ...Object.fromEntries(empty.map((field) => [field, null])),
    owner_id: guild.ownerId,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    roles: toRoles(world, guild),
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: 0,
    system_channel_flags: 0,
    premium_tier: 0,
    premium_subscription_count: 0,
    premium_progress_bar_enabled: false,
    preferred_locale: 'en-US',
    nsfw_level: 0,
    max_members: 500_000,
    max_video_channel_users: 25,
    region: 'deprecated',
  }
}

/** The guild as GUILD_CREATE brings it. */
export function toGuildCreate(world: World, guild: Guild): Wire {
  const all = [...guild.channels.values()].filter((one) => !one.isDeleted)
  const threads = all.filter(({ kind, isArchived }) => kind === 'thread' && !isArchived)
  return {
    ...toGuildWire(world, guild),
    joined_at: toTimestamp(guild.botJoinedAt),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    voice_states: [],
    members: [...guild.members.values()].map((one) => ({ ...toMemberWire(guild, one), user: one.user })),
    channels: all.filter(({ kind }) => kind === 'text').map((one) => toChannelWire(world, one)),
    threads: threads.map((one) => toChannelWire(world, one)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  }
}

export type Viewer = { readonly seesContent: boolean }

/** The message as REST gives it. */
export function toMessageWire(world: World, message: StoredMessage, viewer: Viewer): Wire {
  const { channel, author, replyTo } = message
  const isOpen =
    viewer.seesContent ||
    channel.guild === undefined ||
    author.id === world.bot.id ||
    message.mentions.users.includes(world.bot.id)
  const users = message.mentions.users.map((id) => world.users.get(id)).filter((user) => user !== undefined)
  return {
    id: message.id,
    channel_id: channel.id,
    author,
    content: isOpen ? message.content : '',
    timestamp: toTimestamp(message.createdAt),
    edited_timestamp: message.editedAt === undefined ? null : toTimestamp(message.editedAt),
    tts: false,
    mention_everyone: message.mentions.everyone,
    mentions: users,
    mention_roles: message.mentions.roles,
    attachments: isOpen ? message.attachments : [],
    embeds: isOpen && (message.flags & messageFlags.SuppressEmbeds) === 0 ? message.embeds : [],
    components: isOpen ? toComponents(message) : [],
    pinned: false,
    type: message.type,
    flags: message.flags,
    ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
    ...(message.webhookId === undefined ? {} : { webhook_id: message.webhookId }),
    ...(author.id === world.bot.id && message.webhookId !== undefined ? { application_id: world.applicationId } : {}),
    ...(message.reactions.size === 0 ? {} : { reactions: toReactions(world, message) }),
    ...(message.thread === undefined ? {} : { thread: toChannelWire(world, message.thread) }),
    ...(channel.kind === 'thread' ? { position: [...channel.messages.keys()].indexOf(message.id) } : {}),
    ...toReferences(world, message, viewer),
    ...(replyTo === undefined ? {} : { referenced_message: toReferenced(world, replyTo, viewer) }),
    ...(message.interaction === undefined ? {} : { interaction_metadata: toMetadata(message.interaction) }),
    ...(isOpen ? message.more : {}),
  }
}

/** Discord numbers the components of a message that is stored. */
function toComponents({ rows }: StoredMessage): Wire[] {
  let id = 0
  const next = () => (id += 1)
  return rows.map((row) => ({ ...row, id: next(), components: row.components.map((one) => ({ ...one, id: next() })) }))
}

/** The number of the button with this custom id. */
export function componentIdOf(stored: StoredMessage, customId: string): number {
  let id = 0
  for (const { components } of stored.rows) {
    id += 1
    for (const { custom_id } of components) {
      id += 1
      if (custom_id === customId) return id
    }
  }
  return id
}

function toReferences(world: World, { type, replyTo, forwardOf, channel }: StoredMessage, viewer: Viewer): Wire {
  const target = replyTo ?? forwardOf
  if (target === undefined) return {}
  const guild = target.channel.guild === undefined ? {} : { guild_id: target.channel.guild.id }
  const reference = { channel_id: target.channel.id, message_id: target.id, ...guild }
  if (forwardOf === undefined || type === messageTypes.reply) return { message_reference: { type: 0, ...reference } }
  const sees = { seesContent: viewer.seesContent || channel.guild === undefined }
  const { content, timestamp, edited_timestamp, embeds, attachments, components, mentions, mention_roles, flags } =
    toMessageWire(world, forwardOf, sees)
  const snapshot = { type: 0, content, timestamp, edited_timestamp, embeds, attachments, components, mentions, flags }
  return {
    message_reference: { type: 1, ...reference },
    message_snapshots: [{ message: { ...snapshot, mention_roles, ...forwardOf.more } }],
  }
}

/** Null when deleted; a referenced message carries no referenced one itself. */
function toReferenced(world: World, target: StoredMessage, viewer: Viewer): Wire | null {
  if (target.isDeleted) return null
  const { referenced_message: _dropped, ...wire } = toMessageWire(world, target, viewer)
  return wire
}

function toReactions(world: World, { reactions }: StoredMessage): Wire[] {
  return [...reactions].map(([name, users]) => ({
    emoji: { id: null, name },
    count: users.size,
    count_details: { burst: 0, normal: users.size },
    burst_colors: [],
    me_burst: false,
    burst_me: false,
    me: users.has(world.bot.id),
  }))
}

function toMetadata({ id, kind, user, channel, message }: Interaction): Wire {
  const owners = channel.guild === undefined ? { '1': user.id } : { '0': channel.guild.id }
  const pressed = message === undefined ? {} : { interacted_message_id: message.id }
  return { id, type: kind === 'press' ? 3 : 2, user, authorizing_integration_owners: owners, ...pressed }
}

/** What gateway events about a message carry beyond the REST object. */
export function toPlaceWire({ channel, author, webhookId }: StoredMessage): Wire {
  const { guild } = channel
  const type = { channel_type: channelTypes[channel.kind] }
  if (guild === undefined) return type
  const member = webhookId === undefined ? guild.members.get(author.id) : undefined
  return { ...type, guild_id: guild.id, ...(member === undefined ? {} : { member: toMemberWire(guild, member) }) }
}

/** The same for the users it mentions, who come with their membership. */
export function toMentionsWire(world: World, { channel, mentions }: StoredMessage): Wire {
  const { guild } = channel
  if (guild === undefined) return {}
  const all = mentions.users.flatMap((id) => {
    const user: DcUser | undefined = world.users.get(id)
    const member = guild.members.get(id)
    if (user === undefined) return []
    return [member === undefined ? user : { ...user, member: toMemberWire(guild, member) }]
  })
  return { mentions: all }
}

export function toInteractionWire(world: World, interaction: Interaction, data: Wire): Wire {
  const { id, token, kind, user, channel, message } = interaction
  const { guild } = channel
  const member = guild?.members.get(user.id)
  const isAdmin = member?.isAdmin === true || guild?.ownerId === user.id
  const rights = String(BigInt(toPermissionBits(allMembersMay)) | (isAdmin ? administrator : 0n))
  const { permission_overwrites: _hidden, ...place } = toChannelWire(world, channel)
  return {
    id,
    application_id: world.applicationId,
    type: kind === 'press' ? 3 : 2,
    data,
    ...(guild === undefined || member === undefined
      ? { user, context: 1 }
      : {
          guild: { id: guild.id, locale: 'en-US', features: [] },
          guild_id: guild.id,
          guild_locale: 'en-US',
          member: { ...toMemberWire(guild, member), user, permissions: rights },
          context: 0,
        }),
    channel: guild === undefined ? place : { ...place, permissions: rights },
    channel_id: channel.id,
    token,
    version: 1,
    ...(message === undefined ? {} : { message: toMessageWire(world, message, { seesContent: true }) }),
    app_permissions: toPermissionBits(permissionNames.filter((name) => isAllowed(channel, name))),
    locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: guild === undefined ? { '1': user.id } : { '0': guild.id },
    attachment_size_limit: 10_485_760,
  }
}
