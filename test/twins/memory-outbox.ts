// The outbox half of the in-memory twin: a sender's lease, rows in FIFO, ambiguous sends, notices.
import { randomId, toQuestionId } from '#queues/partition.ts'
import type { Beginning, BeginResult, Outcome, PromoteResult, Sender } from '#queues/kernel/kernel.ts'
import { toEndRow, toFirstRow, type OutBody } from '#shared/run/out-row.ts'
import {
  isLive,
  openConversation,
  taken,
  wake,
  type MemoryConversation,
  type MemoryRow,
  type MemoryState,
} from './memory-state.ts'

export const questionLivesMs = 14 * 86_400_000
/** Of a row that has ended. */
const keptMs = 48 * 3_600_000
const noticeAfterMs = 60_000
const noticeExpiresMs = 86_400_000
const graceMs = 2000

export function toMemoryRow(id: string, body: OutBody, expiresAtMs: number): MemoryRow {
  return {
    id,
    body,
    expiresAtMs,
    state: 'queued',
    attempts: 0,
    notBeforeMs: 0,
    early: false,
    owner: '',
    op: '',
    begunAtMs: 0,
    receipt: '',
    endedAtMs: 0,
  }
}

export function begin(state: MemoryState, sender: Sender, op: string): BeginResult {
  const c = openConversation(state, sender.conversation)
  if (c.parked !== undefined) return { kind: 'EMPTY' }
  if (!isLive(c.sender, state.nowMs()) || c.sender.owner === sender.owner) taken(c, 'out')
  return takeNext(state, c, sender, op)
}

export function prolong(
  state: MemoryState,
  { conversation, owner, ttlMs }: Pick<Sender, 'conversation' | 'owner' | 'ttlMs'>,
  id: string,
): 'OK' | 'LOST' {
  const c = openConversation(state, conversation)
  const held = isLive(c.sender, state.nowMs())
  const row = c.rows.get(id)
  const mine = row?.state === 'sending' && row.owner === owner
  if (held ? c.sender?.owner !== owner : !mine) return 'LOST'
  c.sender = { owner, untilMs: state.nowMs() + ttlMs }
  return 'OK'
}

export function settle(state: MemoryState, sender: Sender, id: string, outcome: Outcome & { op: string }): BeginResult {
  const c = openConversation(state, sender.conversation)
  const row = c.rows.get(id)
  const mine = row?.owner === sender.owner
  if (row?.state === 'sending' && row.op !== outcome.op && (mine || outcome.kind === 'sent')) {
    applyOutcome(state, c, row, toApplied(state, sender, row, outcome))
  } else if (row?.state === 'unknown' && outcome.kind === 'sent') {
    row.state = 'sent'
    row.receipt = outcome.receipt
    const notice = c.rows.get(row.notice ?? '')
    if (notice?.state === 'queued') {
      c.queue = c.queue.filter((queued) => queued !== notice.id)
      c.rows.delete(notice.id)
    }
  }
  if (isLive(c.sender, state.nowMs()) && c.sender.owner !== sender.owner) return { kind: 'HELD' }
  if (c.parked !== undefined) {
    delete c.sender
    return { kind: 'EMPTY' }
  }
  return takeNext(state, c, sender, outcome.op)
}

/** An unknown outcome is a try to be repeated while the platform dedupes. */
function toApplied(state: MemoryState, sender: Sender, row: MemoryRow, outcome: Outcome): Outcome {
  if (outcome.kind !== 'unknown') return outcome
  row.maybeSinceMs ??= row.begunAtMs
  const { reason, afterMs = 0 } = outcome
  return state.nowMs() - row.maybeSinceMs < sender.idempotentForMs ? { kind: 'retry', reason, afterMs } : outcome
}

function applyOutcome(state: MemoryState, c: MemoryConversation, row: MemoryRow, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'sent':
      row.receipt = outcome.receipt
      return finish(state, c, row, 'sent')
    case 'later':
    case 'retry':
      if (outcome.kind === 'later') row.attempts -= 1
      row.state = 'queued'
      row.early = false
      row.notBeforeMs = state.nowMs() + outcome.afterMs
      return
    case 'split': {
      const parts = outcome.bodies.map((body, i) => toMemoryRow(`${row.id}.${i + 1}`, body, row.expiresAtMs))
      for (const part of parts) c.rows.set(part.id, part)
      c.queue.splice(c.queue.indexOf(row.id) + 1, 0, ...parts.map((part) => part.id))
      row.last = parts.at(-1)?.id ?? ''
      return finish(state, c, row, 'split')
    }
    case 'failed':
    case 'unknown':
      return finish(state, c, row, outcome.kind)
  }
}

/** Ends a row; one that may not have arrived is told by a notice, at the head of the queue. */
function finish(state: MemoryState, c: MemoryConversation, row: MemoryRow, end: MemoryRow['state']): void {
  row.state = end
  row.endedAtMs = state.nowMs()
  c.queue = c.queue.filter((queued) => queued !== row.id)
  if (
    isPartial(row) ||
    row.body.kind !== 'send' ||
    end === 'sent' ||
    end === 'split' ||
    end === 'queued' ||
    end === 'sending'
  )
    return
  const question = toQuestionId(c.id, randomId())
  state.lastId += 1
  const id = `notice-${state.lastId}`
  const body: OutBody = {
    v: 1,
    kind: 'notice',
    answers: [],
    language: row.body.language,
    about: row.id,
    outcome: end,
    question,
  }
  state.questions.set(question, {
    conversation: c.id,
    untilMs: state.nowMs() + questionLivesMs,
    question: {
      v: 1,
      id: question,
      kind: 'show-again',
      owner: '*',
      options: ['show'],
      payload: JSON.stringify(row.body),
    },
  })
  const atMs = state.nowMs()
  const notice = { ...toMemoryRow(id, body, atMs + noticeExpiresMs), notBeforeMs: atMs + noticeAfterMs, early: true }
  c.rows.set(id, notice)
  row.notice = id
  c.queue.unshift(id)
  wake(c, 'out', notice.notBeforeMs)
}

function takeNext(state: MemoryState, c: MemoryConversation, sender: Sender, op: string): BeginResult {
  const nowMs = state.nowMs()
  if (isLive(c.sender, nowMs) && c.sender.owner !== sender.owner) return { kind: 'HELD' }
  if (sender.leave) {
    delete c.sender
    if (c.queue.length > 0) wake(c, 'out', nowMs)
    else c.wake.delete('out')
    return c.queue.length > 0 ? { kind: 'WAIT', forMs: 0 } : { kind: 'EMPTY' }
  }
  c.sender = { owner: sender.owner, untilMs: nowMs + sender.ttlMs }
  const waitUntil = (atMs: number): BeginResult => {
    c.wake.delete('out')
    wake(c, 'out', atMs)
    delete c.sender
    return { kind: 'WAIT', forMs: atMs - nowMs }
  }
  for (;;) {
    const row = c.rows.get(c.queue[0] ?? '')
    if (!row) {
      c.wake.delete('out')
      if (c.draft && c.draft.untilMs > nowMs) return { kind: 'EMPTY', draft: c.draft.draft }
      delete c.sender
      return { kind: 'EMPTY' }
    }
    const sending = row.state === 'sending'
    if (sending && row.owner === sender.owner && row.op === op) return toBegun(c, row, nowMs)
    const maybeSinceMs = row.maybeSinceMs ?? (sending ? row.begunAtMs : undefined)
    const deduped = maybeSinceMs !== undefined && nowMs - maybeSinceMs < sender.idempotentForMs
    const overAtMs = row.begunAtMs + sender.sendTimeoutMs + graceMs
    if (sending && !deduped && overAtMs > nowMs) return waitUntil(overAtMs)
    if (maybeSinceMs !== undefined && (!deduped || row.expiresAtMs < nowMs)) {
      finish(state, c, row, 'unknown')
    } else if (row.expiresAtMs < nowMs || (isPartial(row) && c.queue.length > 1)) {
      finish(state, c, row, 'expired')
    } else if (row.notBeforeMs > nowMs && !(row.early && c.queue.length > 1)) {
      return waitUntil(row.notBeforeMs)
    } else {
      row.state = 'sending'
      row.owner = sender.owner
      row.op = op
      row.begunAtMs = nowMs
      if (maybeSinceMs !== undefined) row.maybeSinceMs = maybeSinceMs
      row.attempts += 1
      return toBegun(c, row, nowMs)
    }
  }
}

/** The beginning of a reply as a message of its own, while the turn has not ended and nothing waits. */
export function promote(state: MemoryState, sender: Sender, beginning: Beginning, op: string): PromoteResult {
  const c = openConversation(state, sender.conversation)
  const nowMs = state.nowMs()
  if (c.parked !== undefined) return { kind: 'EMPTY' }
  if (!isLive(c.sender, nowMs) || c.sender.owner !== sender.owner) return { kind: 'HELD' }
  if (c.queue.length === 0) {
    const known = c.rows.get(toFirstRow(beginning.turn))
    if (known) return { kind: 'SHOWN', receipt: known.state === 'sent' ? known.receipt : '' }
    if (c.draft && c.draft.untilMs > nowMs && !c.rows.has(toEndRow(beginning.turn))) {
      const row = toMemoryRow(toFirstRow(beginning.turn), beginning.body, nowMs + 30_000)
      c.rows.set(row.id, row)
      c.queue.push(row.id)
      const { question } = beginning
      if (question)
        state.questions.set(question.id, {
          conversation: c.id,
          question,
          untilMs: nowMs + (question.livesMs ?? questionLivesMs),
        })
      wake(c, 'out', nowMs)
    }
  }
  return takeNext(state, c, sender, op)
}

const isPartial = (row: MemoryRow): boolean => row.body.kind === 'send' && row.body.partial === true

function toBegun(c: MemoryConversation, row: MemoryRow, nowMs: number): BeginResult {
  const replaced = findReplaced(c, row.body, nowMs)
  const begun = { id: row.id, body: row.body, attempts: row.attempts }
  return { kind: 'ROW', row: replaced ? { ...begun, replacesReceipt: replaced } : begun }
}

function findReplaced(c: MemoryConversation, body: OutBody, nowMs: number): string | undefined {
  if ((body.kind !== 'send' && body.kind !== 'unbutton') || body.replaces === undefined) return undefined
  const known = (id: string): MemoryRow | undefined => {
    const row = c.rows.get(id)
    return row && (row.endedAtMs === 0 || nowMs - row.endedAtMs < keptMs) ? row : undefined
  }
  const row = known(body.replaces)
  const shown = body.kind === 'unbutton' && row?.last ? known(row.last) : row
  return shown?.receipt || body.replacesMessage
}
