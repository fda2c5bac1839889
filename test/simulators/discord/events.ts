// What the gateway tells of each change in the world. Ephemeral messages and channels the bot may not view are told to nobody.
import { isSeen } from './access.ts'
import { intents } from './bits.ts'
import { toChannelWire, toGuildCreate, toMemberWire, toMentionsWire, toMessageWire, toPlaceWire } from './payloads.ts'
import type { Sessions } from './sessions.ts'
import type { DcUser } from './types.ts'
import type { Channel, Guild, StoredMessage, World } from './world.ts'

export type Events = {
  messageCreated(message: StoredMessage): void
  /** Also for changes that people do not see as an edit, such as embeds that arrive late. */
  messageUpdated(message: StoredMessage): void
  messageDeleted(message: StoredMessage): void
  reaction(
    change: 'ADD' | 'REMOVE',
    message: StoredMessage,
    by: { readonly user: DcUser; readonly emoji: string },
  ): void
  threadCreated(thread: Channel): void
  /** A thread or channel that changed, or was deleted. */
  channelChanged(channel: Channel, change: 'CREATE' | 'UPDATE' | 'DELETE'): void
  guildJoined(guild: Guild): void
  /** Unavailable means an outage; otherwise the bot was removed. */
  guildLeft(guild: Guild, isUnavailable: boolean): void
  interaction(guild: string | undefined, payload: unknown): void
}

export function createEvents(world: World, sessions: Sessions): Events {
  const ofMessage = (t: string, message: StoredMessage) => {
    const { channel } = message
    if (message.onlyFor !== undefined || !isSeen(channel)) return
    sessions.dispatch({
      t,
      guild: channel.guild?.id,
      intent: channel.guild === undefined ? intents.DirectMessages : intents.GuildMessages,
      toData: (viewer) => ({
        ...toMessageWire(world, message, viewer),
        ...toPlaceWire(message),
        ...toMentionsWire(world, message),
      }),
    })
  }
  const ofChannel = (t: string, channel: Channel, extra: object = {}) => {
    if (channel.guild?.hasBot !== true) return
    const data = { ...toChannelWire(world, channel), ...extra }
    sessions.dispatch({ t, guild: channel.guild.id, intent: intents.Guilds, toData: () => data })
  }
  return {
    messageCreated: (message) => ofMessage('MESSAGE_CREATE', message),
    messageUpdated: (message) => ofMessage('MESSAGE_UPDATE', message),
    messageDeleted: (message) => {
      const { channel, id } = message
      if (message.onlyFor !== undefined || !isSeen(channel)) return
      const guild = channel.guild === undefined ? {} : { guild_id: channel.guild.id }
      sessions.dispatch({
        t: 'MESSAGE_DELETE',
        guild: channel.guild?.id,
        intent: channel.guild === undefined ? intents.DirectMessages : intents.GuildMessages,
        toData: () => ({ id, channel_id: channel.id, ...guild }),
      })
    },
    reaction: (change, message, { user, emoji }) => {
      const { channel } = message
      if (!isSeen(channel)) return
      const { guild } = channel
      const member = guild?.members.get(user.id)
      const data = {
        user_id: user.id,
        channel_id: channel.id,
        message_id: message.id,
        ...(guild === undefined ? {} : { guild_id: guild.id }),
        ...(guild === undefined || member === undefined || change === 'REMOVE'
          ? {}
          : { member: { ...toMemberWire(guild, member), user } }),
        ...(change === 'ADD' ? { message_author_id: message.author.id } : {}),
        emoji: { id: null, name: emoji },
        burst: false,
        type: 0,
      }
      sessions.dispatch({
        t: `MESSAGE_REACTION_${change}`,
        guild: guild?.id,
        intent: guild === undefined ? intents.DirectMessageReactions : intents.GuildMessageReactions,
        toData: () => data,
      })
    },
    threadCreated: (thread) => ofChannel('THREAD_CREATE', thread, { newly_created: true }),
    channelChanged: (channel, change) =>
      ofChannel(`${channel.kind === 'thread' ? 'THREAD' : 'CHANNEL'}_${change}`, channel),
    guildJoined: (guild) =>
      sessions.dispatch({
        t: 'GUILD_CREATE',
        guild: guild.id,
        intent: intents.Guilds,
        toData: () => toGuildCreate(world, guild),
      }),
    guildLeft: (guild, isUnavailable) =>
      sessions.dispatch({
        t: 'GUILD_DELETE',
        guild: guild.id,
        intent: intents.Guilds,
        toData: () => (isUnavailable ? { id: guild.id, unavailable: true } : { id: guild.id }),
      }),
    interaction: (guild, payload) =>
      sessions.dispatch({ t: 'INTERACTION_CREATE', guild, intent: 0, toData: () => payload }),
  }
}
