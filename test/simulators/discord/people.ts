// What people do in Discord clients: write, reply, forward, edit, delete, press, run commands, react, open threads. Each becomes the
// event that the bot would get. Other bots and webhooks write the same way. An impossible act throws.
import type { Events } from './events.ts'
import { openThread, reopen } from './channels.ts'
import { findMentions } from './mentions.ts'
import { storeFile } from './message-body.ts'
import { dropReaction } from './messages.ts'
import { componentIdOf, toInteractionWire, type Wire } from './payloads.ts'
import { messageTypes, type DcCommand, type DcUser } from './types.ts'
import {
  channelOf,
  directChannelOf,
  findMessage,
  storeMessage,
  toUser,
  type Channel,
  type Interaction,
  type NewMessage,
  type StoredMessage,
  type World,
} from './world.ts'

export type SayOptions = {
  /** The id of a message in the same channel that this one replies to. */
  readonly replyTo?: string | undefined
  /** For a reply, whether it pings the author, as the client does by default. */
  readonly pingsAuthor?: boolean | undefined
  /** A message, in whatever channel, that this one forwards; the text is then empty in Discord's own client. */
  readonly forwardOf?: { readonly channel: string; readonly message: string } | undefined
  readonly files?:
    | readonly { readonly name: string; readonly content: string; readonly type?: string | undefined }[]
    | undefined
  /** Further fields of the message as Discord writes them: `embeds`, `components`, `poll`, `sticker_items`, a `type` or a kind to come. */
  readonly more?: Readonly<Record<string, unknown>> | undefined
}

/** Option values of a command by name. */
export type SlashOptions = Readonly<Record<string, string | number | boolean>>

export type Person = {
  readonly id: string
  readonly name: string
  /** The direct channel with the bot. */
  readonly dm: string
  /** All of them give the id of the message, interaction or thread they make. */
  say(channel: string, text: string, options?: SayOptions): string
  reply(channel: string, message: string, text: string, options?: SayOptions): string
  edit(channel: string, message: string, text: string): void
  delete(channel: string, message: string): void
  /** Presses the button with this custom id or label; `isForged` sends the custom id although there is no such button. */
  press(channel: string, message: string, button: string, options?: { readonly isForged?: boolean | undefined }): string
  /** Runs a registered command, by its name without the slash; `isForged` although none is registered. */
  slash(channel: string, name: string, options?: SlashOptions, isForged?: boolean): string
  react(channel: string, message: string, emoji: string): void
  unreact(channel: string, message: string, emoji: string): void
  openThread(channel: string, name: string, message?: string): string
}

export type PersonOptions = {
  /** Another bot, whose messages carry `author.bot`. */
  readonly isBot?: boolean | undefined
}

export type WebhookInput = Pick<SayOptions, 'more'> & {
  readonly channel: string
  readonly name: string
  readonly text: string
}

export type People = {
  /** The person of this name, made up on first use. Everybody is a member of a guild from the first act in it. */
  person(name: string, options?: PersonOptions): Person
  /** A webhook's message; its id. */
  sayAsWebhook(input: WebhookInput): string
  /** A link preview arrives: MESSAGE_UPDATE with an unchanged `edited_timestamp`. */
  embedsArrive(input: { readonly channel: string; readonly message: string; readonly title?: string | undefined }): void
}

type Deps = { readonly world: World; readonly events: Events }

export function createPeople({ world, events }: Deps): People {
  return {
    person: (name, { isBot = false } = {}) => toPerson({ world, events }, userNamed(world, name, isBot)),
    sayAsWebhook: ({ channel, name, text, more }) => {
      const id = world.newId()
      const author: DcUser = {
        ...toUser(id, name),
        username: name,
        global_name: null,
        discriminator: '0000',
        bot: true,
      }
      const place = channelOf(world, channel)
      const stored = storeMessage(world, place, {
        author,
        content: text,
        webhookId: id,
        mentions: findMentions(text),
        ...(more === undefined ? {} : { more }),
      })
      events.messageCreated(stored)
      return stored.id
    },
    embedsArrive: ({ channel, message, title = 'A page' }) => {
      const stored = mustFind(channelOf(world, channel), message)
      stored.embeds = [...stored.embeds, { type: 'article', url: 'https://example.com/', title }]
      events.messageUpdated(stored)
    },
  }
}

export function userNamed(world: World, name: string, isBot = false): DcUser {
  const known = [...world.users.values()].find((user) => user.global_name === name || user.id === name)
  if (known !== undefined) return known
  const user: DcUser = { ...toUser(world.newId(), name), ...(isBot ? { bot: true } : {}) }
  world.users.set(user.id, user)
  return user
}

/** Makes the user a member of the channel's guild. */
export function admit({ guild }: Channel, user: DcUser): void {
  if (guild === undefined || guild.members.has(user.id)) return
  guild.members.set(user.id, { user, nick: null, joinedAt: Date.now(), isAdmin: false })
}

function toPerson({ world, events }: Deps, user: DcUser): Person {
  const enter = (id: string): Channel => {
    const channel = channelOf(world, id)
    if (channel.kind === 'dm' && channel.owner?.id !== user.id)
      throw new Error(`The direct channel ${id} is not ${user.username}'s`)
    admit(channel, user)
    return channel
  }
  const own = (channel: Channel, id: string): StoredMessage => {
    const stored = mustFind(channel, id)
    if (stored.author.id !== user.id) throw new Error(`Message ${id} is not ${user.username}'s`)
    return stored
  }
  const say: Person['say'] = (id, text, options = {}) => {
    const channel = enter(id)
    reopen(events, channel)
    const stored = storeMessage(world, channel, { author: user, ...toSaid(world, channel, { text, options }) })
    events.messageCreated(stored)
    return stored.id
  }
  const start = (
    interaction: Omit<Interaction, 'id' | 'token' | 'at' | 'ack' | 'original' | 'followUps' | 'user'>,
    data: Wire,
  ) => {
    const id = world.newId()
    const token = `interaction-token-${id}-${'x'.repeat(64)}`
    const made: Interaction = {
      ...interaction,
      id,
      token,
      user,
      at: Date.now(),
      ack: undefined,
      original: undefined,
      followUps: [],
    }
    world.interactions.set(id, made)
    events.interaction(made.channel.guild?.id, toInteractionWire(world, made, data))
    return id
  }
  return {
    id: user.id,
    name: user.global_name ?? user.username,
    get dm() {
      return directChannelOf(world, user).id
    },
    say,
    reply: (channel, message, text, options) => say(channel, text, { ...options, replyTo: message }),
    edit: (id, message, text) => {
      const stored = own(enter(id), message)
      stored.content = text
      stored.texts.push(text)
      stored.mentions = findMentions(text)
      stored.editedAt = Date.now()
      events.messageUpdated(stored)
    },
    delete: (id, message) => {
      const stored = own(enter(id), message)
      stored.isDeleted = true
      events.messageDeleted(stored)
    },
    press: (id, message, button, { isForged = false } = {}) => {
      const channel = enter(id)
      const stored = mustFind(channel, message)
      if (stored.onlyFor !== undefined && stored.onlyFor !== user.id)
        throw new Error(`${user.username} does not see message ${message}`)
      const shown = stored.rows
        .flatMap((row) => row.components)
        .find((one) => one.custom_id !== undefined && (one.custom_id === button || one.label === button))
      if (!isForged && (shown === undefined || shown.disabled === true)) {
        throw new Error(`Message ${message} shows no button "${button}" that can be pressed`)
      }
      const customId = shown?.custom_id ?? button
      const data = { component_type: 2, custom_id: customId, id: componentIdOf(stored, customId) }
      return start({ kind: 'press', channel, message: stored, command: undefined }, data)
    },
    slash: (id, name, options = {}, isForged = false) => {
      const channel = enter(id)
      const command = findCommand(world, channel, name)
      if (command === undefined && !isForged) throw new Error(`There is no command /${name}`)
      return start(
        { kind: 'command', channel, message: undefined, command },
        toCommandData(world, command, { name, options }),
      )
    },
    react: (id, message, emoji) => {
      const stored = mustFind(enter(id), message)
      stored.reactions.set(emoji, (stored.reactions.get(emoji) ?? new Set()).add(user.id))
      events.reaction('ADD', stored, { user, emoji })
    },
    unreact: (id, message, emoji) => {
      const stored = mustFind(enter(id), message)
      dropReaction(stored, emoji, user.id)
      events.reaction('REMOVE', stored, { user, emoji })
    },
    openThread: (id, name, message) => {
      const channel = enter(id)
      const starter = message === undefined ? undefined : mustFind(channel, message)
      return openThread({ world, events }, channel, { name, owner: user, starter }).id
    },
  }
}

function mustFind(channel: Channel, id: string): StoredMessage {
  const stored = findMessage(channel, id)
  if (stored === undefined) throw new Error(`There is no message ${id} in channel ${channel.id}`)
  return stored
}

type Saying = { readonly text: string; readonly options: SayOptions }

function toSaid(world: World, channel: Channel, { text, options }: Saying): Omit<NewMessage, 'author'> {
  const { replyTo, forwardOf, files = [], pingsAuthor = true, more = {} } = options
  const quoted = replyTo === undefined ? undefined : mustFind(channel, replyTo)
  const named = findMentions(text)
  const author = quoted !== undefined && pingsAuthor ? [quoted.author.id] : []
  const mentions = { ...named, users: [...new Set([...named.users, ...author])] }
  return {
    content: text,
    more,
    type: quoted === undefined ? messageTypes.ordinary : messageTypes.reply,
    replyTo: quoted,
    forwardOf: forwardOf === undefined ? undefined : mustFind(channelOf(world, forwardOf.channel), forwardOf.message),
    mentions,
    pings: mentions,
    attachments: files.map(({ name, content, type = 'text/plain' }) =>
      storeFile(world, channel, { name, bytes: Buffer.from(content), type }),
    ),
  }
}

function findCommand(world: World, { guild }: Channel, name: string): DcCommand | undefined {
  if (guild?.hasCommandScope === false) return undefined
  const own = guild === undefined ? [] : (world.commands.get(guild.id) ?? [])
  return [...own, ...(world.commands.get('') ?? [])].find((command) => command.name === name)
}

type Called = { readonly name: string; readonly options: SlashOptions }

/** The data of a command's interaction. Throws for an option that the command does not have. */
function toCommandData(world: World, command: DcCommand | undefined, { name, options }: Called): Wire {
  const given = Object.entries(options).map(([option, value]) => {
    const known = command?.options?.find((one) => one.name === option)
    if (command !== undefined && known === undefined) throw new Error(`The command /${name} has no option "${option}"`)
    const guessed = { string: 3, boolean: 5, number: 10 }[
      typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : 'number'
    ]
    return { name: option, type: known?.type ?? guessed, value }
  })
  return { id: command?.id ?? world.newId(), name, type: 1, ...(given.length === 0 ? {} : { options: given }) }
}
