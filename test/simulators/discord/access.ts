// What the bot may see and do where. People are not limited. A refusal is thrown as Discord words it.
import { refusals } from './api-error.ts'
import { permissionNames, type Permission } from './bits.ts'
import { isSnowflake } from './snowflake.ts'
import { findMessage, type Channel, type Guild, type StoredMessage, type World } from './world.ts'

/** What the bot's role lacks unless a test grants it. */
export const deniedByDefault: readonly Permission[] = ['ManageMessages', 'ManageThreads', 'ViewAuditLog']

export function isAllowed(channel: Channel, permission: Permission): boolean {
  if (channel.guild === undefined) return !deniedByDefault.includes(permission)
  return ![channel.denied, channel.parent?.denied, channel.guild.denied].some((denied) => denied?.has(permission))
}

/** Permissions the bot's role has in this guild. */
export function allowedIn(guild: Guild): Permission[] {
  return permissionNames.filter((name) => !guild.denied.has(name))
}

/** Whether events of this channel reach the bot. */
export function isSeen(channel: Channel): boolean {
  if (channel.isDeleted) return false
  return channel.guild === undefined || (channel.guild.hasBot && isAllowed(channel, 'ViewChannel'))
}

/** The channel that a route names, if the bot may see it. */
export function findChannel(world: World, id: string): Channel {
  const channel = isSnowflake(id) ? world.channels.get(id) : undefined
  if (channel === undefined || channel.isDeleted) throw refusals.unknownChannel()
  if (!isSeen(channel)) throw refusals.missingAccess()
  return channel
}

export function demand(channel: Channel, permission: Permission): void {
  if (!isAllowed(channel, permission)) throw refusals.missingPermissions()
}

/** A channel the bot may write in. Throws what Discord answers otherwise. */
export function findWritableChannel(world: World, id: string): Channel {
  const channel = findChannel(world, id)
  demand(channel, channel.kind === 'thread' ? 'SendMessagesInThreads' : 'SendMessages')
  if (channel.isClosed) throw refusals.cannotSendToUser()
  if (channel.isArchived && channel.isLocked) throw refusals.archivedThread()
  return channel
}

/** A message that the bot's token reaches: one that everybody sees. */
export function findPublicMessage(channel: Channel, id: string): StoredMessage {
  const message = findMessage(channel, id)
  if (message === undefined || message.onlyFor !== undefined) throw refusals.unknownMessage()
  return message
}

export function findGuild(world: World, id: string): Guild {
  const guild = world.guilds.get(id)
  if (guild === undefined || !guild.hasBot) throw refusals.unknownGuild()
  return guild
}
