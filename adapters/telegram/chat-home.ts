// Where an event belongs: under the id its chat began with, however often the chat moved. Also opens a chat again that somebody writes in.
import { parseConversation, toChat, type ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { ChatBook, ChatStanding } from '#queues/fleet/chat-book.ts'
import type { StandingNews } from './standing.ts'
import { toChatId, toMessageId } from './ids.ts'

/** The event under its chat's first id. */
export async function eventAtHome(chats: ChatBook, event: ChatEvent): Promise<ChatEvent> {
  const standing = await noteAlive(chats, event)
  return standing.home === toChat(event.conversation) ? event : atHome(event, standing)
}

type Card = { readonly conversation: ConversationId; readonly messageId: string }

/** A pressed card under its chat's first id. */
export async function cardAtHome(chats: Pick<ChatBook, 'find'>, card: Card): Promise<Card> {
  const standing = await chats.find(toChat(card.conversation))
  if (standing.home === toChat(card.conversation)) return card
  return { conversation: toHome(card.conversation, standing), messageId: toMessageId(card.messageId, true) }
}

/** Who writes in a chat can be answered there. */
export async function noteAlive(chats: ChatBook, event: ChatEvent): Promise<ChatStanding> {
  const standing = await chats.find(toChat(event.conversation))
  if (standing.closed !== undefined && event.kind === 'message') await chats.open(standing.home)
  return standing
}

export async function learn(chats: ChatBook, news: StandingNews): Promise<void> {
  if (news.kind === 'moved') await chats.move(news.from, news.to)
  else if (news.kind === 'closed') await chats.close(news.chat, news.reason)
  else await chats.open(news.chat)
}

/** The conversation of the same topic under the chat's first id. */
function toHome(conversation: ConversationId, { home }: ChatStanding): ConversationId {
  const { thread } = parseConversation(conversation)
  return thread === undefined ? home : `${home}:${thread}`
}

function atHome(event: ChatEvent, standing: ChatStanding): ChatEvent {
  const conversation = toHome(event.conversation, standing)
  if (event.kind === 'message') {
    const { messageId, replyTo } = event
    return {
      ...event,
      conversation,
      ...(messageId === undefined ? {} : { messageId: toMessageId(messageId, true) }),
      ...(replyTo ? { replyTo: { ...replyTo, messageId: toReplied(replyTo.messageId, standing) } } : {}),
    }
  }
  if (event.kind === 'edit' || event.kind === 'delete' || event.kind === 'reaction')
    return { ...event, conversation, messageId: toMessageId(event.messageId, true) }
  return { ...event, conversation }
}

/** Of before the move, after it, or of a chat that has nothing to do with this one. */
function toReplied(messageId: string, { home }: ChatStanding): string {
  const [chat = '', message] = messageId.split('/')
  if (message === undefined) return toMessageId(messageId, true)
  return toChatId(Number(chat)) === home ? message : messageId
}
