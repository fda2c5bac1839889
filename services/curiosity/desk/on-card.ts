// What a card that steps through what waits for a person knows of itself: its question's payload.
import { z } from 'zod'
import { principalId } from '#shared/chat/conversation.ts'
import { languages } from '#shared/chat/message.ts'
import { ref, saved } from '#shared/desk/source.ts'

/** `source`: its name; `key`: a hash of its meaning, by which the book knows it. */
const left = ref.extend({ source: z.string(), key: z.string() })
export type Left = z.infer<typeof left>

export const onCard = z.object({
  v: z.literal(1),
  card: z.string(),
  principal: principalId,
  language: z.enum(languages),
  /** The first of them is on the card. */
  left: z.array(left),
  of: z.number(),
  saved: z.array(saved),
  skipped: z.number(),
  /** They are never to be asked about again. */
  never: z.number(),
  /** The person wanted so many not kept. */
  declined: z.number(),
  /** An answer that was to be known in the chat, too, could not be kept there. */
  missed: z.literal(true).exactOptional(),
  /** The answer is to be known in the chat, too, where the question arose. */
  forChat: z.boolean(),
  /** Words are waited for. */
  typing: z.boolean(),
})
export type OnCard = z.infer<typeof onCard>
