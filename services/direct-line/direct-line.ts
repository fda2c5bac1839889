// What is said once in a group to somebody whom the bot cannot reach alone: how they open a chat with it, by their platform's own link.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { parseConversation, toChat, type Channel } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'

export type DirectLineDeps = {
  find(principal: PrincipalId): Promise<{
    readonly direct: Readonly<Partial<Record<Channel, ConversationId>>>
    readonly blockedSinceMs?: number
  }>
  findLink(channel: Channel): Promise<string | undefined>
  /** Whether they may be told there; it counts as told. */
  mayTell(principal: PrincipalId, chat: string): Promise<boolean>
}
export type DirectLine = { readonly kind: 'reached' | 'silent' } | { readonly kind: 'line'; readonly text: string }

/**
 * `reached`: they have a direct chat that can be written to. `line`: say this in the group. `silent`: they were told there within a month,
 * or their platform has no such link. What is for them alone waits meanwhile, and expires.
 */
export async function findDirectLine(
  deps: DirectLineDeps,
  { principal, conversation, language }: { principal: PrincipalId; conversation: ConversationId; language: Language },
): Promise<DirectLine> {
  const { channel } = parseConversation(principal)
  const { direct, blockedSinceMs } = await deps.find(principal)
  if (direct[channel] !== undefined && blockedSinceMs === undefined) return { kind: 'reached' }
  const link = await deps.findLink(channel)
  if (link === undefined || !(await deps.mayTell(principal, toChat(conversation)))) return { kind: 'silent' }
  return { kind: 'line', text: toText(language, link, blockedSinceMs !== undefined) }
}

function toText(language: Language, link: string, isBlocked: boolean): string {
  if (language === 'zh')
    return isBlocked
      ? `有些话我想只对你说，但你屏蔽了我。请打开与我的私聊，并发一条消息：${link}`
      : `有些话我想只对你说，请先打开与我的私聊，并发一条消息：${link}`
  return isBlocked
    ? `I have something for you alone, but you have blocked me. Please open our direct chat and write to me: ${link}`
    : `I have something for you alone. Please open a direct chat with me first, and write to me: ${link}`
}
