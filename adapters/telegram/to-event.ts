// Turns an update into an event, a press, or a reason to ignore it. Pure. Only people become principals: bots, channels and
// anonymous administrators never do, nor what a person sends through another bot. No update says who is an administrator.
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import { ignored, read, type Ignored } from '#adapters/events/read.ts'
import { toLanguage } from '#adapters/events/to-language.ts'
import { addressedBy, toCommand, withoutMention, type BotIdentity } from './addressing.ts'
import { toContent } from './content.ts'
import { toConversation, toPrincipal } from './ids.ts'
import { mayComment, toName, toQuoted, toReply } from './quotes.ts'
import { isIn, toMove, toStanding, type StandingNews } from './standing.ts'
import {
  anyUpdate,
  membership,
  message,
  press,
  reaction,
  type TgMembership,
  type TgMessage,
  type TgPress,
  type TgReaction,
} from './updates.ts'

/** `standing`: what the update tells of the chat itself, whatever else it is. */
export type Incoming = { readonly standing?: StandingNews } & (
  | { readonly kind: 'event'; readonly event: ChatEvent }
  | { readonly kind: 'press'; readonly press: TgPress; readonly id: string }
  | Ignored
)

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
  if ('message_reaction' in rest) return read(reaction, rest['message_reaction'], (one) => toReaction(one, id))
  return ignored('unknown-kind')
}

/** Why nobody speaks here; undefined when a person does. */
function notAPerson(one: TgMessage): string | undefined {
  if (one.chat.type === 'channel' || one.sender_chat !== undefined || one.is_automatic_forward) return 'sender-chat'
  if (one.via_bot !== undefined) return 'via-bot'
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
  const standing = toMove(one)
  if (standing) return { ...ignored('moved'), standing }
  const reason = notAPerson(one)
  if (reason !== undefined) return ignored(reason)
  const said = toContent(one)
  if (said.isService) return ignored('service')
  const isForwarded = one.forward_origin !== undefined
  const command = isForwarded ? undefined : toCommand(said, bot)
  if (command === 'other-bot') return ignored('other-bot-command')
  const group = one.chat.type !== 'private'
  const replyTo = toReply(one, bot)
  const quoted = toQuoted(one, bot)
  const tag = one.from?.language_code
  const event: MessageEvent = {
    ...toBase(one, id),
    kind: 'message',
    at: one.date * 1000,
    // What is forwarded are another's words, whoever that is: never a command, a stop, or an order of the sender's.
    text: isForwarded ? '' : withoutMention(said, bot),
    messageId: String(one.message_id),
    addressed: !group || replyTo?.fromBot === true || (!isForwarded && addressedBy(said, bot)),
    group,
    ...(group ? toTitle(one.chat) : {}),
    ...(command ? { command } : {}),
    ...(replyTo ? { replyTo } : {}),
    ...(quoted.length > 0 ? { quoted } : {}),
    ...(said.media.length > 0 ? { media: [...said.media] } : {}),
    ...(one.media_group_id ? { album: one.media_group_id } : {}),
    ...(tag ? { language: toLanguage(tag) } : {}),
    ...(!group && !command && mayComment(one) ? { unfinished: true } : {}),
  }
  return { kind: 'event', event }
}

const toTitle = ({ title }: TgMessage['chat']): { title?: string } =>
  title === undefined ? {} : { title: title.slice(0, 200).toWellFormed() }

function toEdit(one: TgMessage, id: string, bot: BotIdentity): Incoming {
  const reason = notAPerson(one)
  if (reason !== undefined) return ignored(reason)
  if (one.forward_origin !== undefined) return ignored('edit-of-forward')
  // A poll, a checklist and a place that moves change without new words of their sender's.
  if (one.text === undefined && one.caption === undefined && one['rich_message'] === undefined)
    return ignored('edit-without-text')
  const event: ChatEvent = {
    ...toBase(one, id),
    kind: 'edit',
    at: one.date * 1000,
    messageId: String(one.message_id),
    text: withoutMention(toContent(one), bot),
    group: one.chat.type !== 'private',
  }
  return { kind: 'event', event }
}

function toMembership(one: TgMembership, id: string): Incoming {
  const { chat, from } = one
  const isGroup = chat.type === 'group' || chat.type === 'supergroup'
  if (!isGroup && chat.type !== 'private') return ignored('membership-elsewhere')
  const standing = toStanding(one)
  if (!isGroup) return { ...ignored('membership-elsewhere'), standing }
  if (from.is_bot) return { ...ignored('bot'), standing }
  const was = isIn(one.old_chat_member)
  const is = isIn(one.new_chat_member)
  if (was === is) return { ...ignored('membership-unchanged'), standing }
  const base = {
    v: 1,
    id,
    conversation: toConversation(chat.id, undefined),
    principal: toPrincipal(from.id),
    name: toName(from),
    at: one.date * 1000,
  } as const
  if (!is) return { kind: 'event', event: { ...base, kind: 'leave' }, standing }
  return { kind: 'event', event: { ...base, kind: 'join', ...toTitle(chat) }, standing }
}

/** The update names no topic, so that it belongs to the chat as a whole; reactions of a group's own are nobody's. */
function toReaction({ chat, user, ...one }: TgReaction, id: string): Incoming {
  if (!user) return ignored('sender-chat')
  if (user.is_bot) return ignored('bot')
  const event: ChatEvent = {
    v: 1,
    id,
    kind: 'reaction',
    conversation: toConversation(chat.id, undefined),
    principal: toPrincipal(user.id),
    name: toName(user),
    at: one.date * 1000,
    messageId: String(one.message_id),
    emoji: one.new_reaction.map((given) => given.emoji ?? given.type),
  }
  return { kind: 'event', event }
}
