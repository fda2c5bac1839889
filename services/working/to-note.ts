// What of a turn that ends is kept: rules only, from what was asked and answered. Nothing is kept that could not be forgotten again.
import type { EndedTurn } from '#shared/feature/feature.ts'
import { findFacts } from './find-facts.ts'
import { findQuestions } from './find-questions.ts'
import { findTopic } from './find-topic.ts'
import type { Note } from './slice.ts'

/** A note names all messages that it comes from. A turn of more is a burst or quotes much, and is not noted. */
const mostMessages = 20
const mostIdChars = 600

export function toNote({ about, principal, last, class: found, ending, asked, text }: EndedTurn): Note | undefined {
  const chars = about.reduce((sum, id) => sum + id.length, 0)
  if (about.length === 0 || about.length > mostMessages || chars > mostIdChars) return undefined
  const questions = ending === 'answered' ? findQuestions(text) : []
  // What a button asked for is in the bot's words.
  const facts = last === undefined ? findFacts(asked) : []
  const note: Note = {
    about,
    ...(last === undefined ? findTopic(asked, found) : {}),
    ...(facts.length > 0 ? { facts } : {}),
    ...(questions.length > 0 ? { asks: { who: principal, questions } } : {}),
  }
  return Object.keys(note).length > 1 ? note : undefined
}
