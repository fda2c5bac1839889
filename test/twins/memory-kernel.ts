// The kernel's in-memory twin: the model of the property tests and the fast kernel of tests that are not about Redis.
// It passes the contract suite; its clock is given, so a test moves time instead of waiting.
import { homeOf, isTask, toTask, type Address } from '#shared/chat/address.ts'
import { hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import { toPartition } from '#queues/partition.ts'
import { toArtifactArgs } from '#queues/artifacts/artifact-args.ts'
import { questionsOn } from '#queues/questions/stored-question.ts'
import type { ClaimResult, Kernel } from '#queues/kernel/kernel.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { Append, AppendResult } from '#shared/run/step.ts'
import { toEndRow } from '#shared/run/out-row.ts'
import { endSession, expectRoomForWork, keepArtifacts, memoryArtifacts } from './memory-artifacts.ts'
import { askedIn, findCards, passBy, resolve, say, toOtherwise } from './memory-answers.ts'
import { findDue, toDue } from './memory-due.ts'
import { forgetBeside } from './memory-forgetting.ts'
import { acknowledge, expectRoomForLetters, giveOut, receive, write } from './memory-letters.ts'
import { eraseRecords, forgetRecords, freshRecords, memoryRecords, recordAll, recordIgnored } from './memory-records.ts'
import { buttonsOf, show } from './memory-shown.ts'
import { addRow, begin, promote, settle } from './memory-outbox.ts'
import { dropTask, expectRoomForTasks, tellTasks } from './memory-tasks.ts'
import { arm, ask, cancel, disarm, expectRoom, expire, fire, settleAsked, timersOf } from './memory-questions.ts'
import {
  consume,
  dedupeMs,
  enqueue,
  enqueueAt,
  erasure,
  forgetOverheard,
  giveStartBack,
  isCongested,
  isFromBefore,
  isLive,
  isThere,
  leaveWork,
  isFull,
  openConversation,
  taken,
  waiting,
  wake,
  type MemoryConversation,
  type MemoryState,
  type Wake,
} from './memory-state.ts'

const mostWaiting = 20_000
const longestPutOffMs = 20_000
const mostWaitingBytes = 32 * 1024 * 1024
const mostAside = 100
const asideMs = 30 * 86_400_000
const wakes: readonly Wake[] = ['route', 'run', 'out']

export function createMemoryKernel(
  nowMs: () => number = Date.now,
  isOwnerGone: (owner: string) => boolean = () => false,
): Kernel {
  const state: MemoryState = {
    nowMs,
    timers: new Map(),
    conversations: new Map(),
    erased: new Map(),
    questions: new Map(),
    lastId: 0,
    letters: [],
    lettersDue: new Map(),
    lettered: 0,
    records: freshRecords(),
  }
  const open = (id: ConversationId): MemoryConversation => openConversation(state, id)

  const park = async (id: ConversationId, reason: string): Promise<void> => {
    if (!isThere(state, id)) return
    const c = open(id)
    c.parked = reason || 'no reason given'
    c.wake.clear()
  }

  return {
    async ingest({ event, dedupeKey, stop, echo, agoMs }) {
      const [c, atMs] = [open(event.conversation), nowMs()]
      const seen = c.seen.get(dedupeKey)
      if (seen && seen.atMs > atMs - dedupeMs) return { kind: 'DUP', seq: seen.seq }
      if (isFromBefore(c, agoMs, atMs)) return { kind: 'DUP', seq: 0 }
      const stops = (seq: number): void => {
        if (stop !== 'none') c.stops[stop === 'all' ? '*' : event.principal] = seq
      }
      if (isFull(c, mostWaiting, mostWaitingBytes)) {
        stops(c.seq + 0.5)
        return { kind: 'FULL', seq: 0 }
      }
      const isNews = c.parked === undefined && !c.wake.has('route')
      const seq = enqueue(c, event, atMs)
      c.seen.set(dedupeKey, { seq, atMs })
      stops(seq)
      if (echo) show(c, { at: atMs, role: 'person', event })
      return { kind: 'NEW', seq, ...(isNews ? { wakes: true } : {}) }
    },

    async halt(id, principal, spares = '') {
      const c = open(id)
      if (c.seq === 0) return
      const known = c.seen.get(spares)?.seq
      const at = known === undefined ? c.seq + 0.5 : known - 0.5
      c.stops[principal] = Math.max(at, c.stops[principal] ?? 0)
    },

    async inbox(id, limit, look) {
      const lostAfterMs = look?.lostAfterMs
      const [c, atMs] = [open(id), nowMs()]
      if (c.parked !== undefined) return { routedSeq: 0, events: [] }
      const last = Math.min(c.seq, c.routed + limit)
      const isSeen = c.looked?.head === c.routed + 1 && c.seq > c.routed
      const wasLost = isSeen && atMs - (c.looked?.atMs ?? 0) >= (lostAfterMs ?? Infinity)
      if (look?.allOrNone && (wasLost || c.seq > last)) return { routedSeq: c.routed, events: [], more: true }
      const events = [...c.events]
        .filter(([seq]) => seq > c.routed && seq <= last)
        .map(([seq, event]) => ({ seq, event }))
      if (events.length === 0) c.wake.delete('route')
      else taken(c, 'route')
      const [head] = events
      if (head && lostAfterMs !== undefined) {
        const before = c.looked?.head === head.seq ? c.looked : { count: 0, atMs: 0 }
        const isLost = atMs - before.atMs >= lostAfterMs
        c.looked = { head: head.seq, ...(isLost ? { count: before.count + 1, atMs } : before) }
      }
      return {
        routedSeq: c.routed,
        events,
        ...(c.reply ? { previousReply: c.reply } : {}),
        ...(head && lostAfterMs !== undefined && c.looked ? { looks: c.looked.count } : {}),
        ...(events.length > 0 && askedIn(state, id).length > 0 ? { asks: true } : {}),
      }
    },

    async forgetLooks(id) {
      delete open(id).looked
    },

    async route(id, expectedRoutedSeq, decisions, ids = []) {
      const [c, atMs] = [open(id), nowMs()]
      if (c.routed !== expectedRoutedSeq) return { kind: 'BEHIND' }
      const last = expectedRoutedSeq + decisions.length
      const isGone = (known: string, i: number): boolean => {
        const seq = expectedRoutedSeq + i + 1
        return seq > c.seq || (c.events.get(seq)?.id ?? known) !== known
      }
      if (ids.some(isGone)) return { kind: 'BEHIND' }
      if (last > c.seq) throw new BotError('internal', `More decisions than events: ${last} of ${c.seq}.`)
      const tasks: Address[] = []
      const done = decisions.flatMap((ruling, i) => {
        const seq = expectedRoutedSeq + i + 1
        const decision = c.consumed.has(seq) ? toOtherwise(ruling) : say(state, c, seq, ruling)
        if (decision.act === 'ignore' && decision.on !== undefined && isTask(decision.on)) tasks.push(decision.on)
        else recordIgnored(state, id, decision)
        if (decision.act === 'command' && decision.aside && !c.consumed.has(seq)) passBy(state, id, seq)
        if (decision.act === 'ignore' || c.consumed.has(seq)) return [seq]
        c.decisions.set(seq, decision)
        return []
      })
      c.routed = last
      delete c.looked
      consume(c, done)
      if (c.routed >= c.seq) c.wake.delete('route')
      const work = c.cursor < c.routed
      const isNews = work && c.parked === undefined && !c.wake.has('run')
      if (work) wake(c, 'run', atMs)
      else forgetOverheard(c, atMs)
      return { kind: 'OK', work, ...(isNews ? { wakes: true } : {}), ...(tasks.length > 0 ? { tasks } : {}) }
    },

    async claim(id, owner, ttlMs): Promise<ClaimResult> {
      if (!isThere(state, id)) return { kind: 'GONE' }
      const [c, atMs] = [open(id), nowMs()]
      if (c.parked !== undefined) return { kind: 'PARKED', reason: c.parked }
      const holds = isLive(c.lease, atMs)
      const by = holds ? c.lease?.owner : undefined
      if (by !== undefined && by !== owner && !isOwnerGone(by)) return { kind: 'HELD' }
      const pending = waiting(c, c.cursor)
      const head = pending[0]?.seq ?? 0
      const before = c.attempts?.head === head ? c.attempts : { starts: [], excused: 0 }
      const earlier = by === owner && before.starts.at(-1) === c.epoch ? before.starts.slice(0, -1) : before.starts
      c.lease = { owner, untilMs: atMs + ttlMs }
      c.isHeld = true
      delete c.forgottenAtMs
      c.epoch = Math.max(c.epoch + 1, atMs)
      c.attempts = { head, starts: [...earlier, c.epoch], excused: before.excused }
      if (pending.length === 0) c.wake.delete('run')
      else taken(c, 'run')
      return {
        kind: 'CLAIMED',
        epoch: c.epoch,
        ...(c.snapshot ? { snapshot: c.snapshot } : {}),
        parts: Object.fromEntries(c.parts),
        ...(c.rest === undefined ? {} : { rest: c.rest }),
        journalSeq: c.journalSeq,
        tail: c.journal.filter((kept) => kept.seq > c.snapshotSeq),
        pending,
        routedSeq: c.routed,
        attempts: c.attempts.starts.length,
        stops: { ...c.stops },
        atMs,
        isCongested: isCongested(open(homeOf(id)), nowMs()),
      }
    },

    async renew(id, owner, ttlMs) {
      const [c, atMs] = [open(id), nowMs()]
      if (!isLive(c.lease, atMs) || c.lease.owner !== owner) return { kind: 'LOST' }
      c.lease = { owner, untilMs: atMs + ttlMs }
      return { kind: 'OK', stops: { ...c.stops } }
    },

    async pending(id, afterSeq) {
      const c = open(id)
      return {
        events: waiting(c, afterSeq),
        routedSeq: c.routed,
        stops: { ...c.stops },
        isCongested: isCongested(open(homeOf(id)), nowMs()),
      }
    },

    findEvent: async (id, seq) => open(id).events.get(seq),

    append: async (id, epoch, step) => append(state, open(id), epoch, step),

    async disown(id, owner) {
      const c = open(id)
      if (c.lease?.owner === owner) delete c.lease
      if (c.sender?.owner === owner) delete c.sender
    },

    async release(id, owner, epoch, force) {
      const c = open(id)
      if (c.epoch !== epoch) return 'FENCED'
      const more = c.cursor < c.routed
      const holds = isLive(c.lease, nowMs()) && c.lease.owner === owner
      if (more && !force) return holds ? 'MORE' : 'FENCED'
      if (holds) delete c.lease
      c.isHeld = false
      c.attempts = undefined
      if (!more) c.wake.delete('run')
      return more ? 'MORE' : 'RELEASED'
    },

    async excuse(id, epoch, why) {
      const { attempts } = open(id)
      if (!attempts?.starts.includes(epoch)) return
      if (why === 'lost') attempts.excused += 1
      if (why === 'waiting' || attempts.excused <= 50) attempts.starts = attempts.starts.filter((one) => one !== epoch)
    },
    async putOff(id, owner, epoch, forMs) {
      const [c, atMs] = [open(id), nowMs()]
      const isHeld = giveStartBack(c, { owner, epoch }, atMs)
      if (isHeld && c.wake.has('run')) c.wake.set('run', { sinceMs: atMs + forMs, lookMs: atMs + forMs })
    },
    leave: async (work, id, hold) => leaveWork(open(id), { work, hold, atMs: nowMs() }),

    async saveDraft(id, draft) {
      const c = open(id)
      if (!c.rows.has(toEndRow(draft.turn))) c.draft = { draft, untilMs: nowMs() + 60_000 }
      return false
    },
    async findDraft(id) {
      const saved = open(id).draft
      return saved && saved.untilMs > nowMs() ? saved.draft : undefined
    },

    async begin(sender, op) {
      const by = open(sender.conversation).sender
      const isOthers = isLive(by, nowMs()) && by.owner !== sender.owner
      return begin(state, sender, op, isOthers && isOwnerGone(by.owner) ? by.owner : undefined)
    },
    promote: async (sender, beginning, op) => promote(state, sender, beginning, op),
    settle: async (sender, row, outcome, op) => settle(state, sender, row, { ...outcome, op }),

    resolve: async (press) => resolve(state, press),
    findCards: async (id, messages) => findCards(state, open(id), messages),

    ...memoryRecords(state),
    ...memoryArtifacts(state),
    fire: async (partition, holdsBack) => fire(state, partition, holdsBack),

    giveOut: async (partition) => giveOut(state, partition),
    receive: async (to, from, letters, agoMs) => receive(state, open(to), { from, letters, agoMs }),
    acknowledge: async (partition, to, letters, putOffMs) => acknowledge(state, { partition, to }, letters, putOffMs),

    async replay(id) {
      const c = open(id)
      if (nowMs() - c.asideAtMs > asideMs) c.aside.clear()
      const kept = [...c.aside].toSorted(([a], [b]) => a - b)
      for (const [seq, event] of kept) enqueue(c, { ...event, replayed: seq }, nowMs())
      c.aside.clear()
      return kept.length
    },

    due: async (partition, graceMs, gone) => findDue(state, partition, graceMs, gone).due.slice(0, 100).map(toDue),
    async sweep(partition, graceMs, gone) {
      const atMs = nowMs()
      const { due: all, holders } = findDue(state, partition, graceMs, gone)
      const found = all.filter(({ lookMs }) => lookMs <= atMs - graceMs).slice(0, 100)
      const due = found.map(toDue)
      for (const { c, what, sinceMs } of found) {
        if (what === 'run') c.isHeld = false
        const afterMs = Math.min(longestPutOffMs, 1000 + sinceMs / 2)
        c.wake.set(what, { sinceMs: atMs - sinceMs, lookMs: atMs - graceMs + afterMs })
      }
      const here = [...state.conversations.values()].filter((c) => toPartition(c.id) === partition)
      const ages = here.flatMap((c) => [...c.wake.values()].map(({ sinceMs }) => atMs - sinceMs))
      const ticks = [...state.timers.values()].filter(({ conversation }) => toPartition(conversation) === partition)
      const fires = ticks.some(({ dueMs }) => dueMs <= atMs) || giveOut(state, partition).letters.length > 0
      return { work: ages.length, oldestMs: Math.max(0, ...ages), holders, fires, due }
    },

    async archive(partition, idleMs, most) {
      const all = [...state.conversations.values()].filter((c) => toPartition(c.id) === partition)
      const found = all.filter((c) => c.touchedAtMs <= nowMs() - idleMs).slice(0, most)
      for (const c of found) putAway(state, c)
      return found.length
    },

    async readOut(id, after, limit) {
      return open(id)
        .shown.filter((item) => Number(item.id) > Number(after))
        .slice(0, limit)
    },
    async readOutBefore(id, before, limit) {
      return open(id)
        .shown.filter((item) => before === '0' || Number(item.id) < Number(before))
        .slice(-limit)
    },

    async erase(id, before) {
      const { seen, tasks } = open(id)
      const atMs = before ?? nowMs()
      if (before !== undefined && (seen.get(erasure)?.atMs ?? 0) >= before) return before
      state.erased.set(id, seen.set(erasure, { seq: 0, atMs }))
      for (const number of tasks.keys()) dropTask(state, open(id), number)
      eraseRecords(state, id)
      state.conversations.delete(id)
      for (const { conversation, name } of state.timers.values()) if (conversation === id) disarm(state, id, name)
      state.letters = state.letters.filter(({ from }) => from !== id)
      for (const [question, { conversation }] of state.questions)
        if (conversation === id) state.questions.delete(question)
      return atMs
    },

    async forget(event, positions) {
      const c = open(event.conversation)
      const isGone = (item: OutItem): boolean => positions.includes(`${item.at}-${item.id}`)
      const blank = { role: 'person', event } as const
      const blanked = c.shown.filter(isGone)
      c.shown = c.shown.map((item) => (isGone(item) ? { id: item.id, at: item.at, ...blank } : item))
      for (const item of blanked)
        for (const { id } of buttonsOf(item)) {
          const [question = ''] = id.split('.')
          if (!expire(state, question, 'forgotten')) state.questions.delete(question)
        }
      for (const [id, { question, conversation }] of state.questions) {
        const isKnown = question.topic !== undefined || question.deadlineMs !== undefined
        if (conversation !== c.id || !isKnown || !question.about?.includes(event.messageId)) continue
        if (question.deadlineMs === undefined) state.questions.delete(id)
        else expire(state, id, 'forgotten')
      }
      for (const [number, messages] of c.tasks) if (messages.includes(event.messageId)) dropTask(state, c, number)
      const tasks = [...c.tasks.keys()].map((number) => toTask(c.id, number))
      for (const id of [c.id, ...tasks]) forgetBeside(state, open(id), event.messageId)
      for (const task of tasks) enqueueAt(state, task, event)
      forgetRecords(state, c.id, event.messageId)
      c.reply = ''
      if (blanked.length > 0) show(c, { ...blank, at: nowMs() })
    },

    park,
    async unpark(id) {
      const c = open(id)
      delete c.parked
      if (!isThere(state, id)) return
      for (const what of isTask(id) ? (['run'] as const) : wakes) wake(c, what, nowMs())
    },
  }
}

/** Leaves what was set, and what web and console show. */
function putAway(state: MemoryState, c: MemoryConversation): void {
  const nowMs = state.nowMs()
  c.touchedAtMs = nowMs
  const isBusy = c.wake.size + c.events.size + c.queue.length + c.aside.size + c.tasks.size > 0 || isTask(c.id)
  const isHeld = isLive(c.lease, nowMs) || isLive(c.sender, nowMs) || timersOf(state, c).length > 0
  if (c.parked !== undefined || isBusy || isHeld || c.journalSeq > c.snapshotSeq) return
  // Of one that did not say what was set all stays as it is.
  if (c.snapshot && c.rest === undefined) return
  state.conversations.delete(c.id)
  const left = openConversation(state, c.id)
  if (c.rest) left.snapshot = left.rest = c.rest
  if (c.shown.length === 0) return
  left.shown = c.shown
  left.seq = left.routed = left.cursor = c.seq
}

function append(state: MemoryState, c: MemoryConversation, epoch: number, step: Append): AppendResult {
  const atMs = state.nowMs()
  if (c.epoch !== epoch) return { kind: 'FENCED' }
  if (c.steps.has(step.key)) {
    return {
      kind: 'DUP',
      routedSeq: c.routed,
      released: step.release === true && !isLive(c.lease, atMs),
      journalSeq: c.journalSeq,
    }
  }
  const stopped = Math.max(c.stops[step.unlessStopped?.principal ?? ''] ?? 0, c.stops['*'] ?? 0)
  if (step.unlessStopped && stopped > step.unlessStopped.firstSeq) return { kind: 'STOPPED' }
  const unknown = step.consume?.find((seq) => seq > c.seq)
  if (unknown !== undefined) return { kind: 'FENCED' }
  if (step.afterSeq !== undefined && step.afterSeq !== c.journalSeq) return { kind: 'FENCED' }
  const isOther = step.known?.some(({ seq, id }) => (c.events.get(seq)?.id ?? id) !== id)
  if (isOther) return { kind: 'FENCED' }

  expectRoom(state, c, step)
  expectRoomForLetters(state, c, step.letters ?? [])
  expectRoomForTasks(openConversation(state, homeOf(c.id)), step.signals ?? [])
  for (const artifact of step.artifacts ?? []) toArtifactArgs(artifact)
  expectRoomForWork(c, step)
  for (const entry of step.entries) c.journal.push({ seq: ++c.journalSeq, entry })
  c.steps.set(step.key, c.journalSeq)
  for (const seq of step.setAside ?? []) {
    const event = c.events.get(seq)
    if (event) c.aside.set(seq, event)
    c.asideAtMs = atMs
  }
  for (const seq of [...c.aside.keys()].toSorted((a, b) => a - b).slice(0, -mostAside)) c.aside.delete(seq)
  const home = openConversation(state, homeOf(c.id))
  const task = isTask(c.id) ? c.id : undefined
  for (const row of step.rows ?? []) addRow(home, row, atMs)
  for (const which of step.cancels ?? []) cancel(state, home, which, task)
  for (const question of step.questions ?? []) ask(state, home, question, task)
  if (hasStream(home.id))
    for (const { id: row, body } of step.rows ?? [])
      settleAsked(state, { asks: questionsOn(body), end: 'sent', receipt: '', row })
  for (const id of step.closes ?? []) state.questions.delete(id)
  for (const { name, event, inMs } of step.timers ?? [])
    arm(state, { conversation: c.id, name, dueMs: atMs + inMs, fires: event })
  for (const name of step.disarms ?? []) disarm(state, c.id, name)
  write(state, c, step.letters ?? [])
  tellTasks(state, home, step)
  recordAll(state, home, step.records ?? [])
  keepArtifacts(c, step, atMs)
  if (step.endsSession) endSession(c, atMs)
  if (step.consume?.length) {
    consume(c, step.consume)
    if (c.cursor < c.routed) {
      c.wake.delete('run')
      wake(c, 'run', atMs)
    }
  }
  if (step.reply !== undefined) c.reply = step.reply.slice(-2000)
  for (const [name, part] of Object.entries(step.parts ?? {})) {
    if (part === '') c.parts.delete(name)
    else c.parts.set(name, part)
  }
  if (step.snapshot) c.snapshot = step.snapshot
  c.rest = step.rest ?? c.rest
  if (step.folds) fold(c, step.key)
  if (step.progress) c.attempts = undefined
  const released = step.release === true && c.cursor >= c.routed
  if (released) {
    delete c.lease
    c.isHeld = false
    c.attempts = undefined
  }
  return { kind: 'OK', routedSeq: c.routed, released, journalSeq: c.journalSeq }
}

/** Journal and step keys are kept from the fold before on. */
function fold(c: MemoryConversation, key: string): void {
  c.journal = c.journal.filter((kept) => kept.seq > c.snapshotSeq)
  for (const [step, seq] of c.steps) if (seq <= c.snapshotSeq && step !== key) c.steps.delete(step)
  c.snapshotSeq = c.journalSeq
  delete c.draft
}
