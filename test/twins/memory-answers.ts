// Answers of the in-memory twin: presses, and words that the router found to be one.
import { toChat, type ConversationId } from '#shared/chat/conversation.ts'
import type { Decision, Ruling } from '#shared/chat/decision.ts'
import type { AnswerEvent, ChatEvent } from '#shared/chat/event.ts'
import type { UnreadWords } from '#shared/chat/of-question.ts'
import type { AskedCards, ResolveResult } from '#queues/questions/questions.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { disarm, expire, isOver } from './memory-questions.ts'
import {
  enqueueAt,
  isThere,
  openConversation,
  questionLivesMs,
  type MemoryConversation,
  type MemoryQuestion,
  type MemoryState,
} from './memory-state.ts'

const mostListed = 20
const mostLooked = 200
const mostLookedBytes = 262_144

export function resolve(
  state: MemoryState,
  { question: id, actor, chat, choice, asAdmin, event }: Parameters<Kernel['resolve']>[0],
): ResolveResult {
  const asked = state.questions.get(id)
  if (!asked?.question.options.includes(choice) || asked.untilMs <= state.nowMs()) return { kind: 'UNKNOWN' }
  if (asked.task && !isThere(state, asked.task)) return { kind: 'UNKNOWN' }
  const { question, conversation, answer } = asked
  const place = { conversation, ...(asked.task ? { task: asked.task } : {}) }
  if (toChat(conversation) !== toChat(chat) || !isAllowed(asked, actor, asAdmin)) return { kind: 'FORBIDDEN' }
  if (asked.task !== undefined && !isThere(state, asked.task)) return { kind: 'UNKNOWN' }
  if (asked.isSpoilt) return { kind: 'STALE', ...place }
  if (answer && answer.event !== event.id) return { kind: 'ALREADY', by: answer.by, choice: answer.choice }
  const won: ResolveResult = { kind: 'WON', question: withoutLabels(question), ...place }
  if (answer) return won
  if (isOver(state, id)) return { kind: 'UNKNOWN' }
  const c = openConversation(state, conversation)
  if (question.until !== undefined && c.rows.has(question.until)) return { kind: 'UNKNOWN' }
  if (isStale(c, asked, { actor })) {
    spoil(state, c, asked, { by: actor, event: event.id })
    return { kind: 'STALE', ...place }
  }
  const kept = win(state, asked, { by: actor, choice, event: event.id })
  const seq = enqueueAt(state, asked.task ?? conversation, { ...event, ...kept })
  if (question.acts === 'stop' && seq > 0)
    openConversation(state, asked.task ?? conversation).stops[question.owner] = seq
  return won
}

/** What holds of an event that is nobody's answer. */
export const toOtherwise = (ruling: Ruling): Decision => (ruling.act === 'answer' ? ruling.otherwise : ruling)

/** What holds of an event: where it is an answer that wins, the answer stands in its place from now on. */
export function say(state: MemoryState, c: MemoryConversation, seq: number, ruling: Ruling): Decision {
  if (ruling.act !== 'answer') return ruling
  const { answer, asAdmin, otherwise, rule } = ruling
  const asked = state.questions.get(answer.question)
  const { choice, principal: actor } = answer
  const isSeen = asked?.askedAtMs !== undefined && seq > (asked.afterSeq ?? 0)
  const isOpen = asked?.conversation === c.id && isSeen && asked.answer === undefined
  if (!asked || !isOpen || !c.events.has(seq)) return otherwise
  const isRemark = asked.question.acts !== undefined
  if (isRemark && (choice !== '' || !asked.question.words)) return otherwise
  const { options, words, loose = 'option' } = asked.question
  const isChoice = options.includes(choice) || (choice === '' && (words === true || loose !== 'option'))
  if (!isChoice || !isAllowed(asked, actor, asAdmin) || isOver(state, answer.question)) return otherwise
  if (isStale(c, asked, { actor, own: seq })) return otherwise
  const kept = isRemark ? toCarried(asked.question) : win(state, asked, { by: actor, choice, event: answer.id })
  const messages = [...(answer.messages ?? []), ...(kept.messages ?? [])]
  const answered = { ...answer, ...kept, ...(messages.length > 0 ? { messages } : {}) }
  if (asked.task) {
    enqueueAt(state, asked.task, answered)
    return { v: 1, act: 'ignore', rule, on: asked.task }
  }
  c.events.set(seq, answered)
  return { v: 1, act: 'apply', rule }
}

export const askedIn = (state: MemoryState, id: ConversationId): readonly MemoryQuestion[] =>
  [...state.questions.values()].filter(
    ({ conversation, askedAtMs, answer }) => conversation === id && askedAtMs !== undefined && !answer,
  )

/** A command that only tells something is no next thing said. */
export function passBy(state: MemoryState, id: ConversationId, seq: number): void {
  const asked = askedIn(state, id)
  if (asked.length > mostListed) return
  for (const one of asked) if (one.afterSeq === seq - 1) one.afterSeq = seq
}

export function findCards(state: MemoryState, c: MemoryConversation, messages: readonly string[]): AskedCards {
  const all = askedIn(state, c.id)
  const isAll = all.length <= mostListed
  const found = isAll ? all : all.filter(({ card = '' }) => messages.includes(card))
  const cards = found.map(({ question, card, receipt, afterSeq = 0, askedAtMs = 0 }) => {
    const { payload: _, about: _2, from: _3, taint: _4, labels = [], ...record } = question
    const known = { ...(card ? { card } : {}), ...(receipt ? { receipt } : {}) }
    return { question: record, labels, ...known, afterSeq, askedAtMs }
  })
  return { cards, isAll }
}

const isAllowed = ({ question: { owner, admins } }: MemoryQuestion, actor: string, asAdmin = false): boolean =>
  owner === '*' || owner === actor || (admins === true && asAdmin)

function isStale(
  c: MemoryConversation,
  asked: MemoryQuestion,
  how: { readonly actor: string; readonly own?: number },
): boolean {
  return asked.question.stales === true && (isMuch(c) || findUnread(c, asked, how) !== undefined)
}

function isMuch({ events }: MemoryConversation): boolean {
  const bytes = [...events.values()].reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0)
  return events.size > mostLooked || bytes > mostLookedBytes
}

function findUnread(
  { events }: MemoryConversation,
  { question, sinceSeq = 0 }: MemoryQuestion,
  { actor, own }: { readonly actor: string; readonly own?: number },
): ChatEvent | undefined {
  const theirs = [actor, question.asker, question.owner]
  return [...events]
    .toSorted(([a], [b]) => a - b)
    .findLast(([seq, event]) => seq > sinceSeq && seq !== own && isSaid(event) && theirs.includes(event.principal))?.[1]
}

/** It ends, and who presses it is told so for as long as of an answered one. */
function spoil(
  state: MemoryState,
  c: MemoryConversation,
  asked: MemoryQuestion,
  { by, event }: { readonly by: string; readonly event: string },
): void {
  const { id } = asked.question
  const words = isMuch(c) ? undefined : findUnread(c, asked, { actor: by })
  if (!expire(state, id, 'stale', words ? { unread: toUnread(words) } : {})) return
  const answer = { by, choice: '', event }
  const untilMs = state.nowMs() + questionLivesMs
  state.questions.set(id, { ...asked, question: { ...asked.question, payload: '' }, untilMs, answer, isSpoilt: true })
}

function toUnread({ id, principal: by, ...event }: ChatEvent): UnreadWords {
  const kind = event.kind === 'edit' || event.kind === 'answer' ? event.kind : 'message'
  const message = event.kind === 'answer' ? event.messages?.[0] : 'messageId' in event ? event.messageId : undefined
  return { event: id, by, kind, ...(message === undefined ? {} : { message }) }
}

const isSaid = (event: ChatEvent): boolean =>
  event.kind === 'message' || event.kind === 'edit' || (event.kind === 'answer' && event.said === true)

/** What the answer carries of its question. */
type Carried = Pick<AnswerEvent, 'payload' | 'about' | 'card' | 'from' | 'messages' | 'taint' | 'asker'>

function win(state: MemoryState, asked: MemoryQuestion, answer: NonNullable<MemoryQuestion['answer']>): Carried {
  const { question, conversation } = asked
  const { id, deadlineMs } = question
  const carried = toCarried(question)
  asked.answer = answer
  asked.question = { ...question, payload: '' }
  disarm(state, conversation, `q.${id}`)
  if (deadlineMs !== undefined) asked.untilMs = state.nowMs() + questionLivesMs
  return carried
}

/** What its answer tells of it. */
function toCarried(question: MemoryQuestion['question']): Carried {
  const { payload, kind: about, card, from, about: messages, taint, asker, deadlineMs } = question
  const known = { ...(from ? { from } : {}), ...(messages ? { messages } : {}), ...(taint ? { taint } : {}) }
  const whose = deadlineMs !== undefined && asker ? { asker } : {}
  return { payload, about, ...(card ? { card } : {}), ...known, ...whose }
}

function withoutLabels(question: MemoryQuestion['question']): MemoryQuestion['question'] {
  const { labels: _, ...rest } = question
  return rest
}
