// What of an ended turn is known: rules only, from what was asked and answered.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { findFacts } from './find-facts.ts'
import { findQuestions } from './find-questions.ts'
import { findTopic } from './find-topic.ts'

export type EndedTurn = {
  readonly record: Pick<
    TurnRecord,
    'principal' | 'for' | 'begunAt' | 'endedAt' | 'tokens' | 'last' | 'class' | 'ending' | 'asked' | 'answer'
  >
  /** Platform ids of the messages that it came of. */
  readonly about: readonly string[]
}

export type Note = {
  readonly about: readonly string[]
  /** Work that was asked for. */
  readonly goal?: string
  /** What else was asked. */
  readonly topic?: string
  readonly facts?: readonly string[]
  /** What the bot asked whom at the end of its answer: until that person's next turn. */
  readonly asks?: { readonly who: PrincipalId; readonly questions: readonly string[] }
}

export function toNote({ about, record }: EndedTurn): Note | undefined {
  const { principal, last, class: found, ending, answer } = record
  // What somebody said in private is in no document.
  const asked = record.for === undefined ? record.asked : ''
  const questions = ending === 'answered' ? findQuestions(answer) : []
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
