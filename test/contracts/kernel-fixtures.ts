// Small valid values for kernel tests: a fresh conversation, events, decisions, journal entries, rows and questions.
import type { Address } from '#shared/chat/address.ts'
import type { AnswerEvent, DeleteEvent, MessageEvent } from '#shared/chat/event.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Artifact } from '#shared/run/artifact.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import type { OutRow } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'
import type { BegunRow, Kernel, Sender } from '#queues/kernel/kernel.ts'
import type { Append, Claimed, QueuedEvent, Signal } from '#shared/run/step.ts'
import { randomId, toPartition, toQuestionId } from '#queues/partition.ts'
import { message, wonPress, toIgnore, toTurn } from '#test/rig/events.ts'
import { asked, toBody, toRow } from '#test/rig/journal-entries.ts'

export const ttlMs = 8000
export const sendTimeoutMs = 10_000
export const ann = 'telegram:1'
export const bob = 'telegram:2'

let opened = 0
/** A conversation no other fact uses. */
export function freshConversation(channel = 'telegram'): ConversationId {
  opened += 1
  return `${channel}:c${opened}`
}

/** A conversation no other fact uses, in a partition where nothing waits. */
export async function conversationApart(kernel: Kernel, channel: string): Promise<ConversationId> {
  for (let tried = 0; tried < 1000; tried++) {
    const conversation = freshConversation(channel)
    if ((await kernel.sweep(toPartition(conversation), 0)).work === 0) return conversation
  }
  throw new Error('Something waits in every partition: a fact before this one left its work behind.')
}

const at = 1_700_000_000_000
export const messageEvent = (of: ConversationId, id: number | string, principal = ann): MessageEvent =>
  message({ conversation: of, id: `${of}:${id}`, principal, at, text: `message ${id}` })
export const answerEvent = (of: ConversationId, question: string, id: string): AnswerEvent =>
  wonPress({ conversation: of, id, principal: ann, at, question })

export const turnDecision = toTurn()
export const ignoreDecision = toIgnore('group.unaddressed')

export const entry = (turn: string, attempt = 1): JournalEntry => ({ ...asked(1, attempt), turn, at })

export const row = (id: string, text = `text of ${id}`, replaces?: string): OutRow =>
  toRow(id, toBody(text, replaces ? { replaces } : {}))
export const rowWithFile = (id: string, text: string): OutRow =>
  toRow(id, toBody(text, { file: { name: 'notes.txt', caption: 'Here.', text } }))

export const askedQuestion = (conversation: ConversationId, owner: Question['owner'] = '*'): Question => ({
  v: 1,
  id: toQuestionId(conversation, randomId()),
  kind: 'redo.edited',
  owner,
  options: ['yes', 'no'],
  payload: '{"list":[],"path":"a/b"}',
})

export const artifact = (name: string, more: Partial<Artifact> = {}): Artifact => ({
  name,
  kind: 'result',
  text: `all of ${name}`,
  about: ['m1'],
  source: 'others',
  session: 'sess_1',
  ...more,
})
export type ArtifactShape = { readonly name: number; readonly about: number; readonly session: number }
/** A long one. */
export const artifactOf = (n: number, { name, about, session }: ArtifactShape): Artifact =>
  artifact(`a${name}`, { text: `${n} `.repeat(20_000), about: [String(about)], session: `sess_${session}` })

export const deletion = (conversation: ConversationId, messageId: string): DeleteEvent => ({
  v: 1,
  kind: 'delete',
  id: `forgotten-${messageId}`,
  conversation,
  principal: ann,
  at: 1_700_000_000_000,
  messageId,
})

/** To a task of this conversation, or to itself. */
export const signalTo = (home: ConversationId, to: Address, id: string, more: Partial<Signal> = {}): Signal => ({
  to,
  event: {
    v: 1,
    kind: 'letter',
    id: `${home}/${id}`,
    conversation: home,
    principal: ann,
    from: home,
    letter: 'tasks.begin',
    payload: 'begin',
  },
  ...more,
})

export const step = (key: string, more: Partial<Append> = {}): Append => ({ key, entries: [entry(key)], ...more })

/** For so long the platform of the facts dedupes, where it does. */
export const dedupedForMs = 120_000

export const sender = (conversation: ConversationId, more: Partial<Sender> = {}): Sender => ({
  conversation,
  owner: 's1',
  ttlMs,
  sendTimeoutMs,
  idempotentForMs: 0,
  ...more,
})

/** Ingests `count` messages and returns their seqs. */
export async function ingestMany(
  kernel: Kernel,
  conversation: ConversationId,
  count: number,
): Promise<readonly number[]> {
  const seqs: number[] = []
  for (let i = 1; i <= count; i++) {
    const event = messageEvent(conversation, i)
    seqs.push((await kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })).seq)
  }
  return seqs
}

/** Ingests and routes `count` messages as turns. */
export async function deliverMany(kernel: Kernel, conversation: ConversationId, count: number): Promise<void> {
  const { routedSeq } = await kernel.inbox(conversation, 1)
  await ingestMany(kernel, conversation, count)
  await kernel.route(
    conversation,
    routedSeq,
    Array.from({ length: count }, () => turnDecision),
  )
}

/** Claims and fails loudly when that is refused. */
export async function mustClaim(kernel: Kernel, conversation: ConversationId, owner = 'w1'): Promise<Claimed> {
  const claimed = await kernel.claim(conversation, owner, ttlMs)
  if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
  return claimed
}

/** Begins and fails loudly when there is no row. */
export async function mustBegin(kernel: Kernel, from: Sender, op: string): Promise<BegunRow> {
  const begun = await kernel.begin(from, op)
  if (begun.kind !== 'ROW') throw new Error(`The begin was answered ${JSON.stringify(begun)}.`)
  return begun.row
}

/** Puts rows into a fresh conversation's outbox by one append. */
export async function queueRows(
  kernel: Kernel,
  conversation: ConversationId,
  rows: readonly OutRow[],
): Promise<Claimed> {
  const claimed = await mustClaim(kernel, conversation)
  await kernel.append(conversation, claimed.epoch, step(`rows-${rows[0]?.id ?? ''}`, { rows }))
  return claimed
}

export const seqsOf = (events: readonly QueuedEvent[]): number[] => events.map((queued) => queued.seq)
