// The shape of what a model says of ended turns: what their task needed, what of it is known, what a look-up could find, and what only a person can tell.
// Every text and every list has a bound, since the answer is as untrusted as the turns.
import { z } from 'zod'
import { askKinds, mostOptionChars, mostOptions } from '#shared/memory/asks.ts'

const mostAskChars = 240
const mostQuoteChars = 400
const mostReasonChars = 240
const mostAnswerChars = 120
const mostKeyChars = 80
const mostMatters = 12
const mostMatterChars = 160
/** A list that is longer is no answer. Of a shorter one the first ten count. */
const mostListed = 100

const line = (most: number) => z.string().trim().min(1).max(most)
const matters = z.array(line(mostMatterChars)).max(mostMatters).default([])

const proposed = z.object({
  question: line(mostAskChars).describe('one question in one sentence that is understood without the conversation'),
  to: line(100).describe('a name from "people"'),
  kind: z.enum(askKinds),
  options: z.array(line(mostOptionChars)).max(mostOptions).default([]).describe('of a choice: what can be chosen'),
  quote: line(mostQuoteChars).describe('the sentence of the bot that rests on the unknown, word for word'),
  why: line(mostReasonChars).describe('why it is asked'),
  assumed: line(mostReasonChars).describe('what is taken to be so while nobody answers'),
  answers: z
    .array(
      z.object({
        answer: line(mostAnswerChars),
        changes: line(mostReasonChars).describe('the reply that it leads to'),
      }),
    )
    .length(2)
    .describe('two plausible answers'),
  key: line(mostKeyChars).describe('two to five English words for the meaning: the matter, and what of it is asked'),
})
export type Proposed = z.infer<typeof proposed>

export const readingSchema = z.object({
  needed: matters.describe('what the task needed to be known'),
  known: matters.describe('what of that is known'),
  findable: matters.describe('what of the rest a search, a tool or a shared file would find'),
  ask: z.array(proposed).max(mostListed).default([]).describe('what is left: only a person can tell it'),
})
export type Reading = z.infer<typeof readingSchema>
