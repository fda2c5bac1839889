// What people answered on cards, as it is told to them: which question an answer of the bot's rests on, and what a day's log has of it.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import { ofChat, ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { findGiven } from './life.ts'
import { cameOf, toDay, toShown } from './words.ts'

export type Answered = MemoryRecord & { readonly answers: NonNullable<MemoryRecord['answers']> }

export const isAnswered = (record: MemoryRecord): record is Answered => record.answers !== undefined

/** What was answered, without the question; all of the text where somebody has put it otherwise since. */
export const toAnswer = ({ text, answers: { question } }: Answered): string =>
  text.startsWith(`${question} — `) ? text.slice(question.length + 3) : text

/** `asked 2026-03-01, answered 2026-03-02` */
export function tellWhen({ answers, saidAt }: Answered, language: Language, zone: string): string {
  const [asked, answered] = [toDay(answers.askedAt, zone), toDay(saidAt, zone)]
  return language === 'zh' ? `${asked} 问的，${answered} 答的` : `asked ${asked}, answered ${answered}`
}

type Given = {
  readonly record: Pick<TurnRecord, 'principal' | 'group' | 'context'>
  readonly conversation: ConversationId
  readonly language: Language
  readonly zone: string
}

/**
 * The questions that an answer of the bot's rests on: of the records that it was given, those that somebody answered. A line each. What is kept for a
 * person is told where nobody else reads.
 */
export async function tellAnswers(
  memory: Pick<MemoryStore, 'find'>,
  { record, conversation, language, zone }: Given,
): Promise<{ readonly lines: readonly string[]; readonly cameOf: readonly CameOf[] }> {
  const given = [...findGiven(record, conversation)].filter(
    ([scope]) => !record.group || scope === ofChat(conversation),
  )
  const found = await Promise.all(given.map(async ([scope, numbers]) => await memory.find(scope, numbers)))
  const answered = found.flat().filter(isAnswered)
  const lines = answered.map((one) => {
    const question = toShown(one.answers.question)
    const when = tellWhen(one, language, zone)
    return language === 'zh'
      ? `第 ${one.number} 条是对我这个问题的回答：“${question}”（${when}）`
      : `number ${one.number} is what was answered to my question “${question}” (${when})`
  })
  return { lines, cameOf: cameOf(answered) }
}

type Place = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  readonly group: boolean
}

/** What was answered on a card here; in a group what its people said they answer for it, too. */
export async function findAnswered(
  memory: Pick<MemoryStore, 'read'>,
  { conversation, principal, group }: Place,
): Promise<readonly Answered[]> {
  const read = await memory.read(group ? ofChat(conversation) : ofPerson(principal))
  const all = read === 'same' ? [] : read.records.filter(isAnswered)
  return all.filter(({ answers, from }) =>
    group ? from.some((one) => one.conversation === conversation) : answers.in === conversation,
  )
}
