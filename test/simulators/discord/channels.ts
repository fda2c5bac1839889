// The routes for places: channels, direct channels, threads, guilds and their members.
import { z } from 'zod'
import { allowedIn, demand, findChannel, findGuild, findPublicMessage, isSeen } from './access.ts'
import { refusals } from './api-error.ts'
import { messageFlags, toPermissionBits } from './bits.ts'
import type { Events } from './events.ts'
import { check } from './form-body.ts'
import { toChannelWire, toGuildWire, toMemberWire, toRoles } from './payloads.ts'
import { idIn, nothing, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import { messageTypes, type DcUser } from './types.ts'
import { addChannel, directChannelOf, storeMessage, type Channel, type StoredMessage, type World } from './world.ts'

const botAdd = 28

export function getChannel({ world }: RouteDeps, call: RouteCall): RouteResult {
  return { status: 200, body: toChannelWire(world, findChannel(world, idIn(call, 'channel'))) }
}

export function createDm({ world }: RouteDeps, call: RouteCall): RouteResult {
  const { recipient_id } = check(z.looseObject({ recipient_id: z.string() }), call.body)
  const user = world.users.get(recipient_id)
  if (user === undefined) throw refusals.unknownUser()
  if (user.bot === true) throw refusals.cannotSendToUser()
  return { status: 200, body: toChannelWire(world, directChannelOf(world, user)) }
}

const threadBody = z.looseObject({
  name: z.string().min(1).max(100),
  auto_archive_duration: z.union([z.literal(60), z.literal(1440), z.literal(4320), z.literal(10_080)]).optional(),
})

export function startThreadFromMessage({ world, events }: RouteDeps, call: RouteCall): RouteResult {
  const { name } = check(threadBody, call.body)
  const channel = findChannel(world, idIn(call, 'channel'))
  const starter = findPublicMessage(channel, idIn(call, 'message'))
  if (channel.kind !== 'text') throw refusals.wrongChannelType()
  demand(channel, 'CreatePublicThreads')
  if (starter.thread !== undefined) throw refusals.threadExists()
  const thread = openThread({ world, events }, channel, { name, owner: world.bot, starter })
  return { status: 201, body: toChannelWire(world, thread) }
}

export function startThread({ world, events }: RouteDeps, call: RouteCall): RouteResult {
  const { name } = check(threadBody, call.body)
  const channel = findChannel(world, idIn(call, 'channel'))
  if (channel.kind !== 'text') throw refusals.wrongChannelType()
  demand(channel, 'CreatePublicThreads')
  const thread = openThread({ world, events }, channel, { name, owner: world.bot })
  return { status: 201, body: toChannelWire(world, thread) }
}

/** A message brings an archived thread back. */
export function reopen(events: Events, channel: Channel): void {
  if (!channel.isArchived) return
  channel.isArchived = false
  events.channelChanged(channel, 'UPDATE')
}

type NewThread = { readonly name: string; readonly owner: DcUser; readonly starter?: StoredMessage | undefined }

/** Opens a thread and tells it: one from a message takes the message's id and opens with a message that points to it. */
export function openThread(
  { world, events }: { readonly world: World; readonly events: Events },
  parent: Channel,
  { name, owner, starter }: NewThread,
): Channel {
  const { guild } = parent
  const thread = addChannel(world, {
    kind: 'thread',
    name,
    guild,
    parent,
    owner,
    ...(starter === undefined ? {} : { id: starter.id }),
  })
  if (starter !== undefined) {
    starter.thread = thread
    starter.flags |= messageFlags.HasThread
    events.messageUpdated(starter)
  }
  events.threadCreated(thread)
  const notice =
    starter === undefined
      ? storeMessage(world, parent, { author: owner, type: messageTypes.threadCreated, content: name })
      : storeMessage(world, thread, { author: owner, type: messageTypes.threadStarter, replyTo: starter })
  events.messageCreated(notice)
  return thread
}

export function joinThread({ world }: RouteDeps, call: RouteCall): RouteResult {
  const thread = findChannel(world, idIn(call, 'channel'))
  if (thread.kind !== 'thread') throw refusals.wrongChannelType()
  if (thread.isArchived) throw refusals.archivedThread()
  return nothing
}

export function leaveGuild({ world, events }: RouteDeps, call: RouteCall): RouteResult {
  const guild = findGuild(world, idIn(call, 'guild'))
  events.guildLeft(guild, false)
  guild.hasBot = false
  guild.members.delete(world.bot.id)
  return nothing
}

export function getGuild({ world }: RouteDeps, call: RouteCall): RouteResult {
  return { status: 200, body: toGuildWire(world, findGuild(world, idIn(call, 'guild'))) }
}

/** Newest first. https://docs.discord.com/developers/resources/audit-log#get-guild-audit-log */
export function getAuditLog({ world }: RouteDeps, call: RouteCall): RouteResult {
  const guild = findGuild(world, idIn(call, 'guild'))
  if (guild.denied.has('ViewAuditLog')) throw refusals.missingPermissions()
  const isAsked = ['28', null].includes(call.query.get('action_type'))
  const entries = isAsked ? guild.botsAdded.toReversed() : []
  const audit_log_entries = entries.map(({ id, user, bot }) => ({
    id,
    user_id: user.id,
    target_id: bot,
    action_type: botAdd,
  }))
  const rest = { application_commands: [], integrations: [], threads: [], webhooks: [], guild_scheduled_events: [] }
  return { status: 200, body: { audit_log_entries, users: entries.map(({ user }) => user), ...rest } }
}

export function getGuildChannels({ world }: RouteDeps, call: RouteCall): RouteResult {
  const { channels } = findGuild(world, idIn(call, 'guild'))
  const own = [...channels.values()].filter(({ kind, isDeleted }) => kind === 'text' && !isDeleted)
  return { status: 200, body: own.map((one) => toChannelWire(world, one)) }
}

export function getActiveThreads({ world }: RouteDeps, call: RouteCall): RouteResult {
  const { channels } = findGuild(world, idIn(call, 'guild'))
  const active = [...channels.values()].filter((one) => one.kind === 'thread' && !one.isArchived && isSeen(one))
  return { status: 200, body: { threads: active.map((one) => toChannelWire(world, one)), members: [] } }
}

export function getGuildRoles({ world }: RouteDeps, call: RouteCall): RouteResult {
  return { status: 200, body: toRoles(world, findGuild(world, idIn(call, 'guild'))) }
}

export function getMember({ world }: RouteDeps, call: RouteCall): RouteResult {
  const guild = findGuild(world, idIn(call, 'guild'))
  const id = idIn(call, 'user')
  const member = guild.members.get(id)
  if (member === undefined) throw world.users.has(id) ? refusals.unknownMember() : refusals.unknownUser()
  return { status: 200, body: { ...toMemberWire(guild, member), user: member.user } }
}

export function getOwnGuilds({ world }: RouteDeps): RouteResult {
  const guilds = [...world.guilds.values()].filter(({ hasBot }) => hasBot)
  const body = guilds.map((guild) => ({
    id: guild.id,
    name: guild.name,
    icon: null,
    banner: null,
    owner: false,
    features: [],
    permissions: toPermissionBits(allowedIn(guild)),
  }))
  return { status: 200, body }
}
