// Feishu's ids in ours: conversation `feishu:<chat>`, or `feishu:<chat>:<message>` for a topic, which goes by the message that began it: an
// answer in a topic is a reply to that one. Principal `feishu:<open id>`, which is this app's own name for a person.
import { parseConversation, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'

/** Stands for "nobody we know" where Feishu does not say who did something. No person has it. */
export const nobody: PrincipalId = 'feishu:0'

export const toConversation = (chat: string, topic?: string): ConversationId =>
  topic === undefined ? `feishu:${chat}` : `feishu:${chat}:${topic}`

export const toPrincipal = (openId: string): PrincipalId => `feishu:${openId}`

/** Throws `bad-input` for a conversation of another shape. `topic`: the message that began it. */
export function toAddress(conversation: ConversationId): { readonly chat: string; readonly topic: string | undefined } {
  const { chat, thread } = parseConversation(conversation)
  return { chat, topic: thread }
}

/** What a reply that is shown as a streaming card is known by: its message, and the card that the message shows. */
export const toReceipt = (message: string, card?: string): string =>
  card === undefined ? message : `${message}/${card}`

export function parseReceipt(receipt: string): { readonly message: string; readonly card: string | undefined } {
  const [message = '', card] = receipt.split('/', 2)
  return { message, card }
}

/** How the account of an app is called among those of all platforms. */
export const toAccountName = (appId: string): string => `app-feishu-${appId}`

/** The sign of whoever is connected for this app. */
export const toConnectedSign = (appId: string): string => `connected-feishu-${appId}`
