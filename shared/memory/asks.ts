// What a question to a person has beside its text, while it waits to be asked.
import { z } from 'zod'
import { conversationId } from '#shared/chat/conversation.ts'

/** `words`: a number, a name, a short phrase. `action`: hands, eyes or rights that the bot has not. `judgement`: taste, fit, mood. */
export const askKinds = ['choice', 'yes-no', 'words', 'action', 'judgement'] as const

export const mostOptions = 4
/** Of an option, and of each sentence beside the question, characters. */
export const mostOptionChars = 60
export const mostSentenceChars = 300

const sentence = z.string().max(mostSentenceChars)
export const asks = z.object({
  kind: z.enum(askKinds),
  options: z.array(z.string().min(1).max(mostOptionChars)).max(mostOptions).readonly(),
  /** Why it is asked, what changes with the answer, and what is assumed without one. */
  why: sentence,
  changes: sentence,
  assumed: sentence,
  /** Its meaning, in normal form: the same for each wording of it. */
  key: z.string().max(200),
  /** Where it arose. */
  in: conversationId,
  session: z.string().max(64),
  /** Others read along there. */
  group: z.boolean(),
  /** Its session waits for a person's answer to another question, which may be the same: it does not wait to be asked until that is over. */
  held: z.literal(true).exactOptional(),
  /** Its person never wants to be asked about it: it stays for its words alone, so that they can take that back. */
  never: z.literal(true).exactOptional(),
  /** How much an answer is worth, 0–1. */
  worth: z.number().min(0).max(1),
  /** The bot's sentence that it is about, where a model found it. */
  said: sentence.exactOptional(),
})
export type Asks = z.infer<typeof asks>
