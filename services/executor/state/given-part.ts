// What a feature added to a turn's prompt, as it is stored with the turn.
import { z } from 'zod'
import { source } from '#shared/model/source.ts'
import { taint } from '#shared/model/taint.ts'

export const givenPart = z.object({
  name: z.string(),
  source,
  text: z.string(),
  reason: z.string(),
  /** What others wrote that it was made of. */
  taint: taint.exactOptional(),
  /** The messages that it was made of, by the names that they have here. */
  about: z.array(z.string()).exactOptional(),
})
export type GivenPart = z.infer<typeof givenPart>
