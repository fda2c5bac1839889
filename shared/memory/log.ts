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

/** Entries stay for 30 days, 2,000 of a conversation. All is safe to repeat, and throws BotError `store-unavailable` where Redis is away. */
export type MemoryLog = {
  /** The same entry again changes nothing. It is not kept where one of its messages is forgotten. */
  add(conversation: ConversationId, entry: LogEntry): Promise<void>
  /** Those that began from `from` on and before `until`, ms since 1970; the oldest first, of more than `most` the newest. */
  read(
    conversation: ConversationId,
    span: { readonly from: number; readonly until: number; readonly most: number },
  ): Promise<readonly LogEntry[]>
}
