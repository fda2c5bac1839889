// The day's log of a conversation: one entry for each exchange.
import { z } from 'zod'
import type { ConversationId } from '#shared/chat/conversation.ts'

export const logEntry = z.object({
  v: z.literal(1),
  /** The turn's name. */
  id: z.string(),
  /** When it began, ms since 1970. */
  at: z.number().int(),
  /** The shown name of who asked, where it is known. */
  name: z.string().max(64).exactOptional(),
  /** What was asked and answered: their beginnings. */
  asked: z.string(),
  answered: z.string(),
  /** Tools in the order of their calls, each with whether it worked. */
  tools: z.array(z.object({ name: z.string(), ok: z.boolean() })),
  /** From its begin to its end. */
  tookMs: z.number().int(),
  /** The name of the session that it stood in, and how its turn ended. */
  session: z.string().exactOptional(),
  ending: z.string().exactOptional(),
  /** Platform ids of the messages that it came of: it goes with each of them. */
  messages: z.array(z.string()),
})
export type LogEntry = z.infer<typeof logEntry>

/** What is left of a day once its entries are gone: one line, by rules. */
export const dayLine = z.object({
  v: z.literal(1),
  /** `YYYY-MM-DD`, in the zone of the fleet. */
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  exchanges: z.number().int(),
  /** The most telling words of what was asked; none where it came of more messages than are named. */
  topics: z.array(z.string().max(40)).max(8),
  /** Names of tools that were called. */
  tools: z.array(z.string()).max(10),
  /** Platform ids of the messages that the topics came of: it goes with each of them. */
  messages: z.array(z.string()),
})
export type DayLine = z.infer<typeof dayLine>

/** Entries stay for 30 days, 2,000 of a conversation. All is safe to repeat, and throws BotError `store-unavailable` where Redis is away. */
export type MemoryLog = {
  /** The same entry again changes nothing. It is not kept where one of its messages is forgotten. */
  add(conversation: ConversationId, entry: LogEntry): Promise<void>
  /** Those that began from `from` on and before `until`, ms since 1970; the oldest first, of more than `most` the newest. */
  read(
    conversation: ConversationId,
    span: { readonly from: number; readonly until: number; readonly most: number },
  ): Promise<readonly LogEntry[]>
  /** Lines of days stay for 400 days, one a day. False where one of its messages is forgotten: then it is not kept. */
  addDay(conversation: ConversationId, line: DayLine): Promise<boolean>
  /** Those of these days, the first and the last one among them; the oldest first. */
  readDays(
    conversation: ConversationId,
    span: { readonly from: string; readonly until: string },
  ): Promise<readonly DayLine[]>
  dropDays(conversation: ConversationId, days: readonly string[]): Promise<void>
}
