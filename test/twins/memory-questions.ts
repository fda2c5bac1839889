// Questions and timers of the in-memory twin: what is asked, when it ends, what fires.
import type { Address } from '#shared/chat/address.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ExpiredEvent } from '#shared/chat/event.ts'
import type { Fired } from '#queues/questions/questions.ts'
import { toPartition } from '#queues/partition.ts'
import { BotError } from '#shared/errors.ts'
import { toStoredQuestion } from '#queues/questions/stored-question.ts'
import type { Question } from '#shared/run/question.ts'
import type { Append, Cancel } from '#shared/run/step.ts'
import { giveOut } from './memory-letters.ts'
import {
  enqueue,
  enqueueAt,
  openConversation,
  questionLivesMs,
  sizeOf,
  type MemoryConversation,
  type MemoryState,
  type MemoryQuestion,
  type MemoryTimer,
} from './memory-state.ts'

const longestOpenMs = 60 * 86_400_000
const closedMs = 3_600_000
const awayMs = 300 * 86_400_000
const mostTimers = 1000
const mostTimerBytes = 2 * 1024 * 1024
const mostWithQuestions = 900
const mostKeptBytes = 4_194_304
const smallBytes = 4096
const mostFired = 100

export function expectRoom(state: MemoryState, c: MemoryConversation, step: Append): void {
  const all = timersOf(state, c)
  const held = new Set(all.map(({ name }) => name))
  const armed = (step.timers ?? []).filter(({ name }) => name !== 'session')
  const before = all.filter(({ name }) => armed.some((one) => one.name === name))
  const more = sizeOf(armed.map(({ event }) => event)) - sizeOf(before.map(({ fires }) => fires))
  if (more > 0 && held.size >= 64 && sizeOf(all.map(({ fires }) => fires)) + more > mostTimerBytes)
    throw new BotError('internal', `The timers of a conversation may not say more than ${mostTimerBytes} bytes.`)
  const added = armed.filter(({ name }) => !held.has(name)).length
  if (added > 0 && held.size + added > mostTimers)
    throw new BotError('internal', `No conversation may have more than ${mostTimers} timers.`)
}

export function arm(state: MemoryState, timer: MemoryTimer): void {
  state.timers.set(toKey(timer.conversation, timer.name), timer)
}

export const timersOf = (state: MemoryState, { id }: MemoryConversation): readonly MemoryTimer[] =>
  [...state.timers.values()].filter(({ conversation }) => conversation === id)

export const disarm = (state: MemoryState, conversation: ConversationId, name: string): unknown =>
  state.timers.delete(toKey(conversation, name))

const toKey = (conversation: string, name: string): string => `${conversation} ${name}`

export function ask(state: MemoryState, c: MemoryConversation, question: Question, task?: Address): void {
  const atMs = state.nowMs()
  c.touchedAtMs = atMs
  // One whose time is over is no more, and is asked anew by a step that is no longer known to be a repeat.
  if ((state.questions.get(question.id)?.untilMs ?? 0) > atMs) return
  let former: MemoryQuestion | undefined
  for (const other of state.questions.values()) {
    const isBefore =
      question.topic !== undefined && other.conversation === c.id && other.question.topic === question.topic
    if (!isBefore) continue
    const isLook = isOpen(other) && takesRemarks(question) && takesRemarks(other.question)
    if (isLook && other.askedAtMs !== undefined) former = other
    if (isLook) {
      disarm(state, c.id, `q.${other.question.id}`)
      state.questions.set(other.question.id, toOldLook(other, atMs))
    } else if (!isOpen(other) || !expire(state, other.question.id, 'replaced'))
      other.untilMs = Math.min(other.untilMs, other.answer ? atMs + closedMs : atMs)
  }
  const isTold = question.deadlineMs !== undefined && question.asker !== undefined
  const livesMs = isTold ? longestOpenMs + awayMs : Math.min(question.livesMs ?? questionLivesMs, questionLivesMs)
  const asked = {
    question,
    conversation: c.id,
    untilMs: atMs + livesMs,
    receipt: '',
    ...(former && isTold ? toSeen(former) : {}),
    ...(task ? { task } : {}),
    ...(isTold ? { sinceSeq: c.seq } : {}),
  }
  state.questions.set(question.id, asked)
  if (isTold) makeRoom(state, c, question)
  if (isTold)
    arm(state, {
      conversation: c.id,
      name: `q.${question.id}`,
      dueMs: atMs + Math.min(longestOpenMs, former ? (question.deadlineMs ?? longestOpenMs) : longestOpenMs),
      fires: question.id,
    })
}

/** Words are a remark to it: a new look of its card is asked on its topic, and who sees the old one may go on replying to it. */
const takesRemarks = ({ acts, words }: Pick<Question, 'acts' | 'words'>): boolean =>
  acts !== undefined && words === true

/** Who presses it has pressed; nothing else knows it any more. */
function toOldLook(asked: MemoryQuestion, atMs: number): MemoryQuestion {
  const { card: _card, askedAtMs: _at, ...other } = asked
  const { deadlineMs: _deadline, asker: _asker, topic: _topic, ...question } = other.question
  return { ...other, question, untilMs: Math.min(other.untilMs, atMs + closedMs) }
}

const toSeen = ({ receipt, card, askedAtMs, afterSeq }: MemoryQuestion) => ({
  receipt,
  ...(card === undefined ? {} : { card }),
  ...(askedAtMs === undefined ? {} : { askedAtMs }),
  ...(afterSeq === undefined ? {} : { afterSeq }),
})

/** Questions that would be the first to expire, of this asker before others', make room for the one that is asked. */
function makeRoom(state: MemoryState, c: MemoryConversation, question: Question): void {
  const timers = timersOf(state, c)
  const isFull = timers.length >= mostWithQuestions
  let kept = keptBytes(question)
  if (!isFull && kept <= smallBytes) return
  const open = timers
    .flatMap(({ dueMs, fires, name }) => {
      const other = typeof fires === 'string' ? state.questions.get(fires)?.question : undefined
      return other ? [{ dueMs, name, other, isOwn: other.asker === question.asker }] : []
    })
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.dueMs - b.dueMs || (a.name < b.name ? -1 : 1))
  if (!isFull) kept += open.reduce((sum, { other }) => sum + keptBytes(other), 0)
  if (!isFull && kept <= mostKeptBytes) return
  for (const [i, { other }] of open.entries()) {
    if (i > 0 && kept <= mostKeptBytes) return
    expire(state, other.id, 'replaced')
    if (!isFull) kept -= keptBytes(other)
  }
}

const keptBytes = (question: Question): number =>
  Buffer.byteLength(toStoredQuestion(question)[1].split('\n', 1)[0] ?? '')

const isOpen = (asked: { answer?: unknown }): boolean => !asked.answer

/** What became of a message, for the questions whose buttons it has. Whether one ended for it. */
export function settleAsked(
  state: MemoryState,
  {
    asks,
    end,
    receipt,
    row = '',
  }: {
    readonly asks: readonly string[]
    readonly end: string
    readonly receipt: string
    /** In a stream, where a message is known by its row. */
    readonly row?: string
  },
): boolean {
  let isDead = false
  for (const id of asks) {
    const asked = state.questions.get(id)
    if (!asked || !isOpen(asked) || asked.question.deadlineMs === undefined) continue
    if (end === 'sent' || end === 'unknown') markAsked(state, id, { receipt, row })
    else if (asked.askedAtMs === undefined) isDead = expire(state, id, 'unsent') || isDead
  }
  return isDead
}

function markAsked(state: MemoryState, id: string, { receipt, row }: { receipt: string; row: string }): void {
  const asked = state.questions.get(id)
  const timer = asked && state.timers.get(toKey(asked.conversation, `q.${id}`))
  if (!asked || !timer) return
  const wasKnown = asked.receipt !== ''
  if (receipt !== '') asked.receipt = receipt
  asked.card = receipt || row || asked.card || ''
  for (const other of state.questions.values())
    if (other !== asked && other.conversation === asked.conversation && other.card === asked.card) other.card = ''
  const isNew = asked.askedAtMs === undefined
  if (!isNew && (receipt === '' || wasKnown)) return
  asked.askedAtMs = state.nowMs()
  asked.afterSeq = openConversation(state, asked.conversation).seq
  if (!isNew) return
  arm(state, { ...timer, dueMs: Math.min(timer.dueMs, asked.askedAtMs + (asked.question.deadlineMs ?? 0)) })
}

/** Whether its deadline has passed, and nobody has seen to it yet. */
export function isOver(state: MemoryState, id: string): boolean {
  const timer = state.timers.get(toKey(state.questions.get(id)?.conversation ?? '', `q.${id}`))
  return timer !== undefined && timer.dueMs <= state.nowMs()
}

/** Ends an open question that has a deadline, and tells its conversation. */
export function expire(
  state: MemoryState,
  id: string,
  why: ExpiredEvent['why'],
  more: Pick<ExpiredEvent, 'unread'> = {},
): boolean {
  const asked = state.questions.get(id)
  const { question, conversation } = asked ?? {}
  if (!asked || !question?.asker || conversation === undefined || !isOpen(asked)) return false
  if (question.deadlineMs === undefined) return false
  state.questions.delete(id)
  disarm(state, conversation, `q.${id}`)
  const { payload, kind: about, card, from, about: messages, taint, asker } = question
  enqueueAt(state, asked.task ?? conversation, {
    v: why === 'stale' ? 2 : 1,
    kind: 'expired',
    id: `${id}.${why}`,
    at: state.nowMs(),
    conversation,
    principal: asker,
    question: id,
    why,
    ...more,
    ...(asked.receipt ? { messageId: asked.receipt } : {}),
    about,
    ...(card === undefined ? {} : { card }),
    ...(from ? { from } : {}),
    ...(messages ? { messages } : {}),
    ...(taint ? { taint } : {}),
    asker,
    payload: why === 'forgotten' ? '' : payload,
  })
  return true
}

/** A task's own, or those of no task. */
export function cancel(state: MemoryState, c: MemoryConversation, which: Cancel, by?: Address): void {
  for (const { question, conversation, task } of state.questions.values()) {
    const isMeant =
      'all' in which || ('topic' in which ? question.topic === which.topic : question.asker === which.asker)
    const isOwn = 'topic' in which || task === by
    if (conversation === c.id && isMeant && isOwn) expire(state, question.id, 'cancelled')
  }
}

/** Of its tasks, too. */
export function cancelAll(state: MemoryState, c: MemoryConversation): void {
  for (const { question, conversation } of state.questions.values())
    if (conversation === c.id) expire(state, question.id, 'cancelled')
}

export function fire(state: MemoryState, partition: number, holdsBack = false): Fired {
  const atMs = state.nowMs()
  const due = [...state.timers.values()]
    .filter(({ conversation, dueMs }) => toPartition(conversation) === partition && dueMs <= atMs)
    .toSorted((a, b) => a.dueMs - b.dueMs)
    .slice(0, holdsBack ? 0 : mostFired)
  const conversations = new Set<ConversationId>()
  for (const { conversation, name, fires } of due) {
    disarm(state, conversation, name)
    if (typeof fires !== 'string') enqueue(openConversation(state, conversation), { ...fires, at: atMs }, atMs)
    const asked = typeof fires === 'string' ? (state.questions.get(fires)?.task ?? conversation) : conversation
    if (typeof fires !== 'string' || expire(state, fires, 'deadline')) conversations.add(asked)
  }
  const letters = giveOut(state, partition).letters.length > 0
  return { due: due.length, strange: 0, letters, conversations: [...conversations] }
}
