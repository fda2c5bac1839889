// Turns an event of Feishu into one of ours, a press, or a reason to ignore it. Pure. Only people become principals: apps never do. What
// an event does not say (names, what is replied to, the chat of a reaction) is asked for afterwards.
import { createHash } from 'node:crypto'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import { parseCommand } from '#shared/chat/parse-command.ts'
import { ignored, read, type Ignored } from '#adapters/events/read.ts'
import { addressedBy, namesOthers, toCommand, toSaid, type BotIdentity } from './addressing.ts'
import { isOwn, isSaid } from './content.ts'
import { toSign } from './emoji.ts'
import { nobody, toConversation, toPrincipal } from './ids.ts'
import {
  membership,
  menu,
  message,
  press,
  reaction,
  recall,
  type FsEvent,
  type FsMessage,
  type FsPress,
} from './payloads.ts'

/**
 * `quotes`: the message that this one replies to. `topic`: the message that began its topic, where that is another one. `toOthers`: it names
 * somebody, and not the bot. `forwards`: it brings messages of others along, which are to be asked for. `inMessage`: the event belongs to the
 * conversation of that message, which it does not name.
 */
export type Incoming =
  | {
      readonly kind: 'event'
      readonly event: ChatEvent
      readonly dedupeKey: string
      readonly quotes?: string | undefined
      readonly topic?: string
      readonly toOthers?: true
      readonly forwards?: true
      readonly inMessage?: string
      /** The chat of that message, where it is told. */
      readonly inChat?: string
    }
  | { readonly kind: 'press'; readonly press: FsPress; readonly id: string }
  | Ignored

/** A kind of chat that a message of a person tells. */
export const isDirect = (chatType: string): boolean => chatType === 'p2p'

export function toIncoming({ header, event }: FsEvent, bot: BotIdentity, nowMs: number): Incoming {
  if (header.app_id !== bot.appId) return ignored('other-app')
  const at = toTime(header.create_time, nowMs)
  switch (header.event_type) {
    case 'im.message.receive_v1':
      return read(message, event, (one) => toMessage(one, bot, at))
    case 'im.message.updated_v1':
      return read(message, event, (one) => toEdit(one, bot, at))
    case 'im.message.recalled_v1':
      return read(recall, event, ({ message_id: messageId, chat_id: chat }) => {
        const base = {
          v: 1,
          kind: 'delete',
          principal: nobody,
          at,
          messageId,
          conversation: toConversation(chat),
        } as const
        return { ...known({ ...base, id: `fs:${messageId}:gone` }), inMessage: messageId, inChat: chat }
      })
    case 'im.message.reaction.created_v1':
    case 'im.message.reaction.deleted_v1':
      return read(reaction, event, (one) => toReaction(one, header.event_type.endsWith('created_v1'), at))
    case 'im.chat.member.bot.added_v1':
      return read(membership, event, ({ chat_id: chat, operator_id: by }) => {
        const base = { v: 1, kind: 'join', at, conversation: toConversation(chat) } as const
        return known({ ...base, id: `fs:${chat}:joined:${at}`, principal: by ? toPrincipal(by.open_id) : nobody })
      })
    case 'im.chat.member.bot.deleted_v1':
    case 'im.chat.disbanded_v1':
      return read(membership, event, ({ chat_id: chat, operator_id: by }) => {
        const base = { v: 1, kind: 'leave', at, conversation: toConversation(chat) } as const
        return known({ ...base, id: `fs:${chat}:left:${at}`, principal: by ? toPrincipal(by.open_id) : nobody })
      })
    case 'application.bot.menu_v6':
      return read(menu, event, (one) => toMenu(one, at))
    case 'card.action.trigger':
      return read(press, event, (one) => ({ kind: 'press', press: one, id: `fs:${header.event_id}` }))
    default:
      return ignored('unknown-kind')
  }
}

const dayMs = 86_400_000
/** What is no time, or lies far ahead, happened when it came. */
function toTime(stamp: string | undefined, cameAtMs: number): number {
  const ms = /^\d{1,16}$/.test(stamp ?? '') ? Number(stamp) : Infinity
  return ms <= cameAtMs + dayMs ? ms : cameAtMs
}

const known = (event: ChatEvent): Extract<Incoming, { kind: 'event' }> => ({
  kind: 'event',
  event,
  dedupeKey: event.id,
})

type Place = Pick<MessageEvent, 'v' | 'conversation' | 'principal' | 'at' | 'group'> & { readonly messageId: string }

/** Undefined when no person speaks here. */
function toPlace({ sender, message: said }: FsMessage, at: number): Place | undefined {
  if (sender.sender_type !== 'user' || !sender.sender_id) return undefined
  const person = sender.sender_id.open_id
  const topic = said.thread_id === undefined ? undefined : (said.root_id ?? said.message_id)
  const group = !isDirect(said.chat_type)
  return {
    v: 1,
    // A direct chat goes by its person, as it does where the bot writes first.
    conversation: toConversation(group ? said.chat_id : person, topic),
    principal: toPrincipal(person),
    at: toTime(said.create_time, at),
    messageId: said.message_id,
    group,
  }
}

function toMessage(one: FsMessage, bot: BotIdentity, cameAt: number): Incoming {
  const place = toPlace(one, cameAt)
  if (!place) return ignored('bot')
  const said = one.message
  const forwards = said.message_type === 'merge_forward'
  if (!isSaid(said.message_type)) return ignored('service')
  const { text, media } = forwards ? { text: '', media: [] } : toSaid(said, bot)
  const hasOwn = isOwn(said.message_type)
  const command = toCommand(said, bot)
  const quotes = toQuoted(said)
  const event: MessageEvent = {
    ...place,
    kind: 'message',
    id: `fs:${said.message_id}`,
    // A card, a task or a place is passed on, and its words are others'.
    text: hasOwn ? text : '',
    ...(!hasOwn && text !== '' ? { quoted: [{ how: 'forward', text }] } : {}),
    addressed: !place.group || addressedBy(said, bot),
    ...(command ? { command } : {}),
    ...(namesTopicOnly(said) ? { hidesReply: true } : {}),
    ...(media.length > 0 ? { media: [...media] } : {}),
  }
  const topic = said.thread_id === undefined ? undefined : said.root_id
  return {
    kind: 'event',
    event,
    dedupeKey: toDedupeKey(one),
    ...(quotes === undefined ? {} : { quotes }),
    ...(topic === undefined ? {} : { topic }),
    ...(namesOthers(said, bot) ? { toOthers: true } : {}),
    ...(forwards ? { forwards } : {}),
  }
}

/**
 * Feishu brings a message again for hours, sometimes under another id of the event or of the message itself: it is the same one that its
 * sender said there in the same millisecond.
 */
function toDedupeKey({ sender, message: said }: FsMessage): string {
  const parts = [sender.sender_id?.open_id, said.chat_id, said.create_time, said.message_type, said.content]
  return `fs:${createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 32)}`
}

/**
 * In a topic every message names the one that began it: that one is no quote. https://open.feishu.cn/document/server-docs/im-v1/message/reply
 */
function toQuoted(said: FsMessage['message']): string | undefined {
  return namesTopicOnly(said) ? undefined : said.parent_id
}

const namesTopicOnly = ({ thread_id: topic, parent_id: parent, root_id: root }: FsMessage['message']): boolean =>
  topic !== undefined && parent === root

function toEdit(one: FsMessage, bot: BotIdentity, cameAt: number): Incoming {
  const place = toPlace(one, cameAt)
  if (!place) return ignored('bot')
  const said = one.message
  if (said.message_type !== 'text' && said.message_type !== 'post') return ignored('edit-without-text')
  const at = toTime(said.update_time ?? said.create_time, cameAt)
  return known({ ...place, kind: 'edit', id: `fs:${said.message_id}:${at}`, at, text: toSaid(said, bot).text })
}

type Given = {
  readonly message_id: string
  readonly reaction_type: { readonly emoji_type: string }
  readonly operator_type: string
} & {
  readonly user_id?: { readonly open_id: string } | undefined
  readonly action_time?: string | undefined
}

/** Feishu tells of each emoji by itself: the last one that a person put there counts, none once one was taken back. */
function toReaction(given: Given, isAdded: boolean, at: number): Incoming {
  if (given.operator_type !== 'user' || !given.user_id) return ignored('bot')
  const { message_id: messageId, user_id: user, reaction_type: type } = given
  const when = toTime(given.action_time, at)
  const event: ChatEvent = {
    v: 1,
    kind: 'reaction',
    id: `fs:${messageId}:${user.open_id.slice(-20)}:${isAdded ? 'on' : 'off'}:${when}`,
    conversation: toConversation(user.open_id),
    principal: toPrincipal(user.open_id),
    at: when,
    messageId,
    emoji: isAdded ? [toSign(type.emoji_type)] : [],
  }
  return { ...known(event), inMessage: messageId }
}

type Chosen = {
  readonly operator: {
    readonly operator_name?: string | null | undefined
    readonly operator_id: { readonly open_id: string }
  }
} & {
  readonly event_key: string
  readonly timestamp?: string | number | undefined
}

/**
 * An entry named `help` or `/help` is that command; any other is what it says. Brought again under another event's id, it is the same one
 * that its person chose in the same moment.
 */
function toMenu({ operator, event_key: key, timestamp }: Chosen, at: number): Incoming {
  const person = operator.operator_id.open_id
  const text = key.trim()
  const command = parseCommand(text.startsWith('/') ? text : `/${text}`)
  if (!command) return ignored('menu-without-command')
  const name = operator.operator_name
  return known({
    v: 1,
    kind: 'message',
    id: `fs:${createHash('sha256').update([person, key, at, timestamp].join('\n')).digest('base64url').slice(0, 32)}`,
    conversation: toConversation(person),
    principal: toPrincipal(person),
    ...(name ? { name: name.toWellFormed().slice(0, 64) } : {}),
    at,
    text: `/${command.name} ${command.args}`.trim(),
    addressed: true,
    group: false,
    command,
  })
}
