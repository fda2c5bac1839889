// Turns an update into an event, a press, or a reason to ignore it. Pure. Only people become principals: bots, channels and
// anonymous administrators never do. Administrators are not told apart: no update says who is one.
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import { addressedBy, toCommand, withoutMention, type BotIdentity } from './addressing.ts'
import { toMedia } from './media.ts'
import { toConversation, toPrincipal } from './place.ts'
import {
  anyUpdate,
  membership,
  message,
  press,
  type TgMembership,
  type TgMessage,
  type TgPress,
  type TgUser,
} from './updates.ts'

export type Incoming =
  | { readonly kind: 'event'; readonly event: ChatEvent }
  | { readonly kind: 'press'; readonly press: TgPress; readonly id: string }
  | { readonly kind: 'ignored'; readonly reason: string }

/** The event's id is its dedupe key too: `tg:<bot>:<update>`. */
export function toEvent(update: unknown, bot: BotIdentity): Incoming {
  const parsed = anyUpdate.safeParse(update)
  if (!parsed.success) return ignored('malformed')
  const { update_id: number, ...rest } = parsed.data
  const id = `tg:${bot.id}:${number}`
  if ('message' in rest) return read(message, rest['message'], (one) => toMessage(one, id, bot))
  if ('edited_message' in rest) return read(message, rest['edited_message'], (one) => toEdit(one, id, bot))
  if ('callback_query' in rest) return read(press, rest['callback_query'], (one) => ({ kind: 'press', press: one, id }))
  if ('my_chat_member' in rest) return read(membership, rest['my_chat_member'], (one) => toMembership(one, id))
  return ignored('unknown-kind')
}

type Schema<T> = { safeParse(value: unknown): { success: true; data: T } | { success: false } }

function read<T>(schema: Schema<T>, value: unknown, use: (value: T) => Incoming): Incoming {
  const parsed = schema.safeParse(value)
  return parsed.success ? use(parsed.data) : ignored('malformed')
}

const ignored = (reason: string): Incoming => ({ kind: 'ignored', reason })

/** Why nobody speaks here; undefined when a person does. */
function notAPerson(one: Pick<TgMessage, 'from' | 'sender_chat' | 'chat'>): string | undefined {
  if (one.chat.type === 'channel' || one.sender_chat !== undefined) return 'sender-chat'
  if (!one.from) return 'nobody'
  return one.from.is_bot ? 'bot' : undefined
}

function toBase(one: TgMessage, id: string): Pick<MessageEvent, 'v' | 'id' | 'conversation' | 'principal' | 'name'> {
  const topic = one.is_topic_message ? one.message_thread_id : undefined
  const { from } = one
  return {
    v: 1,
    id,
    conversation: toConversation(one.chat.id, topic),
    principal: toPrincipal(from?.id ?? 0),
    ...(from ? { name: toName(from) } : {}),
  }
}

function toMessage(one: TgMessage, id: string, bot: BotIdentity): Incoming {
  const reason = notAPerson(one)
  if (reason !== undefined) return ignored(reason)
  const media = toMedia(one)
  const said = one.text ?? one.caption ?? ''
  if (one.text === undefined && media.length === 0) return ignored('service')
  const isForwarded = one.forward_origin !== undefined
  const command = isForwarded ? undefined : toCommand(one, bot)
  if (command === 'other-bot') return ignored('other-bot-command')
  const group = one.chat.type !== 'private'
  const replyTo = toReply(one, bot)
  const text = isForwarded ? `[forwarded] ${said}` : withoutMention(one, bot)
  const language = toLanguage(one.from)
  const event: MessageEvent = {
    ...toBase(one, id),
    kind: 'message',
    at: one.date * 1000,
    text,
    messageId: String(one.message_id),
    addressed: !group || replyTo?.fromBot === true || (!isForwarded && addressedBy(one, bot)),
    group,
    ...(command ? { command } : {}),
    ...(replyTo ? { replyTo } : {}),
    ...(media.length > 0 ? { media } : {}),
    ...(language ? { language } : {}),
  }
  return { kind: 'event', event }
}

function toEdit(one: TgMessage, id: string, bot: BotIdentity): Incoming {
  const reason = notAPerson(one)
  if (reason !== undefined) return ignored(reason)
  if (one.text === undefined && one.caption === undefined) return ignored('edit-without-text')
  const event: ChatEvent = {
    ...toBase(one, id),
    kind: 'edit',
    at: one.date * 1000,
    messageId: String(one.message_id),
    text: one.forward_origin === undefined ? withoutMention(one, bot) : `[forwarded] ${one.text ?? one.caption ?? ''}`,
    group: one.chat.type !== 'private',
  }
  return { kind: 'event', event }
}

/** In a topic every message "replies" to the topic's opening; that one is no quote. */
function toReply(one: TgMessage, bot: BotIdentity): MessageEvent['replyTo'] {
  const quoted = one.reply_to_message
  if (!quoted || quoted.forum_topic_created !== undefined) return undefined
  if (one.is_topic_message && quoted.message_id === one.message_thread_id) return undefined
  const text = one.quote?.text ?? quoted.text ?? quoted.caption
  const author = quoted.sender_chat === undefined ? quoted.from : undefined
  return {
    messageId: String(quoted.message_id),
    fromBot: author?.id === bot.id,
    ...(text === undefined ? {} : { text }),
    ...(author ? { principal: toPrincipal(author.id) } : {}),
  }
}

function toMembership(one: TgMembership, id: string): Incoming {
  const { chat, from } = one
  if (chat.type !== 'group' && chat.type !== 'supergroup') return ignored('membership-elsewhere')
  if (from.is_bot) return ignored('bot')
  const was = isIn(one.old_chat_member)
  const is = isIn(one.new_chat_member)
  if (was === is) return ignored('membership-unchanged')
  const base = {
    v: 1,
    id,
    conversation: toConversation(chat.id, undefined),
    principal: toPrincipal(from.id),
    name: toName(from),
    at: one.date * 1000,
  } as const
  if (!is) return { kind: 'event', event: { ...base, kind: 'leave' } }
  const title = chat.title === undefined ? {} : { title: chat.title.toWellFormed().slice(0, 200) }
  return { kind: 'event', event: { ...base, kind: 'join', ...title } }
}

function isIn({ status, is_member }: TgMembership['new_chat_member']): boolean {
  if (status === 'restricted') return is_member === true
  return status === 'member' || status === 'administrator' || status === 'creator'
}

export function toName(from: TgUser): string {
  return [from.first_name, from.last_name].filter(Boolean).join(' ').slice(0, 64)
}

export function toLanguage(from: TgUser | undefined): 'zh' | 'en' | undefined {
  if (!from?.language_code) return undefined
  return from.language_code.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}
