// What a record has that was settled on purpose: a decision, a constraint, a reusable pattern or a metric (seed 002 §12). Of one topic one of a kind holds.
import { z } from 'zod'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

export const mostTopicChars = 80
export const mostTags = 8
export const mostTagChars = 40
/** Of why it was settled, and of where it holds. */
export const mostReasonChars = 500

export const anchor = z.object({
  topic: z.string().min(1).max(mostTopicChars),
  tags: z.array(z.string().min(1).max(mostTagChars)).max(mostTags),
  context: z.string().max(mostReasonChars).exactOptional(),
  why: z.string().max(mostReasonChars).exactOptional(),
  /** The last day on which it holds, `YYYY-MM-DD`. */
  until: day.exactOptional(),
  /** The day on which somebody last saw that it still holds, `YYYY-MM-DD`. */
  validated: day.exactOptional(),
})
export type Anchor = z.infer<typeof anchor>

export const anchorKinds = ['decision', 'constraint', 'pattern', 'metric'] as const
export type AnchorKind = (typeof anchorKinds)[number]
