// What the in-memory twin of the kernel remembers. Written from the interface's documentation, not from the Lua units.
import { homeOf, isTask, taskNumber, type Address } from '#shared/chat/address.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Decision } from '#shared/chat/decision.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Artifact } from '#shared/run/artifact.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { questionsOn } from '#queues/questions/stored-question.ts'
import type { Letter, QueuedEvent, Timer } from '#shared/run/step.ts'

export type Lease = { readonly owner: string; readonly untilMs: number }

export type MemoryRow = {
  readonly id: string
  body: OutBody
  cameAtMs: number
  readonly expiresAtMs: number
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'unknown' | 'expired' | 'split'
  attempts: number
  notBeforeMs: number
  /** When it came in, of a courtesy that let the rows behind it pass. */
  passedMs?: number
  /** A notice that goes ahead of its time once something else was sent. */
  early: boolean
  /** When a notice lets no more rows pass. */
  readonly overAtMs?: number
  /** The bodies that a notice's question shows again. */
  kept?: readonly OutBody[]
  readonly question?: string
  owner: string
  op: string
  begunAtMs: number
  /** When the first attempt began that may have arrived, once nobody knows its end. */
  maybeSinceMs?: number
  receipt: string
  /** Ids of the questions whose buttons it shows. */
  asks: readonly string[]
  endedAtMs: number
  /** The last part of a split one. */
  last?: string
  notice?: string
}

export type MemoryQuestion = {
  question: Question
  readonly conversation: ConversationId
  /** The task that asks it. */
  readonly task?: Address
  untilMs: number
  /** Of one with a deadline: since when its card is known to be there, whose receipt it has. */
  askedAtMs?: number
  receipt: string
  /** What a reply names to reply to it; empty while nobody knows. */
  card?: string
  /** The last event that came before it was asked, and before it was raised. */
  afterSeq?: number
  sinceSeq?: number
  answer?: { readonly by: string; readonly choice: string; readonly event: string }
  /** Nobody answered it: somebody pressed before what was said since was read. */
  isSpoilt?: boolean
}

export type MemoryArtifact = { readonly artifact: Artifact; readonly atMs: number; overAtMs: number }

export type Wake = 'route' | 'run' | 'out'

export type MemoryConversation = {
  readonly id: ConversationId
  seq: number
  routed: number
  cursor: number
  readonly consumed: Set<number>
  readonly events: Map<number, ChatEvent>
  readonly decisions: Map<number, Decision>
  /** The number of the last letter that came, by the partition of its writer. */
  readonly marks: Map<number, number>
  readonly seen: Map<string, { readonly seq: number; readonly atMs: number }>
  readonly stops: Record<string, number>
  readonly aside: Map<number, ChatEvent>
  asideAtMs: number
  reply: string
  parked?: string
  looked?: { readonly head: number; readonly count: number; readonly atMs: number }
  epoch: number
  lease?: Lease
  /** Claimed, and not given back. */
  isHeld: boolean
  attempts: { head: number; starts: number[]; excused: number } | undefined
  snapshot: string
  /** What stands beside the snapshot, by name. */
  readonly parts: Map<string, string>
  /** What is left of it once the conversation is put away; undefined before the first snapshot. */
  rest: string | undefined
  snapshotSeq: number
  journalSeq: number
  journal: { readonly seq: number; readonly entry: JournalEntry }[]
  readonly steps: Map<string, number>
  readonly rows: Map<string, MemoryRow>
  queue: string[]
  sender?: Lease
  /** Who edits a growing reply. */
  editor?: string
  shown: OutItem[]
  /** When something last happened. */
  touchedAtMs: number
  /** A conversation that is only overheard is forgotten then. */
  forgottenAtMs?: number
  congestedUntilMs: number
  /** Oldest first; `overAtMs` is when the session was over that they belong to, and of the last session this here. */
  artifacts: MemoryArtifact[]
  sessionOverAtMs: number
  draft?: { readonly draft: Draft; readonly untilMs: number }
  /** The messages that each of its tasks came of, by number. */
  readonly tasks: Map<number, readonly string[]>
  /** When each is due, and when the sweeper looks at it next. */
  readonly wake: Map<Wake, { readonly sinceMs: number; readonly lookMs: number }>
}

export type MemoryTimer = {
  readonly conversation: ConversationId
  readonly name: string
  readonly dueMs: number
  /** What fires: an event, or the end of the question with this id. */
  readonly fires: Timer['event'] | string
}

export type MemoryState = {
  readonly nowMs: () => number
  /** By conversation and name. */
  readonly timers: Map<string, MemoryTimer>
  readonly conversations: Map<ConversationId, MemoryConversation>
  /** Ids of events of those that were erased, and when that was. */
  readonly erased: Map<ConversationId, MemoryConversation['seen']>
  readonly questions: Map<string, MemoryQuestion>
  lastId: number
  /** In the order of writing, until they are acknowledged. */
  letters: readonly MemoryLetter[]
  /** When the letters of a partition to a conversation are due, by both, where they were put off. */
  readonly lettersDue: Map<string, number>
  lettered: number
  readonly records: MemoryRecords
}

export type MemoryRecords = {
  /** In the order of writing. */
  lines: readonly RecordLine[]
  /** Those whose text is there, by conversation and id. */
  readonly kept: Set<string>
  lastMs: number
  lastNumber: number
  /** By partition and reader. */
  readonly readers: Map<string, { after: string; starts: number; by: readonly string[]; aside: number }>
  /** Which records name a message, by conversation and message, and which messages a record names. */
  readonly named: Map<string, readonly string[]>
}

export type MemoryLetter = {
  readonly partition: number
  readonly from: ConversationId
  readonly number: number
  readonly event: Letter['event']
}

export function openConversation(state: MemoryState, id: ConversationId): MemoryConversation {
  const known = state.conversations.get(id)
  if (known && (known.forgottenAtMs ?? Infinity) > state.nowMs()) return known
  const fresh: MemoryConversation = {
    id,
    ...(known?.parked === undefined ? {} : { parked: known.parked }),
    seq: 0,
    routed: 0,
    cursor: 0,
    consumed: new Set(),
    events: new Map(),
    decisions: new Map(),
    marks: new Map(),
    seen: state.erased.get(id) ?? new Map(),
    stops: {},
    aside: new Map(),
    asideAtMs: 0,
    reply: '',
    epoch: 0,
    isHeld: false,
    attempts: undefined,
    snapshot: '',
    parts: new Map(),
    rest: undefined,
    snapshotSeq: 0,
    journalSeq: 0,
    journal: [],
    steps: new Map(),
    rows: new Map(),
    queue: [],
    shown: [],
    artifacts: [],
    sessionOverAtMs: Infinity,
    touchedAtMs: state.nowMs(),
    congestedUntilMs: 0,
    tasks: new Map(),
    wake: known?.wake ?? new Map(),
  }
  state.conversations.set(id, fresh)
  return fresh
}

export function isFull({ events }: MemoryConversation, most: number, mostBytes: number): boolean {
  return events.size >= most || (events.size >= 64 && sizeOf([...events.values()]) >= mostBytes)
}

export const sizeOf = (all: readonly unknown[]): number =>
  all.reduce<number>((sum, one) => sum + JSON.stringify(one).length, 0)

export const dedupeMs = 48 * 3_600_000
export const erasure = '=erased'
const roundedMs = 1

/** Whether it was taken `agoMs` ago, and the conversation was erased since. */
export function isFromBefore({ seen }: MemoryConversation, agoMs: number | undefined, nowMs: number): boolean {
  return agoMs !== undefined && nowMs - agoMs < (seen.get(erasure)?.atMs ?? 0) - roundedMs
}
export const questionLivesMs = 14 * 86_400_000

export function toMemoryRow(
  id: string,
  body: OutBody,
  { cameAtMs, expiresAtMs }: { readonly cameAtMs: number; readonly expiresAtMs: number },
): MemoryRow {
  return {
    id,
    body,
    cameAtMs,
    expiresAtMs,
    state: 'queued',
    attempts: 0,
    notBeforeMs: 0,
    early: false,
    owner: '',
    op: '',
    begunAtMs: 0,
    receipt: '',
    asks: questionsOn(body),
    endedAtMs: 0,
  }
}

export const isCongested = (c: MemoryConversation, nowMs: number): boolean => c.congestedUntilMs > nowMs

export function isLive(lease: Lease | undefined, nowMs: number): lease is Lease {
  return lease !== undefined && lease.untilMs > nowMs
}

/** The start counts for nothing, and its lease ends; tells whether that was still held. */
export function giveStartBack(
  c: MemoryConversation,
  { owner, epoch }: { readonly owner: string; readonly epoch: number },
  atMs: number,
): boolean {
  if (c.attempts) c.attempts.starts = c.attempts.starts.filter((one) => one !== epoch)
  if (!isLive(c.lease, atMs) || c.lease.owner !== owner) return false
  delete c.lease
  c.isHeld = false
  return true
}

/** The longer it has been due, the later another one is to look at it. */
export function leaveWork(
  c: MemoryConversation,
  { work, hold, atMs }: { work: Wake; hold: { owner: string; epoch: number } | undefined; atMs: number },
): void {
  if (hold) giveStartBack(c, hold, atMs)
  else delete c.looked
  const due = c.wake.get(work)
  const afterMs = Math.max(1000, Math.min(60_000, (atMs - (due?.sinceMs ?? 0)) / 8))
  if (due) c.wake.set(work, { ...due, lookMs: Math.round(atMs + afterMs) })
}

export function wake(c: MemoryConversation, what: Wake, atMs: number): void {
  if (c.parked !== undefined) return
  const { sinceMs = Infinity, lookMs = Infinity } = c.wake.get(what) ?? {}
  c.wake.set(what, { sinceMs: Math.min(sinceMs, atMs), lookMs: Math.min(lookMs, atMs) })
}

/** Somebody is at it: what the sweeper put off is due as before. */
export function taken(c: MemoryConversation, what: Wake): void {
  const due = c.wake.get(what)
  if (due) c.wake.set(what, { ...due, lookMs: due.sinceMs })
}

export function enqueue(c: MemoryConversation, event: ChatEvent, atMs: number): number {
  c.seq += 1
  delete c.forgottenAtMs
  c.touchedAtMs = atMs
  c.events.set(c.seq, event)
  if (isTask(c.id)) {
    c.decisions.set(c.seq, { v: 1, act: 'apply', rule: 'task' })
    c.routed = c.seq
  }
  wake(c, isTask(c.id) ? 'run' : 'route', atMs)
  return c.seq
}

/** Whether the task is there, of a conversation the conversation. */
export const isThere = (state: MemoryState, address: Address): boolean =>
  !isTask(address) || openConversation(state, homeOf(address)).tasks.has(taskNumber(address) ?? 0)

/** As `enqueue`; nothing for a task that is gone. */
export const enqueueAt = (state: MemoryState, address: Address, event: ChatEvent): number =>
  isThere(state, address) ? enqueue(openConversation(state, address), event, state.nowMs()) : 0

export function consume(c: MemoryConversation, seqs: readonly number[]): void {
  for (const seq of seqs) {
    if (seq <= c.cursor) continue
    c.consumed.add(seq)
    if (seq > c.routed) continue
    c.events.delete(seq)
    c.decisions.delete(seq)
  }
  while (c.cursor < c.routed && c.consumed.delete(c.cursor + 1)) c.cursor += 1
  if (c.cursor < c.routed) return
  c.wake.delete('run')
  for (const [who, seq] of Object.entries(c.stops)) if (seq <= c.cursor) delete c.stops[who]
}

/** Of a conversation in which nothing was ever done nothing stays but, for ten minutes, its counters. */
export function forgetOverheard(c: MemoryConversation, nowMs: number): void {
  if (c.cursor < c.seq || c.epoch > 0 || c.shown.length > 0) return
  c.seen.clear()
  c.forgottenAtMs = nowMs + 600_000
}

/** Routed, unconsumed events above `after`, at most 200. */
export function waiting(c: MemoryConversation, after: number): QueuedEvent[] {
  const found: QueuedEvent[] = []
  for (let seq = Math.max(after, c.cursor) + 1; seq <= c.routed && found.length < 200; seq++) {
    const [event, decision] = [c.events.get(seq), c.decisions.get(seq)]
    if (!c.consumed.has(seq) && event && decision) found.push({ seq, event, decision })
  }
  return found
}
