// What updates tell of a chat itself: the bot came in, was thrown out, blocked or muted, or the chat has another id now. Pure.
import { toChatId } from './ids.ts'
import type { TgMembership, TgMessage } from './updates.ts'

/** Chats as `telegram:<chat>`. */
export type StandingNews =
  | { readonly kind: 'moved'; readonly from: string; readonly to: string }
  | { readonly kind: 'closed'; readonly chat: string; readonly reason: string }
  | { readonly kind: 'open'; readonly chat: string }

/** Both chats are told of a group's upgrade, the old and the new one. */
export function toMove({
  chat,
  migrate_to_chat_id: to,
  migrate_from_chat_id: from,
}: TgMessage): StandingNews | undefined {
  if (to !== undefined) return { kind: 'moved', from: toChatId(chat.id), to: toChatId(to) }
  return from === undefined ? undefined : { kind: 'moved', from: toChatId(from), to: toChatId(chat.id) }
}

export function toStanding({ chat, new_chat_member: is }: TgMembership): StandingNews {
  const id = toChatId(chat.id)
  if (!isIn(is)) {
    const reason = chat.type === 'private' ? 'the person blocked the bot' : 'the bot was removed from the chat'
    return { kind: 'closed', chat: id, reason }
  }
  if (is.status === 'restricted' && is.can_send_messages === false) {
    return { kind: 'closed', chat: id, reason: 'the bot may not write in this chat' }
  }
  return { kind: 'open', chat: id }
}

export function isIn({ status, is_member }: TgMembership['new_chat_member']): boolean {
  if (status === 'restricted') return is_member === true
  return status === 'member' || status === 'administrator' || status === 'creator'
}
