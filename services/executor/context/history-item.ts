// One message of a conversation's history, in the snapshot and in prompts.
import { z } from 'zod'
import { toolCall } from '#shared/run/journal.ts'

export const historyItem = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    text: z.string(),
    name: z.string().optional(),
    messageId: z.string().optional(),
  }),
  z.object({ role: z.literal('assistant'), text: z.string(), toolCalls: z.array(toolCall).optional() }),
  z.object({ role: z.literal('tool'), callId: z.string(), text: z.string() }),
])
export type HistoryItem = z.infer<typeof historyItem>

/** Upper bound of a text's tokens. */
export type Estimate = (text: string) => number
