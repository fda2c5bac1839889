// What the events that end a question carry of it, and what people said that ended it.
import { z } from 'zod'
import { taint } from '#shared/model/taint.ts'
import { conversationId, principalId } from './conversation.ts'

/** What a question hands on to its answer and to its end. */
export const ofQuestion = {
  /** The conversation that had it asked, where that is another one. */
  from: conversationId.optional(),
  /** Platform ids of messages: what the question was about, and what was said; none where they are left out. */
  messages: z.array(z.string()).optional(),
  /** Of the turn that asked it. */
  taint: taint.optional(),
  /** For whom a question with a deadline was asked. */
  asker: principalId.optional(),
  /** The outbox row that shows it, and the platform's message, where that is known: of a press as it told it. */
  card: z.string().optional(),
  messageId: z.string().max(64).optional(),
}

/** Words that the bot had not read when somebody pressed: their event, who said them, and the message, where its platform names it. */
export const unreadWords = z.object({
  event: z.string(),
  by: principalId,
  kind: z.enum(['message', 'edit', 'answer']),
  message: z.string().optional(),
})
export type UnreadWords = z.infer<typeof unreadWords>
