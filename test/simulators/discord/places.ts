// Guilds, channels, permissions and intents, as owners set them up and break them: the bot invited and removed, outages, channels
// deleted, threads archived, permissions taken away, intents switched off, direct messages closed.
import { deniedByDefault } from './access.ts'
import type { Permission, PrivilegedIntent } from './bits.ts'
import type { Events } from './events.ts'
import { userNamed } from './people.ts'
import { addChannel, channelOf, type Guild, type World } from './world.ts'

export type GuildInput = {
  readonly name?: string | undefined
  /** The names of its channels; the first is `general` when left out. */
  readonly channels?: readonly string[] | undefined
  /** Names of people. */
  readonly owner?: string | undefined
  readonly admins?: readonly string[] | undefined
  readonly members?: readonly string[] | undefined
  /** False leaves the bot outside, until `inviteBot`. */
  readonly hasBot?: boolean | undefined
  /** False for an invitation without applications.commands. */
  readonly hasCommandScope?: boolean | undefined
  /** Chosen when left out; its shard follows from it. */
  readonly id?: string | undefined
}

export type MadeGuild = {
  readonly id: string
  /** The first channel. */
  readonly channel: string
  /** Ids by name. */
  readonly channels: Readonly<Record<string, string>>
  /** The ids of the role that Discord made for the bot, and of the administrators'. */
  readonly roles: { readonly bot: string; readonly admin: string }
}

export type Invitation = {
  /** A person's name, for the audit log. */
  readonly by?: string | undefined
  /** The scope applications.commands. */
  readonly hasCommandScope?: boolean | undefined
}

export type Places = {
  addGuild(input?: GuildInput): MadeGuild
  addChannel(input: { readonly guild: string; readonly name: string }): string
  /** Opening another invitation changes the scopes of a bot that is there already. */
  inviteBot(guild: string, invitation?: Invitation): void
  removeBot(guild: string): void
  /** An outage, and its end. */
  setGuildAvailable(guild: string, isAvailable: boolean): void
  deleteChannel(channel: string): void
  /** Archives a thread; a locked one takes no more messages from the bot. */
  archiveThread(thread: string, isLocked?: boolean): void
  /** What the bot may not do in a channel, or in the whole guild; replaces what was denied there. */
  deny(input: {
    readonly guild?: string | undefined
    readonly channel?: string | undefined
    readonly permissions: readonly Permission[]
  }): void
  /** Which privileged intents are on in the developer portal; another IDENTIFY with one that is off is closed with 4014. */
  grantIntents(intents: readonly PrivilegedIntent[]): void
  /** Whether this person takes direct messages from the bot. */
  setDmsOpen(person: string, isOpen: boolean): void
}

export function createPlaces({ world, events }: { readonly world: World; readonly events: Events }): Places {
  const guildOf = (id: string): Guild => {
    const guild = world.guilds.get(id)
    if (guild === undefined) throw new Error(`There is no guild ${id}`)
    return guild
  }
  const invite = (guild: Guild, { by, hasCommandScope = true }: Invitation = {}) => {
    guild.hasCommandScope = hasCommandScope
    if (guild.hasBot) return
    guild.hasBot = true
    guild.botJoinedAt = Date.now()
    guild.members.set(world.bot.id, { user: world.bot, nick: null, joinedAt: guild.botJoinedAt, isAdmin: false })
    if (by !== undefined) guild.botsAdded.push({ id: world.newId(), user: userNamed(world, by), bot: world.bot.id })
    events.guildJoined(guild)
  }
  return {
    addGuild: ({
      name = 'A guild',
      channels = ['general'],
      owner = 'Owner',
      admins = [],
      members = [],
      hasBot = true,
      hasCommandScope = true,
      id,
    } = {}) => {
      const guild: Guild = {
        id: id ?? world.newId(),
        name,
        ownerId: userNamed(world, owner).id,
        members: new Map(),
        channels: new Map(),
        adminRoleId: world.newId(),
        botRoleId: world.newId(),
        botId: world.bot.id,
        denied: new Set(deniedByDefault),
        botJoinedAt: Date.now(),
        hasBot: false,
        hasCommandScope: false,
        botsAdded: [],
      }
      world.guilds.set(guild.id, guild)
      for (const one of new Set([owner, ...admins, ...members])) {
        const user = userNamed(world, one)
        guild.members.set(user.id, { user, nick: null, joinedAt: Date.now(), isAdmin: admins.includes(one) })
      }
      const made = channels.map((one) => [one, addChannel(world, { kind: 'text', name: one, guild }).id] as const)
      if (hasBot) invite(guild, { hasCommandScope })
      const [first] = made
      if (first === undefined) throw new Error('A guild needs a channel')
      const roles = { bot: guild.botRoleId, admin: guild.adminRoleId }
      return { id: guild.id, channel: first[1], channels: Object.fromEntries(made), roles }
    },
    addChannel: ({ guild, name }) => {
      const channel = addChannel(world, { kind: 'text', name, guild: guildOf(guild) })
      events.channelChanged(channel, 'CREATE')
      return channel.id
    },
    inviteBot: (id, invitation) => invite(guildOf(id), invitation),
    removeBot: (id) => {
      const guild = guildOf(id)
      events.guildLeft(guild, false)
      guild.hasBot = false
      guild.members.delete(world.bot.id)
    },
    setGuildAvailable: (id, isAvailable) => {
      if (isAvailable) events.guildJoined(guildOf(id))
      else events.guildLeft(guildOf(id), true)
    },
    deleteChannel: (id) => {
      const channel = channelOf(world, id)
      events.channelChanged(channel, 'DELETE')
      channel.isDeleted = true
      for (const thread of world.channels.values()) if (thread.parent === channel) thread.isDeleted = true
    },
    archiveThread: (id, isLocked = false) => {
      const thread = channelOf(world, id)
      if (thread.kind !== 'thread') throw new Error(`Channel ${id} is not a thread`)
      thread.isArchived = true
      thread.isLocked = isLocked
      events.channelChanged(thread, 'UPDATE')
    },
    deny: ({ guild, channel, permissions }) => {
      const target = channel === undefined ? guildOf(guild ?? '') : channelOf(world, channel)
      target.denied.clear()
      for (const name of permissions) target.denied.add(name)
      if ('kind' in target) events.channelChanged(target, 'UPDATE')
    },
    grantIntents: (granted) => {
      world.granted.clear()
      for (const name of granted) world.granted.add(name)
    },
    setDmsOpen: (person, isOpen) => {
      const user = userNamed(world, person)
      const direct = [...world.channels.values()].find(({ kind, owner }) => kind === 'dm' && owner?.id === user.id)
      const channel = direct ?? addChannel(world, { kind: 'dm', name: user.username, owner: user })
      channel.isClosed = !isOpen
    },
  }
}
