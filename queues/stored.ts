// Reads what Redis returned back into the project's types. What does not fit is corruption: the conversation is parked, visibly.
import type { z } from 'zod'
import { chatEvent, type ChatEvent } from '#shared/chat/event.ts'
import { decision, type Decision } from '#shared/chat/decision.ts'
import { BotError } from '#shared/errors.ts'
import { draft, type Draft } from '#shared/run/draft.ts'
import { journalEntry, type JournalEntry } from '#shared/run/journal.ts'
import { outBody, type OutBody } from '#shared/run/out-row.ts'
import { question, type Question } from '#shared/run/question.ts'

export const parseEvent = (text: string): ChatEvent => parse('event', chatEvent, text)
export const parseDecision = (text: string): Decision => parse('decision', decision, text)
export const parseEntry = (text: string): JournalEntry => parse('journal entry', journalEntry, text)
export const parseBody = (text: string): OutBody => parse('outbox row', outBody, text)
export const parseQuestion = (text: string): Question => parse('question', question, text)

/** What lives for a minute parks nothing: a draft that cannot be read is none. */
export function parseDraft(text: string): Draft | undefined {
  try {
    return parse('draft', draft, text)
  } catch {
    return undefined
  }
}

function parse<T>(what: string, schema: z.ZodType<T>, text: string): T {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new BotError('store-corrupt', `CORRUPT A stored ${what} is not JSON.`, { cause })
  }
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const where = result.error.issues[0]?.path.join('.') || 'v'
  throw new BotError('store-corrupt', `CORRUPT A stored ${what} has an unknown shape or version at "${where}".`)
}
