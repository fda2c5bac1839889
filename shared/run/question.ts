// A question waits for a person: one record, one winner. The button carries `<id>.<option>`; all else is in Redis.
import { z } from 'zod'
import { principalId } from '#shared/chat/conversation.ts'

export const questionKinds = ['redo', 'show-again'] as const
export type QuestionKind = (typeof questionKinds)[number]

/** `id` is `pNN-` and 22 random characters, so that any process finds its partition; `owner` `*` lets anyone in the chat answer. */
export const question = z.object({
  v: z.literal(1),
  id: z.string().regex(/^p\d\d-[a-z0-9]{22}$/),
  kind: z.enum(questionKinds),
  owner: z.union([principalId, z.literal('*')]),
  options: z.array(z.string().max(32)).min(1),
  /** What the answer needs, for example the corrected text of a redo. */
  payload: z.string(),
})
export type Question = z.infer<typeof question>
