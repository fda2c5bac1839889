// An entry as engines keep it: one text of JSON, which any text survives, half a sign as well.
import { z } from 'zod'
import type { Entry } from '#shared/memory/entry.ts'
import { memoryKinds } from '#shared/memory/record.ts'

const storedEntry = z.object({
  scope: z.string(),
  id: z.string(),
  kind: z.enum([...memoryKinds, 'episode']),
  text: z.string(),
  speaker: z.string().exactOptional(),
  atMs: z.number(),
  session: z.string().exactOptional(),
  ordinal: z.number().exactOptional(),
  firm: z.boolean().exactOptional(),
  unfit: z.number().int().positive().exactOptional(),
})

/** Throws for what is no entry of this release. */
export const parseEntry = (text: string): Entry => storedEntry.parse(JSON.parse(text))
