// The oracle's rules, as pure functions of what one conversation has in Redis. Each breach says what is wrong and where.
import { chatEvent } from '#shared/chat/event.ts'
import { decision } from '#shared/chat/decision.ts'
import { journalEntry } from '#shared/run/journal.ts'
import { outBody } from '#shared/run/out-row.ts'
import { fromStoredQuestion } from '#queues/questions/stored-question.ts'
import type { z } from 'zod'

export type StoredRow = { readonly fields: Readonly<Record<string, string>>; readonly ttlSeconds: number }
export type StoredConversation = {
  readonly id: string
  readonly counters: Readonly<Record<string, string>>
  readonly events: Readonly<Record<string, string>>
  readonly decisions: Readonly<Record<string, string>>
  readonly dedupe: readonly number[]
  readonly run: Readonly<Record<string, string>>
  readonly journal: readonly string[]
  readonly index: Readonly<Record<string, string>>
  readonly queue: readonly string[]
  readonly rows: ReadonlyMap<string, StoredRow>
  readonly wakes: readonly string[]
  readonly parked: boolean
  readonly leased: boolean
}

export const seqSpan = 2 ** 24

export function conversationBreaches(stored: StoredConversation): string[] {
  const found = [
    ...mailboxBreaches(stored),
    ...journalBreaches(stored),
    ...outboxBreaches(stored),
    ...wakeBreaches(stored),
  ]
  return found.map((breach) => `${stored.id}: ${breach}`)
}

export function questionBreaches(
  name: string,
  { fields, ttlSeconds }: StoredRow,
  /** Whether the partition holds a timer for its deadline. */
  isTimed: boolean,
): string[] {
  const found = unreadableQuestion(fields)
  const state = fields['s'] ?? ''
  const answered = state === 'answered'
  const hasDeadline = fields['deadline'] !== undefined
  // A former look of a card that stops something: whoever presses it has pressed, until the new look is shown.
  const isFormer = /"acts":"stop"/.test(fields['j'] ?? '')
  if (!(hasDeadline || isFormer ? ['open', 'asked', 'answered'] : ['open', 'answered']).includes(state))
    found.push(`state "${state}" is none of its own`)
  const waits = hasDeadline && !answered
  if (waits !== isTimed) found.push(waits ? 'waits, and no timer ends it' : `is ${state}, and has a timer`)
  if (answered !== ('by' in fields && 'choice' in fields)) found.push('answered without a winner, or a winner of none')
  if (!fields['c']) found.push('belongs to no conversation')
  if (ttlSeconds < 0) found.push('never goes away')
  return found.map((breach) => `${name}: ${breach}`)
}

/** What is wrong with a list of letters, `<number> <writer> <id>`, where the last number of the partition is `last`. */
export function listBreaches(items: readonly string[], last: number): string[] {
  const numbers = items.map((item) => Number(/^(\d+) \S+ \S+$/.exec(item)?.[1]))
  return [
    ...(numbers.some(Number.isNaN) ? ['has what is no letter'] : []),
    ...(numbers.some((number, i) => number <= (numbers[i - 1] ?? 0)) ? ['is not in the order of writing'] : []),
    ...(numbers.some((number) => number > last) ? [`has a letter beyond the last one, ${last}`] : []),
  ]
}

function mailboxBreaches({ counters, events, decisions, dedupe }: StoredConversation): string[] {
  const [seq, routed, cursor] = [counters['seq'], counters['routed'], counters['cursor']].map((n) => Number(n ?? 0))
  if (seq === undefined || routed === undefined || cursor === undefined) return []
  const found: string[] = []
  if (!(cursor >= 0 && cursor <= routed && routed <= seq)) found.push(`not ${cursor} ≤ ${routed} ≤ ${seq}`)
  const consumed = (counters['consumed'] ?? '').split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').filter(Boolean).map(Number)
    return Array.from({ length: first === 0 ? 0 : last - first + 1 }, (_, i) => first + i)
  })
  if (consumed.some((n, i) => n <= (consumed[i - 1] ?? cursor) || n > seq)) {
    found.push(`consumed list ${consumed.join()} is not ascending between ${cursor} and ${seq}`)
  }
  if (cursor < routed && consumed.includes(cursor + 1))
    found.push(`the cursor ${cursor} stands before a consumed event`)

  const gone = new Set(consumed)
  const range = Array.from({ length: seq - cursor }, (_, i) => cursor + 1 + i)
  const waiting = range.filter((n) => n > routed || !gone.has(n))
  found.push(...different('mailbox', Object.keys(events), waiting))
  found.push(
    ...different(
      'decisions',
      Object.keys(decisions),
      waiting.filter((n) => n <= routed),
    ),
  )
  found.push(...Object.values(events).flatMap((text) => unreadable('event', chatEvent, text)))
  found.push(...Object.values(decisions).flatMap((text) => unreadable('decision', decision, text)))

  const seqs = dedupe.map((score) => score % seqSpan)
  if (new Set(seqs).size < seqs.length) found.push('two dedupe keys share a seq')
  if (seqs.some((n) => n < 1 || n > seq)) found.push(`a dedupe key names an event beyond ${seq}`)
  return found
}

function journalBreaches({ run, journal, index, leased }: StoredConversation): string[] {
  const found: string[] = []
  const [jseq, snapSeq] = [Number(run['jseq'] ?? 0), Number(run['snapSeq'] ?? 0)]
  if (snapSeq > jseq) found.push(`the snapshot ${snapSeq} is ahead of the journal ${jseq}`)
  if (journal.length < jseq - snapSeq) found.push(`the journal lacks ${jseq - snapSeq - journal.length} entries`)
  if (leased && !run['epoch']) found.push('a lease without an epoch')
  const ends = new Map<string, number>()
  let before = ''
  for (const [i, stored] of journal.entries()) {
    const [, seq = '', step = '', json = ''] = /^(\d+) ([^\n]*)\n(.*)$/s.exec(stored) ?? []
    const expected = jseq - journal.length + 1 + i
    if (Number(seq) !== expected) found.push(`journal entry ${seq} stands where ${expected} belongs`)
    if (step !== before && ends.has(step)) found.push(`step "${step}" was appended twice`)
    ends.set(step, expected)
    before = step
    found.push(...unreadable('journal entry', journalEntry, json))
  }
  for (const [step, end] of ends) {
    if (index[step] !== String(end))
      found.push(`step "${step}" ends at ${end}, its index says ${index[step] ?? 'nothing'}`)
  }
  if (Object.values(index).some((seq) => Number(seq) > jseq)) found.push('the index points beyond the journal')
  return found
}

function outboxBreaches({ queue, rows }: StoredConversation): string[] {
  const found: string[] = []
  if (new Set(queue).size < queue.length) found.push('a row is queued twice')
  for (const [i, id] of queue.entries()) {
    const state = rows.get(id)?.fields['s']
    if (state !== 'queued' && state !== 'sending') found.push(`queued row ${id} is ${state ?? 'missing'}`)
    // A notice of what was lost lets rows pass.
    const isFirst = i === 0 || (i === 1 && queue[0]?.startsWith('notice-'))
    if (state === 'sending' && !isFirst) found.push(`row ${id} is sent out of turn, at place ${i}`)
  }
  const ended = ['sent', 'failed', 'unknown', 'expired', 'split']
  for (const [id, { fields, ttlSeconds }] of rows) {
    const state = fields['s'] ?? ''
    if (!ended.includes(state) && !queue.includes(id)) found.push(`row ${id} is "${state}" and in no queue`)
    if (ended.includes(state) && ttlSeconds < 0) found.push(`ended row ${id} never goes away`)
    if (fields['b'] !== undefined) found.push(...unreadable(`row ${id}`, outBody, fields['b']))
    const undelivered = ['failed', 'unknown', 'expired'].includes(state)
    // The beginning of a growing reply is followed by the whole of it.
    const told = fields['notice'] !== undefined || id.endsWith('-first')
    if (undelivered && fields['b']?.includes('"kind":"send"') && !told) {
      found.push(`row ${id} ended ${state} and nobody is told`)
    }
  }
  return found
}

function wakeBreaches({ counters, queue, wakes, parked }: StoredConversation): string[] {
  const [seq, routed, cursor] = [counters['seq'], counters['routed'], counters['cursor']].map((n) => Number(n ?? 0))
  const wanted = [
    ...((routed ?? 0) < (seq ?? 0) ? ['route'] : []),
    ...((cursor ?? 0) < (routed ?? 0) ? ['run'] : []),
    ...(queue.length > 0 ? ['out'] : []),
  ]
  if (parked) return wakes.map((what) => `parked, yet "${what}" is due`)
  return wanted.filter((what) => !wakes.includes(what)).map((what) => `"${what}" has work and no wake-up`)
}

function different(what: string, found: readonly string[], wanted: readonly number[]): string[] {
  const missing = wanted.filter((seq) => !found.includes(String(seq)))
  const spare = found.filter((seq) => !wanted.includes(Number(seq)))
  return [
    ...(missing.length ? [`${what} lacks ${missing.join()}`] : []),
    ...(spare.length ? [`${what} still holds ${spare.join()}`] : []),
  ]
}

function unreadableQuestion({ j = '', rest = '' }: Readonly<Record<string, string>>): string[] {
  try {
    fromStoredQuestion(j, rest)
    return []
  } catch {
    return ['a question has a shape we do not know']
  }
}

function unreadable(what: string, schema: z.ZodType, text: string): string[] {
  try {
    return schema.safeParse(JSON.parse(text)).success ? [] : [`a ${what} has a shape we do not know`]
  } catch {
    return [`a ${what} is not JSON`]
  }
}
