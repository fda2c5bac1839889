// Whose messages something was made of, wherever they were said.
import { z } from 'zod'
import { conversationId, type ConversationId } from '#shared/chat/conversation.ts'

export const cameOf = z.object({ conversation: conversationId, messages: z.array(z.string()) })
/** Messages, by the ids that they have in their conversation. */
export type CameOf = { readonly conversation: ConversationId; readonly messages: readonly string[] }
