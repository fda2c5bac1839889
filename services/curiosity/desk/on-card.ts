// What a card that steps through questions knows of itself: its question's payload.
import { z } from 'zod'
import { conversationId, principalId } from '#shared/chat/conversation.ts'
import { languages } from '#shared/chat/message.ts'
import { memoryScope } from '#shared/memory/record.ts'

const saved = z.object({
  scope: memoryScope,
  number: z.number(),
  id: z.string(),
  /** It was known before: *Undo* leaves it. */
  had: z.literal(true).exactOptional(),
})
export type Saved = z.infer<typeof saved>

export const onCard = z.object({
  v: z.literal(1),
  card: z.string(),
  principal: principalId,
  language: z.enum(languages),
  /** The first of them is on the card. */
  left: z.array(z.object({ number: z.number(), id: z.string(), key: z.string(), in: conversationId })),
  of: z.number(),
  saved: z.array(saved),
  skipped: z.number(),
  /** An answer that was to be known in the chat, too, could not be kept there. */
  missed: z.literal(true).exactOptional(),
  /** The answer is to be known in the chat, too, where the question arose. */
  forChat: z.boolean(),
  /** Words are waited for. */
  typing: z.boolean(),
})
export type OnCard = z.infer<typeof onCard>
