// A file as metadata only: nothing is downloaded. Of a photo's sizes the largest stands last.
import { z } from 'zod'
import type { Media } from '#shared/chat/quotation.ts'

const file = z.object({
  file_size: z.number().int().optional().catch(undefined),
  file_name: z.string().optional().catch(undefined),
})

export function describe(kind: string, given: unknown): Media {
  const { file_name: name, file_size: bytes } = file.safeParse(Array.isArray(given) ? given.at(-1) : given).data ?? {}
  return {
    kind,
    ...(name === undefined ? {} : { name: name.toWellFormed().slice(0, 200) }),
    ...(bytes === undefined ? {} : { bytes }),
  }
}
