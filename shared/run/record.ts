// What is kept of an ended turn for those who read later, and what people did with its answer. Written by the unit that ends the turn.
import { z } from 'zod'
import { principalId, type ConversationId } from '#shared/chat/conversation.ts'
import { classification } from '#shared/chat/decision.ts'
import type { Feedback } from './feedback.ts'
import { taint } from '#shared/model/taint.ts'
import { turnEnding } from './journal.ts'

/** Times are those of the executor, ms since 1970. */
const base = { v: z.literal(1), principal: principalId, begunAt: z.number().int(), endedAt: z.number().int() }

/** What a prompt held, part by part: its own parts, and those of features by their names; and how many items of it did not fit. */
export const promptPart = z.object({
  name: z.string(),
  tokens: z.number().int(),
  items: z.number().int().optional(),
  left: z.number().int().optional(),
})
export type PromptPart = z.infer<typeof promptPart>

export const turnRecord = z.object({
  ...base,
  /** Its name, unique in the conversation. */
  turn: z.string(),
  session: z.string(),
  /** Whose answer it stays, when another had it rewritten. */
  asker: principalId.optional(),
  /** Who alone may see what was asked: it was said in private. Whatever is made of it obeys that; the answer was shown to all. */
  for: principalId.exactOptional(),
  /** The shown name of who asked, chosen by its bearer. */
  name: z.string().max(64).exactOptional(),
  /** Others read what is said there. */
  group: z.literal(true).exactOptional(),
  language: z.enum(['zh', 'en']),
  /** What the router said of it. */
  class: classification,
  /** What it did with the answer before it. */
  last: z.enum(['rewrite', 'continue']).optional(),
  /** `set-aside`: it ended its workers again and again. */
  ending: z.union([turnEnding, z.literal('set-aside')]),
  /** The platform's message of the bot that it replied to. */
  repliesTo: z.string().optional(),
  /** What stood before the answer, for people alone: how sure it is, or what failed. */
  mark: z.string().optional(),
  tools: z.array(z.object({ name: z.string(), ok: z.boolean() })),
  /** What features gave to its prompt: whose part, and in a few words why. */
  context: z.array(z.object({ name: z.string(), reason: z.string() })),
  /** Of its last prompt; unknown where the turn ended in another process than it was asked in. */
  held: z.array(promptPart).optional(),
  /** What others wrote that the model had read. */
  taint: taint.optional(),
  /** Messages whose words were asked, where the record came of others, too: of what its prompt was given. At most twenty. */
  own: z.array(z.string()).max(20).exactOptional(),
  model: z.string().optional(),
  /** `cached` of the prompts' tokens came from the endpoint's cache. */
  tokens: z.object({ prompt: z.number(), completion: z.number(), cached: z.number().exactOptional() }),
  /** What people wrote (with `last` the bot's own order, for a button that was pressed), and what was answered: whole, or head and tail where they are long. */
  asked: z.string(),
  answer: z.string(),
})
export type TurnRecord = z.infer<typeof turnRecord>

/** Something begun earlier that a feature ended for a person, outside any turn. */
export const workRecord = z.object({
  ...base,
  /** The step that ended it. */
  work: z.string(),
  /** Whose question, timer or letter it was. */
  feature: z.string(),
  ended: z.enum(['answer', 'expired', 'timer', 'letter']),
  /** The kind of question, timer or letter, as its feature calls it; of an answer the choice. */
  what: z.string(),
  choice: z.string().optional(),
  /** What was said. */
  answer: z.string(),
  /** What may be worth remembering of what it came of; nobody confirmed it. */
  candidates: z.array(z.string()).optional(),
  /** What others wrote that it came of. */
  taint: taint.optional(),
})
export type WorkRecord = z.infer<typeof workRecord>

/** Messages of one or several persons. `edited`: it says something else now. */
export const forgotten = z.object({
  v: z.literal(1),
  messages: z.array(z.string()),
  why: z.enum(['forgotten', 'edited']),
})
export type Forgotten = z.infer<typeof forgotten>

/** What a step adds to the records of its conversation. `about`: platform ids of the messages that it came of. */
export type Recorded =
  | { readonly kind: 'turn'; readonly about: readonly string[]; readonly record: TurnRecord }
  | { readonly kind: 'work'; readonly about: readonly string[]; readonly record: WorkRecord }
  /** On the record of a turn, or on the last one that a message of a person went into. */
  | {
      readonly kind: 'feedback'
      readonly on: { readonly turn: string } | { readonly message: string }
      readonly feedback: Feedback
    }
  /** What was kept of these words goes. */
  | { readonly kind: 'edited'; readonly message: string }

/** The longest text of a record, in bytes of JSON. */
export const mostRecordBytes = 8192

/**
 * `name` is greater than that of each line before it in its partition, and says when it was written, `<ms>-<n>` in Redis' time. `messages`: platform ids
 * of the messages that the record came of, as its conversation calls them; what is made of it goes with them.
 */
export type RecordLine = { readonly name: string; readonly conversation: ConversationId } & (
  | { readonly kind: 'turn'; readonly id: string; readonly record: TurnRecord; readonly messages: readonly string[] }
  | { readonly kind: 'work'; readonly id: string; readonly record: WorkRecord; readonly messages: readonly string[] }
  /** What somebody did with what the record of this id tells. */
  | {
      readonly kind: 'feedback'
      readonly id: string
      readonly feedback: Feedback
      readonly messages: readonly string[]
    }
  /** Messages of people are forgotten or say something else now: what was made of them, and of these records, is to go. */
  | { readonly kind: 'forgotten'; readonly ids: readonly string[]; readonly forgotten: Forgotten }
  /** The conversation is gone, with all that was said in it. */
  | { readonly kind: 'erased' }
)
