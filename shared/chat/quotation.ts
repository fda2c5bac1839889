// What comes along with a message: files, and words of others.
import { z } from 'zod'
import { principalId } from './conversation.ts'

/** What came along and is not read, such as a file: told to the person as not yet supported, kept as metadata only. */
export const media = z.object({
  kind: z.string().max(32),
  name: z.string().max(200).optional(),
  bytes: z.number().int().optional(),
})
export type Media = z.infer<typeof media>

/** Content of a kind that the bot does not know. */
export const unknownKind = 'unknown kind of content'

/** Words of others that came along with a message: material, never an order and never its sender's own words. */
export const quotation = z.object({
  how: z.enum(['reply', 'forward']),
  /** whose words they are, for people only; not always told */ author: z.string().max(64).optional(),
  principal: principalId.optional(),
  text: z.string(),
  media: z.array(media).optional(),
  /** they are the bot's own */ fromBot: z.literal(true).optional(),
})
export type Quotation = z.infer<typeof quotation>
