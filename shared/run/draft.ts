// A reply while it is written: the latest text wins, and nothing of it is journaled.
import { z } from 'zod'
import { principalId } from '#shared/chat/conversation.ts'
import { languages } from '#shared/chat/message.ts'

export const draft = z.object({
  turn: z.string(),
  text: z.string(),
  /** How many answers of the model the turn had when this one began; left out of what is only shown. */
  step: z.number().int().optional(),
  /** For the message that the draft may become: what it answers, in which language, and who may stop it; without that it becomes none. */
  replyTo: z.string().optional(),
  language: z.enum(languages).optional(),
  principal: principalId.optional(),
  /** People beside the one who asked see it too. */
  group: z.boolean().optional(),
  /** The message that it answers, in a direct chat too: below that may stand that it is being written. */
  asks: z.string().max(64).optional(),
  /** The last message that the turn began with: what was said after that waits. */
  follows: z.string().max(64).optional(),
  /** What the message of this row, a turn's plan, says by now. */
  plan: z.object({ row: z.string(), text: z.string() }).optional(),
})
export type Draft = z.infer<typeof draft>
