// What somebody did with an answer later. It names people and emoji, and holds no words.
import { z } from 'zod'
import { principalId } from '#shared/chat/conversation.ts'

export const feedback = z.object({
  v: z.literal(1),
  /**
   * `redo`, `edit`, `shorter`, `longer`, `continue`; `reaction`: its emoji is the value, none when it was taken back. Features add theirs, such
   * as `complaint`, or `thumb` with `up` or `down`.
   */
  what: z.string().max(40),
  by: principalId,
  value: z.string().max(200).optional(),
})
export type Feedback = z.infer<typeof feedback>
