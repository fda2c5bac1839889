// The address of a message on its platform, where that can be told from what is known of it.
import { parseConversation, type ConversationId } from '#shared/chat/conversation.ts'

/** Telegram: messages of supergroups, https://core.telegram.org/api/links#message-links. Discord: those of direct chats; of a server its id would be needed. */
export function toMessageLink(
  conversation: ConversationId,
  message: string,
  { group }: { readonly group: boolean },
): string | undefined {
  const { channel, chat, thread } = parseConversation(conversation)
  if (!/^\d{1,30}$/.test(message)) return undefined
  if (channel === 'discord' && !group && thread === undefined)
    return `https://discord.com/channels/@me/${chat}/${message}`
  const [, id] = (channel === 'telegram' && /^-100(\d{1,20})$/.exec(chat)) || []
  return id === undefined ? undefined : `https://t.me/c/${id}/${thread === undefined ? '' : `${thread}/`}${message}`
}
