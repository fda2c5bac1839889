// A question as Redis keeps it: its record without the words of people, which units read, and the fields that its answer and its expiry carry
// on, which they put into an event as they are. The payload comes last, so that it can be taken away alone.
import { z } from 'zod'
import type { OutBody } from '#shared/run/out-row.ts'
import { question, type AskedCard, type Question } from '#shared/run/question.ts'
import type { Cancel } from '#shared/run/step.ts'
import { readStored } from '#shared/stored-json.ts'
import { parseQuestion } from '#queues/stored.ts'

/** The record, and `"name":value,...` without braces; in a line behind it the labels of its options, if it has any. */
export function toStoredQuestion({
  payload,
  about,
  from,
  taint,
  labels,
  ...record
}: Question): readonly [string, string] {
  const carried = JSON.stringify({
    about: record.kind,
    card: record.card,
    from,
    messages: about,
    taint,
    // The buttons under answers, of which each message has some, need none.
    asker: record.deadlineMs === undefined ? undefined : record.asker,
    payload,
  }).slice(1, -1)
  return [JSON.stringify(record), labels ? `${carried}\n${JSON.stringify(labels)}` : carried]
}

const carried = z.record(z.string(), z.unknown())
const storedRecord = question.omit({ payload: true })
const storedLabels = z.array(z.string())

/** Throws BotError `store-corrupt` for an unknown shape. */
export function fromStoredQuestion(record: string, rest: string): Question {
  const { payload, messages, from, taint } = readStored('question', carried, `{${rest}}`)
  return parseQuestion(
    JSON.stringify({ ...readStored('question', carried, record), payload, about: messages, from, taint }),
  )
}

/** One that is asked, as words in its conversation may answer it. Throws BotError `store-newer` and `store-corrupt`. */
export function toAskedCard(record: string, labels: string): Pick<AskedCard, 'question' | 'labels'> {
  return {
    question: readStored('question', storedRecord, record),
    labels: readStored('question', storedLabels, labels),
  }
}

/** Ids of the questions whose buttons a message has, each once. */
export function questionsOn(body: OutBody): readonly string[] {
  const buttons = body.kind === 'send' ? (body.buttons?.flat() ?? []) : []
  return [...new Set(buttons.flatMap(({ id }) => id.split('.', 1)))]
}

/** Those that a message shows and that are told how it ended: of the questions `asked` in the same step, ones without a deadline end silently. */
export function toldOf(body: OutBody, asked: readonly Question[] = []): readonly string[] {
  const silent = asked.flatMap(({ id, deadlineMs }) => (deadlineMs === undefined ? [id] : []))
  return questionsOn(body).filter((id) => !silent.includes(id))
}

/** `*`, `#<topic>`, or the person whose questions are called off. */
export const toCancelled = (which: Cancel): string =>
  'all' in which ? '*' : 'topic' in which ? `#${which.topic}` : which.asker
