// Telegram's numbers in our ids: conversation `telegram:<chat>[:<topic>]`, principal `telegram:<user>`. A group that became a
// supergroup numbers its messages anew: ids of its messages then begin with `s`, so that none is taken for one of before.
import { parseConversation, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatStanding } from '#queues/fleet/chat-book.ts'

export type TelegramAddress = {
  /** Where it is now, and by which id its conversation goes; they differ once it has moved. */
  readonly chat: number
  readonly home: number
  readonly topic: number | undefined
  readonly isGroup: boolean
}

export function toConversation(chat: number, topic: number | undefined): ConversationId {
  return topic === undefined ? `telegram:${chat}` : `telegram:${chat}:${topic}`
}

export function toPrincipal(user: number): PrincipalId {
  return `telegram:${user}`
}

export const toChatId = (chat: number): string => `telegram:${chat}`

/** Throws `bad-input` for a conversation of another shape. Without a standing the chat is where its id says. */
export function toAddress(conversation: ConversationId, standing?: ChatStanding): TelegramAddress {
  const { chat, thread } = parseConversation(conversation)
  const now = standing === undefined ? chat : parseConversation(standing.current).chat
  const topic = thread === undefined ? undefined : Number(thread)
  return { chat: Number(now), topic, isGroup: chat.startsWith('-'), home: Number(chat) }
}

/** A message's id as others see it; `hasMoved` when it was written after its chat moved. */
export function toMessageId(message: number | string, hasMoved: boolean): string {
  return hasMoved ? `s${message}` : String(message)
}

/** Telegram's number of a message; undefined for a message of before the chat moved, which can no longer be referred to. */
export function toMessageNumber(id: string | undefined, { chat, home }: TelegramAddress): number | undefined {
  const [, mark, digits] = /^(s?)(\d+)$/.exec(id ?? '') ?? []
  return digits === undefined || (mark === 's') !== (chat !== home) ? undefined : Number(digits)
}
