// What the bot says, before any platform has rendered it: Markdown text and rows of buttons.
import { z } from 'zod'

/** A button carries only an opaque id of 1–64 bytes; what it means lives in Redis. */
export const button = z.object({ id: z.string().min(1).max(64), label: z.string().min(1).max(80) })
export type Button = z.infer<typeof button>

export const languages = ['zh', 'en'] as const
export type Language = (typeof languages)[number]

/** A text in each language the bot speaks. */
export type Localised = Readonly<Record<Language, string>>
