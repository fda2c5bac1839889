// What a question of the model's keeps until it ends: all that its card, its answer and its end need, also in the direct chat that it goes to.
import { z } from 'zod'
import { principalId } from '#shared/chat/conversation.ts'
import { urgency } from '#shared/run/question.ts'

export const mostOptions = 6
export const longest = { question: 600, why: 300, otherwise: 300, label: 64, side: 100, task: 300 }
export const expectations = ['text', 'number', 'date', 'yes-no'] as const

export const kept = z.object({
  v: z.literal(1),
  /** Its name in the conversation that asks: `q7`. */
  id: z.string(),
  kind: z.enum(['choice', 'knowledge', 'action']),
  question: z.string(),
  options: z.array(z.object({ label: z.string(), pros: z.string().exactOptional(), cons: z.string().exactOptional() })),
  expects: z.enum(expectations),
  why: z.string(),
  otherwise: z.string(),
  urgency,
  deadlineMs: z.number(),
  /** When it was raised, ms. */
  at: z.number(),
  for: principalId,
  to: z.union([principalId, z.literal('*')]),
  admins: z.boolean(),
  /** Of those who read the deadline. */
  zone: z.string(),
  task: z.string(),
  /** How the person is called, where others see the card. */
  name: z.string().exactOptional(),
  /** How who asked the bot is called there, where that is somebody else. */
  asker: z.string().exactOptional(),
  /** It was asked already, and answered by what fits nothing. */
  again: z.literal(true).exactOptional(),
})
export type Kept = z.infer<typeof kept>
export const readKept = (payload: string): Kept => kept.parse(JSON.parse(payload))

/** How a private question ended, for the conversation that had it asked. */
export const ended = z.object({
  id: z.string(),
  how: z.enum(['answer', 'decide', 'nobody']),
  words: z.string(),
  question: z.string(),
  otherwise: z.string(),
  task: z.string(),
})
export type Ended = z.infer<typeof ended>
/** The longest payload of a letter and of a timer, with some room. In bytes. */
export const mostLetterBytes = 8000
