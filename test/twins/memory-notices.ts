// The notice half of the in-memory twin's outbox: one notice tells all that was lost, and its question shows the newest of it again.
import { randomId, toQuestionId } from '#queues/partition.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { showAgainKind } from '#shared/run/question.ts'
import {
  questionLivesMs,
  toMemoryRow,
  wake,
  type MemoryConversation,
  type MemoryRow,
  type MemoryState,
} from './memory-state.ts'

const noticeAfterMs = 60_000
const noticeExpiresMs = 86_400_000
const keptMost = 5
const keptBytes = 16_000

type NoticeBody = Extract<OutBody, { kind: 'notice' }>

const sizeOf = (body: OutBody): number => Buffer.byteLength(JSON.stringify(body))

/** The text of a body that is too long is cut between two characters; nothing stays if the rest alone is too long. */
function shorten(body: OutBody): OutBody[] {
  const over = sizeOf(body) - keptBytes
  if (over <= 0) return [body]
  if (body.kind !== 'send') return []
  let room = Buffer.byteLength(JSON.stringify(body.text)) - 2 - over - Buffer.byteLength('…')
  const kept: string[] = []
  for (const character of body.text) {
    room -= Buffer.byteLength(JSON.stringify(character)) - 2
    if (room < 0) break
    kept.push(character)
  }
  return kept.length > 0 ? [{ ...body, text: `${kept.join('')}…` }] : []
}

/** Tells by the notice that is still to be sent, or by a new one at the head of the queue. */
export function tell(state: MemoryState, c: MemoryConversation, row: MemoryRow, outcome: NoticeBody['outcome']): void {
  const head = c.rows.get(c.queue[0] ?? '')
  const known = head?.body.kind === 'notice' && head.state === 'queued' ? head : undefined
  const kept = [...(known?.kept ?? []), ...shorten(row.body)]
  const bytes = (): number => kept.reduce((sum, body) => sum + sizeOf(body), 0)
  while (kept.length > keptMost || (kept.length > 1 && bytes() > keptBytes)) kept.shift()
  const question = known?.question ?? toQuestionId(c.id, randomId())
  const before = known?.body.kind === 'notice' ? known.body : undefined
  const body: NoticeBody = {
    v: 1,
    kind: 'notice',
    answers: [],
    language: row.body.language,
    about: row.id,
    outcome: before && before.outcome !== outcome ? 'unknown' : outcome,
    question: kept.length > 0 ? question : '',
    count: (before?.count ?? 0) + 1,
    kept: kept.length,
  }
  if (known) Object.assign(known, { body, kept })
  else addNotice(state, c, { row, body, kept, question })
  row.notice = known?.id ?? c.queue[0] ?? ''
  if (kept.length === 0) return
  state.questions.set(question, {
    conversation: c.id,
    untilMs: state.nowMs() + questionLivesMs,
    receipt: '',
    // One that was answered meanwhile stays so.
    ...state.questions.get(question),
    question: {
      v: 1,
      id: question,
      kind: showAgainKind,
      owner: '*',
      options: ['show'],
      payload: JSON.stringify(kept.length === 1 ? kept[0] : kept),
    },
  })
}

function addNotice(
  state: MemoryState,
  c: MemoryConversation,
  { row, body, kept, question }: { row: MemoryRow; body: NoticeBody; kept: readonly OutBody[]; question: string },
): void {
  const nowMs = state.nowMs()
  state.lastId += 1
  const id = `notice-${state.lastId}`
  c.rows.set(id, {
    ...toMemoryRow(id, body, { cameAtMs: nowMs, expiresAtMs: nowMs + noticeExpiresMs }),
    notBeforeMs: nowMs + noticeAfterMs,
    early: true,
    overAtMs: nowMs + row.expiresAtMs - row.cameAtMs,
    kept,
    question,
  })
  c.queue.unshift(id)
  wake(c, 'out', nowMs + noticeAfterMs)
}

/** What was lost has arrived after all. */
export function takeBack(state: MemoryState, c: MemoryConversation, id: string): void {
  const notice = c.rows.get(id)
  if (notice?.state !== 'queued' || notice.body.kind !== 'notice') return
  const { count = 1 } = notice.body
  if (count > 1) {
    notice.body = { ...notice.body, count: count - 1 }
    return
  }
  c.queue = c.queue.filter((queued) => queued !== id)
  c.rows.delete(id)
  state.questions.delete(notice.question ?? '')
}
