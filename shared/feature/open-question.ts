// A question that is open in a conversation, as features see it: one that is shown, or waits to be.
import type { Question, Urgency } from '#shared/run/question.ts'

export type OpenQuestion = {
  /** `<feature>.<kind>`. */
  readonly kind: string
  /** What its feature calls it (`listed` of its effect). */
  readonly key?: string
  /** What it asks, in a few words; empty once that is forgotten. */
  readonly text: string
  /** Who may answer; `*`: anyone here. */
  readonly to: Question['owner']
  readonly urgency: Urgency
  /** Platform ids of the messages that it comes of. */
  readonly about: readonly string[]
  /** It guards something, as an approval does: a question may stand beside it. */
  readonly guards?: true
  /** Until when, ms since 1970, to within the time that its card took; one that waits to be shown has none. */
  readonly dueMs?: number
}
