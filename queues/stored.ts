// Reads what Redis returned back into the project's types. What does not fit is corruption, and parks the conversation, visibly; what a newer
// release stored is left to it.
import { chatEvent, type ChatEvent } from '#shared/chat/event.ts'
import { decision, type Decision } from '#shared/chat/decision.ts'
import { draft, type Draft } from '#shared/run/draft.ts'
import { journalEntry, type JournalEntry } from '#shared/run/journal.ts'
import { outBody, type OutBody } from '#shared/run/out-row.ts'
import { question, type Question } from '#shared/run/question.ts'
import { readStored } from '#shared/stored-json.ts'

export const parseEvent = (text: string): ChatEvent => readStored('event', chatEvent, text)
export const parseDecision = (text: string): Decision => readStored('decision', decision, text)
export const parseEntry = (text: string): JournalEntry => readStored('journal entry', journalEntry, text)
export const parseBody = (text: string): OutBody => readStored('outbox row', outBody, text)
export const parseQuestion = (text: string): Question => readStored('question', question, text)

/** What lives for a minute parks nothing: a draft that cannot be read is none. */
export function parseDraft(text: string): Draft | undefined {
  try {
    return readStored('draft', draft, text)
  } catch {
    return undefined
  }
}
