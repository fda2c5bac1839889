// Telegram's numbers in our ids: conversation `telegram:<chat>[:<topic>]`, principal `telegram:<user>`.
import { parseConversation, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'

export type TelegramPlace = { readonly chat: number; readonly topic: number | undefined; readonly isGroup: boolean }

export function toConversation(chat: number, topic: number | undefined): ConversationId {
  return topic === undefined ? `telegram:${chat}` : `telegram:${chat}:${topic}`
}

export function toPrincipal(user: number): PrincipalId {
  return `telegram:${user}`
}

/** Throws `bad-input` for a conversation of another shape. */
export function toPlace(conversation: ConversationId): TelegramPlace {
  const { chat, thread } = parseConversation(conversation)
  return { chat: Number(chat), topic: thread === undefined ? undefined : Number(thread), isGroup: chat.startsWith('-') }
}
