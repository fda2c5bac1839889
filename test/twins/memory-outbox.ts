// The outbox half of the in-memory twin: a sender's lease, rows in FIFO, ambiguous sends, notices.
import type { Beginning, BeginResult, Outcome, PromoteResult, Sender } from '#queues/kernel/kernel.ts'
import { nameAnswer } from './memory-records.ts'
import { hasStream } from '#shared/chat/conversation.ts'
import type { Append } from '#shared/run/step.ts'
import { show } from './memory-shown.ts'
import { toEndRow, toFirstRow, type OutBody } from '#shared/run/out-row.ts'
import { takeBack, tell } from './memory-notices.ts'
import { cancelAll, settleAsked } from './memory-questions.ts'
import {
  isLive,
  openConversation,
  questionLivesMs,
  toMemoryRow,
  taken,
  wake,
  type MemoryConversation,
  type MemoryRow,
  type MemoryState,
} from './memory-state.ts'

/** Of a row that has ended. */
const keptMs = 48 * 3_600_000
const graceMs = 2000
/** How often an edit is tried of which nobody knows whether it was made. */
const mostEdits = 5

/** `gone`: who holds the sender's lease, where that process is gone. */
export function begin(state: MemoryState, sender: Sender, op: string, gone?: string): BeginResult {
  const c = openConversation(state, sender.conversation)
  if (c.parked !== undefined) {
    if (c.sender?.owner === sender.owner) delete c.sender
    return { kind: 'EMPTY' }
  }
  if (gone !== undefined) delete c.sender
  if (!isLive(c.sender, state.nowMs()) || c.sender.owner === sender.owner) taken(c, 'out')
  return takeNext(state, c, sender, op, gone)
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
    nameAnswer(state, c.id, id, outcome.receipt)
    settleAsked(state, { asks: row.asks, end: 'sent', receipt: outcome.receipt })
    takeBack(state, c, row.notice ?? '')
  }
  if (isLive(c.sender, state.nowMs()) && c.sender.owner !== sender.owner) return { kind: 'HELD' }
  if (c.parked !== undefined) {
    return leave(c, sender.owner, { kind: 'EMPTY' })
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
      finish(state, c, row, 'sent')
      return nameAnswer(state, c.id, row.id, outcome.receipt)
    case 'later':
    case 'left':
    case 'retry':
      if (isCosmetic(row) && c.queue.length > mostCosmetic) return finish(state, c, row, 'expired')
      if (outcome.kind !== 'retry') row.attempts -= 1
      row.state = 'queued'
      row.early = false
      row.notBeforeMs = state.nowMs() + outcome.afterMs
      if (outcome.kind === 'later') makeWay(state, c, row, outcome.afterMs)
      return
    case 'split': {
      const parts = outcome.bodies.map((body, i) => toMemoryRow(`${row.id}.${i + 1}`, body, row))
      for (const part of parts) c.rows.set(part.id, { ...part, asks: part === parts.at(-1) ? row.asks : [] })
      c.queue.splice(c.queue.indexOf(row.id) + 1, 0, ...parts.map((part) => part.id))
      row.last = parts.at(-1)?.id ?? ''
      return finish(state, c, row, 'split')
    }
    case 'failed':
      finish(state, c, row, 'failed')
      if (outcome.closed) cancelAll(state, c)
      return
    case 'unknown':
      return finish(state, c, row, 'unknown')
  }
}

/** Ends a row; one that may not have arrived is told. */
function finish(
  state: MemoryState,
  c: MemoryConversation,
  row: MemoryRow,
  end: Exclude<MemoryRow['state'], 'queued' | 'sending'>,
): void {
  row.state = end
  row.endedAtMs = state.nowMs()
  const isDead = end !== 'split' && settleAsked(state, { asks: row.asks, end, receipt: row.receipt })
  c.queue = c.queue.filter((queued) => queued !== row.id)
  if (!isPartial(row) && !isPlan(row) && row.body.kind === 'send' && end !== 'sent' && end !== 'split')
    tell(state, c, isDead ? withoutButtons(row) : row, end)
}

function withoutButtons(row: MemoryRow): MemoryRow {
  if (row.body.kind === 'send') {
    const { buttons: _, ...body } = row.body
    row.body = body
  }
  return row
}

const patienceMs = (row: MemoryRow): number => (row.expiresAtMs - row.cameAtMs) / 40
const isPlan = ({ body }: MemoryRow): boolean => body.kind === 'send' && body.plan === true
const isCosmetic = ({ body }: MemoryRow): boolean => body.kind === 'unbutton' || body.kind === 'react'
const isCourtesy = (row: MemoryRow): boolean => isCosmetic(row) || (isPlan(row) && 'replaces' in row.body)

/** So many cosmetic rows are kept waiting at most. */
const mostCosmetic = 30
/** Whether more than cosmetic rows stand in the outbox from an index on. */
function isAnswerFrom(c: MemoryConversation, index: number): boolean {
  const rows = c.queue.slice(index, index + mostCosmetic).flatMap((id) => c.rows.get(id) ?? [])
  return rows.some((row) => !isCosmetic(row)) || c.queue.length > index + mostCosmetic
}
const isAnswerBehind = (c: MemoryConversation, { id }: MemoryRow): boolean => isAnswerFrom(c, c.queue.indexOf(id) + 1)

/** A row has its permit only in `afterMs`, and each one behind it as much later: what would wait too long lets newer answers pass. */
function makeWay(state: MemoryState, c: MemoryConversation, row: MemoryRow, afterMs: number): void {
  const nowMs = state.nowMs()
  const behind = (): MemoryRow[] => c.queue.slice(c.queue.indexOf(row.id) + 1).flatMap((id) => c.rows.get(id) ?? [])
  const lifeMs = row.expiresAtMs - row.cameAtMs
  if (row.body.kind === 'notice' || isCosmetic(row) || behind().length * afterMs <= patienceMs(row)) return
  for (const old of behind().slice(0, 100)) {
    if (old.expiresAtMs >= nowMs) break
    finish(state, c, old, 'expired')
  }
  const rows = behind()
  const newestMs = rows.at(-1)?.cameAtMs ?? 0
  if (nowMs - newestMs > lifeMs / 5) return
  const fresh = rows.slice(rows.findIndex((one) => one.cameAtMs >= newestMs - patienceMs(row)))
  const recent = rows.filter((one) => one.cameAtMs >= nowMs - patienceMs(row))
  if (rows.length * afterMs > lifeMs && recent.length * afterMs > patienceMs(row))
    c.congestedUntilMs = nowMs + Math.max(1, Math.min(2 * afterMs, 60_000))
  const newer = fresh.slice(0, 9).find((one) => !isCourtesy(one))
  if (!newer || fresh.length === rows.length || /\.\d+$/.test(rows[0]?.id ?? '')) return
  const queue = c.queue.filter((id) => id !== newer.id)
  c.queue = queue.toSpliced(queue.indexOf(row.id) + 1, 0, newer.id)
}

/** The row to look at, how many wait behind it, and the notice that it passes. */
function findHead(c: MemoryConversation, nowMs: number): { row?: MemoryRow; behind: number; passed?: MemoryRow } {
  const [first, second] = c.queue.slice(0, 2).map((id) => c.rows.get(id))
  if (!first) return { behind: 0 }
  const isOver = (first.overAtMs ?? 0) <= nowMs && first.notBeforeMs <= nowMs && second?.state !== 'sending'
  if (first.body.kind !== 'notice' || !second || first.state === 'sending' || isOver)
    return { row: first, behind: c.queue.length - 1 }
  return { row: second, behind: c.queue.length - 2, passed: first }
}

function leave(c: MemoryConversation, owner: string, result: BeginResult): BeginResult {
  delete c.sender
  if (result.kind === 'EMPTY' || c.editor === owner) delete c.editor
  return result
}

function takeNext(state: MemoryState, c: MemoryConversation, sender: Sender, op: string, gone?: string): BeginResult {
  const nowMs = state.nowMs()
  if (isLive(c.sender, nowMs) && c.sender.owner !== sender.owner) return { kind: 'HELD' }
  if (sender.leave) {
    if (c.queue.length > 0) wake(c, 'out', nowMs)
    else c.wake.delete('out')
    return leave(c, sender.owner, c.queue.length > 0 ? { kind: 'WAIT', forMs: 0 } : { kind: 'EMPTY' })
  }
  c.sender = { owner: sender.owner, untilMs: nowMs + sender.ttlMs }
  const waitUntil = (atMs: number): BeginResult => {
    c.wake.delete('out')
    wake(c, 'out', atMs)
    return leave(c, sender.owner, { kind: 'WAIT', forMs: atMs - nowMs })
  }
  for (;;) {
    const { row, behind, passed } = findHead(c, nowMs)
    const draft = c.draft && c.draft.untilMs > nowMs ? c.draft.draft : undefined
    if (!row) {
      c.wake.delete('out')
      if (draft) return { kind: 'EMPTY', draft, ...toPlan(c, sender) }
      return leave(c, sender.owner, { kind: 'EMPTY' })
    }
    const sending = row.state === 'sending'
    const isToldToWait = !sending && row.notBeforeMs > nowMs && isCosmetic(row)
    const isFresh = isCourtesy(row) && row.notBeforeMs === 0 && row.passedMs === undefined
    if (sending && row.owner === sender.owner && row.op === op) return toBegun(c, row, nowMs)
    const maybeSinceMs = row.maybeSinceMs ?? (sending ? row.begunAtMs : undefined)
    const deduped = maybeSinceMs !== undefined && nowMs - maybeSinceMs < sender.idempotentForMs
    const overAtMs = row.begunAtMs + sender.sendTimeoutMs + graceMs
    if (sending && row.owner !== gone && !deduped && overAtMs > nowMs) return waitUntil(overAtMs)
    const safe = deduped || (row.attempts < mostEdits && findReplaced(c, row.body, nowMs) !== undefined)
    if (maybeSinceMs !== undefined && (!safe || row.expiresAtMs < nowMs)) {
      finish(state, c, row, 'unknown')
    } else if (row.expiresAtMs < nowMs || (isPartial(row) && isAnswerBehind(c, row) && maybeSinceMs === undefined)) {
      finish(state, c, row, 'expired')
    } else if (
      behind > 0 &&
      !sending &&
      (isFresh || (isToldToWait && !isGivenUp(row, nowMs) && isAnswerBehind(c, row)))
    ) {
      row.passedMs ??= row.cameAtMs
      row.cameAtMs = c.rows.get(c.queue.at(-1) ?? '')?.cameAtMs ?? nowMs
      c.queue = [...c.queue.filter((id) => id !== row.id), row.id]
    } else if (!sending && isGivenUp(row, nowMs) && isAnswerBehind(c, row)) {
      finish(state, c, row, 'expired')
    } else if (row.notBeforeMs > nowMs) {
      if (!isToldToWait || !draft) return waitUntil(row.notBeforeMs)
      wake(c, 'out', row.notBeforeMs)
      return { kind: 'EMPTY', draft, ...toPlan(c, sender) }
    } else {
      if (passed?.early) passed.notBeforeMs = 0
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

/** The receipt of the plan that the draft tells of; who shows the draft edits it. */
function toPlan(c: MemoryConversation, { owner }: Sender): { plan?: string } {
  const shown = c.rows.get(c.draft?.draft.plan?.row ?? '')
  if (shown?.state !== 'sent' || shown.receipt === '') return {}
  c.editor = c.editor !== undefined && c.editor !== owner ? 'lost' : owner
  return { plan: shown.receipt }
}

const isGivenUp = ({ passedMs, expiresAtMs }: MemoryRow, nowMs: number): boolean =>
  passedMs !== undefined && passedMs + (expiresAtMs - passedMs) / 40 < nowMs

/** The beginning of a reply as a message of its own, while the turn has not ended and nothing waits. */
export function promote(state: MemoryState, sender: Sender, beginning: Beginning, op: string): PromoteResult {
  const c = openConversation(state, sender.conversation)
  const nowMs = state.nowMs()
  if (c.parked !== undefined) return { kind: 'EMPTY' }
  if (!isLive(c.sender, nowMs) || c.sender.owner !== sender.owner) return { kind: 'HELD' }
  if (!isAnswerFrom(c, 0)) {
    const known = c.rows.get(toFirstRow(beginning.turn))
    if (known) c.editor = c.editor !== undefined && c.editor !== sender.owner ? 'lost' : sender.owner
    if (known) return { kind: 'SHOWN', receipt: known.state === 'sent' ? known.receipt : '' }
    if (c.draft && c.draft.untilMs > nowMs && !c.rows.has(toEndRow(beginning.turn))) {
      const row = toMemoryRow(toFirstRow(beginning.turn), beginning.body, {
        cameAtMs: nowMs,
        expiresAtMs: nowMs + 30_000,
      })
      c.rows.set(row.id, row)
      c.queue.push(row.id)
      const { question } = beginning
      if (question)
        state.questions.set(question.id, {
          conversation: c.id,
          question,
          untilMs: nowMs + (question.livesMs ?? questionLivesMs),
          receipt: '',
        })
      wake(c, 'out', nowMs)
    }
  }
  return takeNext(state, c, sender, op)
}

const isPartial = (row: MemoryRow): boolean => row.body.kind === 'send' && row.body.partial === true

function toBegun(c: MemoryConversation, row: MemoryRow, nowMs: number): BeginResult {
  const replaced = findReplaced(c, row.body, nowMs)
  const replaces = 'replaces' in row.body && row.body.replaces !== undefined
  const isLate = replaces && c.editor !== undefined && c.editor !== row.owner
  const plain = { id: row.id, body: row.body, attempts: row.attempts, cameAtMs: row.cameAtMs }
  const begun = isLate ? { ...plain, mayBeOvertaken: true } : plain
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

/** Puts a row at the end of the outbox; of a stream it is shown. */
export function addRow(c: MemoryConversation, row: NonNullable<Append['rows']>[number], atMs: number): void {
  const isStream = hasStream(c.id)
  if (isStream) return show(c, { at: atMs, role: 'bot', body: { ...row.body, row: row.id } })
  if (c.rows.has(row.id)) return
  if (hasFile(row.body)) {
    const before = c.queue.find((id) => c.rows.get(id)?.state === 'queued' && hasFile(c.rows.get(id)?.body))
    c.queue = c.queue.filter((id) => id !== before)
    c.rows.delete(before ?? '')
  }
  const edited = toEdited(row.body)
  for (const id of edited === undefined ? [] : [...c.queue]) {
    const other = c.rows.get(id)
    if (other?.state !== 'queued' || other.attempts > 0 || toEdited(other.body) !== edited) continue
    c.queue = c.queue.filter((one) => one !== id)
    c.rows.delete(id)
  }
  c.rows.set(row.id, toMemoryRow(row.id, row.body, { cameAtMs: atMs, expiresAtMs: atMs + row.expiresInMs }))
  c.queue.push(row.id)
  wake(c, 'out', atMs)
}

/** The message that it edits to tell how far something is. */
const toEdited = (body: OutBody): string | undefined => (body.kind === 'send' && body.plan ? body.replaces : undefined)

const hasFile = (body: OutBody | undefined): boolean => body?.kind === 'send' && body.file !== undefined
