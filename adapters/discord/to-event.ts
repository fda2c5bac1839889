// Turns a gateway event into events, or a reason to ignore it. Pure. Only people become principals: bots and webhooks never do.
// Administrators are not told apart in messages: only an interaction says what its sender may do.
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import { unknownKind, type Media } from '#shared/chat/quotation.ts'
import { ignored, read, type Ignored } from '#adapters/events/read.ts'
import { addressedBy, toCommand, toName, toSaid, type BotIdentity, type Reader } from './addressing.ts'
import { toContent } from './content.ts'
import {
  bulkDeletion,
  deletion,
  guild,
  guildDeletion,
  isService,
  message,
  reaction,
  type DcGuild,
  type DcMessage,
  type DcReaction,
} from './payloads.ts'
import { findForwarded, isForward, toQuoted, toReply } from './quotes.ts'
import { noNames, type Names } from './references.ts'
import { nobody, toConversation, toPrincipal, toServer, type ChannelInfo } from './ids.ts'

export type Incoming = { readonly kind: 'events'; readonly events: readonly ChatEvent[] } | Ignored

export type Surroundings = {
  readonly bot: BotIdentity
  /** None are known when left out. */
  readonly names?: Names
  /** Of the channel the event names. */
  readonly info: ChannelInfo
  readonly nowMs: number
}

/** A guild that the bot joined longer ago is one that a new session lists, not a new one. */
const newGuildMs = 24 * 3_600_000
const textChannel = 0

const toReader = ({ bot, names = noNames }: Surroundings): Reader => ({ ...bot, names })

/** The events' ids are their dedupe keys too: `dc:<message>`, with the time of an edit. */
export function toEvents(name: string, data: unknown, around: Surroundings): Incoming {
  switch (name) {
    case 'MESSAGE_CREATE':
      return read(message, data, (one) => toMessage(one, around))
    case 'MESSAGE_UPDATE':
      return read(message, data, (one) => toEdit(one, around))
    case 'MESSAGE_DELETE':
      return read(deletion, data, ({ id }) => toDeletions([id], data, around))
    case 'MESSAGE_DELETE_BULK':
      return read(bulkDeletion, data, ({ ids }) => toDeletions(ids, data, around))
    case 'MESSAGE_REACTION_ADD':
    case 'MESSAGE_REACTION_REMOVE':
      return read(reaction, data, (one) => toReaction(one, name === 'MESSAGE_REACTION_ADD', around))
    case 'GUILD_CREATE':
      return read(guild, data, (one) => toJoin(one, around.nowMs))
    case 'GUILD_DELETE':
      return read(guildDeletion, data, ({ id, unavailable }) =>
        unavailable ? ignored('guild-away') : toLeave(id, around.nowMs),
      )
    default:
      return ignored('unknown-kind')
  }
}

const one = (event: ChatEvent): Incoming => ({ kind: 'events', events: [event] })

/** Why nobody speaks here; undefined when a person does. */
function notAPerson({ author, webhook_id: webhook, type }: DcMessage): string | undefined {
  if (webhook !== undefined) return 'webhook'
  if (author.bot || author.system) return 'bot'
  return isService(type) ? 'service' : undefined
}

function toMessage(said: DcMessage, around: Surroundings): Incoming {
  const { info } = around
  const reason = notAPerson(said)
  if (reason !== undefined) return ignored(reason)
  const at = Date.parse(said.timestamp)
  if (!Number.isFinite(at) || at < 0) return ignored('malformed')
  const reader = toReader(around)
  const forwarded = isForward(said)
  const command = forwarded ? undefined : toCommand(said, reader)
  const replyTo = toReply(said, reader)
  const quoted = toQuoted(said, reader)
  const content = toContent(said, reader)
  const media = forwarded ? toForwardedMedia(said, reader) : content.media
  // What is forwarded are another's words, whoever that is: never a command, a stop, or an order of the sender's.
  const text = forwarded ? '' : content.text
  const group = info.kind !== 'dm'
  const event: MessageEvent = {
    v: 1,
    kind: 'message',
    id: `dc:${said.id}`,
    conversation: toConversation(said.channel_id, info),
    principal: toPrincipal(said.author.id),
    ...toServer(info),
    name: toName(said.author, said.member?.nick),
    at,
    text,
    messageId: said.id,
    addressed: !group || replyTo?.fromBot === true || (!forwarded && addressedBy(said, reader)),
    group,
    ...(group && info.name !== undefined ? { title: `#${info.name}`.slice(0, 200) } : {}),
    ...(command ? { command } : {}),
    ...(replyTo ? { replyTo } : {}),
    ...(quoted.length > 0 ? { quoted } : {}),
    ...(media.length > 0 ? { media: [...media] } : {}),
  }
  return one(event)
}

/** Of a forward that Discord does not tell, only that it is one. */
function toForwardedMedia(said: DcMessage, reader: Reader): readonly Media[] {
  const forwarded = findForwarded(said)
  const own = toContent(said, reader).media.filter(({ kind }) => kind !== unknownKind)
  return [...own, ...(forwarded ? toContent(forwarded, reader).media : [{ kind: 'messages' }])]
}

/** Discord also sends an update when it finds a link's preview or pins a message: those are no edits. */
function toEdit(said: DcMessage, around: Surroundings): Incoming {
  const { info } = around
  const reason = notAPerson(said)
  if (reason !== undefined) return ignored(reason)
  const at = Date.parse(said.edited_timestamp ?? '')
  if (!Number.isFinite(at)) return ignored('no-edit')
  if (isForward(said)) return ignored('edit-of-forward')
  return one({
    v: 1,
    kind: 'edit',
    id: `dc:${said.id}:${at}`,
    conversation: toConversation(said.channel_id, info),
    principal: toPrincipal(said.author.id),
    ...toServer(info),
    name: toName(said.author, said.member?.nick),
    at,
    messageId: said.id,
    text: toSaid(said, toReader(around)),
    group: info.kind !== 'dm',
  })
}

function toDeletions(ids: readonly string[], data: unknown, { info, nowMs }: Surroundings): Incoming {
  const channel = bulkDeletion.pick({ channel_id: true }).parse(data).channel_id
  const conversation = toConversation(channel, info)
  return {
    kind: 'events',
    events: ids.map((id) => ({
      v: 1,
      kind: 'delete',
      id: `dc:${id}:gone`,
      conversation,
      principal: nobody,
      ...toServer(info),
      at: nowMs,
      messageId: id,
    })),
  }
}

/** Discord tells of each emoji by itself: the last one that a person put there counts, none once one was taken back. */
function toReaction(given: DcReaction, isAdded: boolean, { bot, info, nowMs }: Surroundings): Incoming {
  const { user_id: user, channel_id: channel, message_id: messageId, message_author_id: author, emoji } = given
  if (user === bot.id || given.member?.user?.bot) return ignored('bot')
  if (author !== undefined && author !== bot.id) return ignored('not-on-an-answer')
  const sign = emoji.name?.toWellFormed().slice(0, 64)
  return one({
    v: 1,
    kind: 'reaction',
    id: `dc:${messageId}:${user}:${isAdded ? 'on' : 'off'}:${nowMs}`,
    conversation: toConversation(channel, info),
    principal: toPrincipal(user),
    ...toServer(info),
    at: nowMs,
    messageId,
    emoji: isAdded && sign ? [sign] : [],
  })
}

/** The event does not say who added the bot. */
function toJoin(joined: DcGuild, nowMs: number): Incoming {
  const { id, name, channels } = joined
  const channel = joined.system_channel_id ?? channels.find((found) => found?.type === textChannel)?.id
  const at = Date.parse(joined.joined_at ?? '')
  if (!Number.isFinite(at) || nowMs - at > newGuildMs) return ignored('known-guild')
  if (!channel) return ignored('guild-without-channels')
  return one({
    v: 1,
    kind: 'join',
    id: `dc:${id}:joined:${at}`,
    conversation: `discord:${channel}`,
    principal: nobody,
    server: `discord:${id}`,
    at,
    title: name.toWellFormed().slice(0, 200),
  })
}

function toLeave(id: string, nowMs: number): Incoming {
  const event = { v: 1, kind: 'leave', conversation: `discord:${id}`, principal: nobody, at: nowMs } as const
  return one({ ...event, id: `dc:${id}:left:${nowMs}` })
}
