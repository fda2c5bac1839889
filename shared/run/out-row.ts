// One row of the outbox: something to be delivered to a conversation, in order, ending `sent | failed | unknown | expired`.
import { z } from 'zod'
import { button, languages } from '#shared/chat/message.ts'

const base = {
  v: z.literal(1),
  /** Ids of the events this row answers; every event of a person is named by some row, or was ignored. */
  answers: z.array(z.string()),
  language: z.enum(languages),
}
export const outBody = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('send'),
    text: z.string().min(1),
    buttons: z.array(z.array(button)).optional(),
    /** The platform message this one replies to, in groups. */
    replyTo: z.string().optional(),
    /** The row whose message this one replaces by an edit, if that was delivered; else it is sent anew. */
    replaces: z.string().optional(),
    /** The beginning of a reply that is still being written: it answers nothing, and nobody is told when it does not arrive. */
    partial: z.literal(true).optional(),
  }),
  z.object({ ...base, kind: z.literal('react'), messageId: z.string(), emoji: z.string() }),
  /** Tells that row `about` may not have arrived, or did not; `button` shows it again. */
  z.object({
    ...base,
    kind: z.literal('notice'),
    about: z.string(),
    outcome: z.enum(['unknown', 'failed', 'expired']),
    question: z.string(),
  }),
])
export type OutBody = z.infer<typeof outBody>

/** The row of a turn's reply, and that of its beginning, if it was shown while it grew. */
export const toEndRow = (turn: string): string => `${turn}-end`
export const toFirstRow = (turn: string): string => `${turn}-first`

export type OutRow = {
  /** Unique in its conversation and the same after a crash: it is derived from the step that made it. */
  readonly id: string
  readonly body: OutBody
  /** A row not begun within this time ends `expired`. */
  readonly expiresInMs: number
}
