// Records of the in-memory twin: what a step adds, what becomes of it, and who has read to where.
import { hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import type { Decision } from '#shared/chat/decision.ts'
import type { Feedback } from '#shared/run/feedback.ts'
import type { Recorded, RecordLine } from '#shared/run/record.ts'
import { toTurn } from '#shared/run/out-row.ts'
import { partitions, toPartition } from '#queues/partition.ts'
import type { GoneLine, Passing, Records } from '#queues/records/records.ts'
import { expectRoomForLetters, write } from './memory-letters.ts'
import { openConversation, type MemoryConversation, type MemoryRecords, type MemoryState } from './memory-state.ts'

const mostGivenUp = 200
const mostUnlinked = 500
const mostFeedback = 200
const mostOfOne = 20
const mostInLine = 100
const mostLookedAt = 16
const mostTurns = 100

export const freshRecords = (): MemoryRecords => ({
  lines: [],
  lastMs: 0,
  lastNumber: 0,
  readers: new Map(),
  kept: new Set(),
  named: new Map(),
})

type Unnamed = RecordLine extends infer Line
  ? Line extends RecordLine
    ? Omit<Line, 'name' | 'conversation'>
    : never
  : never

/** The messages that a record came of. */
function aboutOf(state: Parameters<typeof blank>[0], conversation: string, id: string): string[] {
  const before = `${conversation} @`
  return [...state.records.named].flatMap(([key, ids]) =>
    key.startsWith(before) && ids.includes(id) ? [key.slice(before.length)] : [],
  )
}

function add({ records, nowMs }: MemoryState, conversation: ConversationId, line: Unnamed): void {
  const ms = Math.max(Math.floor(nowMs()), records.lastMs)
  records.lastNumber = ms === records.lastMs ? records.lastNumber + 1 : 0
  records.lastMs = ms
  records.lines = [...records.lines, { ...line, name: `${ms}-${records.lastNumber}`, conversation }]
}

const toKey = (conversation: ConversationId, message: string): string => `${conversation} ${message}`

function link({ records }: MemoryState, conversation: ConversationId, message: string, id: string): void {
  const key = toKey(conversation, message)
  records.named.set(key, [...(records.named.get(key) ?? []), id])
}

const has = ({ records }: MemoryState, conversation: ConversationId, id: string): boolean =>
  records.kept.has(toKey(conversation, id))

function blank({ records }: MemoryState, conversation: ConversationId, id: string): void {
  records.kept.delete(toKey(conversation, id))
  for (const [key, ids] of records.named)
    if (key.startsWith(`${conversation} `))
      records.named.set(
        key,
        ids.filter((one) => one !== id),
      )
}

/** So many records at once, and so many links to them. */
function toPortions({ records }: MemoryState, id: ConversationId, ids: readonly string[]): readonly string[][] {
  const lists = [...records.named].flatMap(([key, list]) => (key.startsWith(`${id} `) ? [new Set(list)] : []))
  const portions: string[][] = []
  let weight = mostUnlinked
  for (const one of ids) {
    const last = portions.at(-1)
    if (last && weight < mostUnlinked && last.length < mostGivenUp) last.push(one)
    else {
      portions.push([one])
      weight = 0
    }
    weight += 1 + lists.filter((list) => list.has(one)).length
  }
  return portions
}

function blankMessage(state: MemoryState, id: ConversationId, message: string, why: 'forgotten' | 'edited'): void {
  const ids = state.records.named.get(toKey(id, `@${message}`)) ?? []
  const portions = toPortions(state, id, ids)
  for (const one of ids) blank(state, id, one)
  for (const some of portions)
    add(state, id, { kind: 'forgotten', ids: some, forgotten: { v: 1, messages: [message], why } })
  if (ids.length === 0 && why === 'forgotten') addUnknown(state, id, message)
}

/** Shares a line with the others of its conversation, if that is among the last ones of the partition. */
function addUnknown(state: MemoryState, id: ConversationId, message: string): void {
  const { records } = state
  const here = records.lines.filter(({ conversation }) => toPartition(conversation) === toPartition(id))
  const last = here.slice(-mostLookedAt).findLast(({ conversation }) => conversation === id)
  const shared = last?.kind === 'forgotten' && last.ids.length === 0 ? last.forgotten : undefined
  const before = shared?.why === 'forgotten' && shared.messages.length < mostInLine ? shared.messages : []
  if (before.includes(message)) return
  if (before.length > 0) records.lines = records.lines.filter((line) => line !== last)
  add(state, id, { kind: 'forgotten', ids: [], forgotten: { v: 1, messages: [...before, message], why: 'forgotten' } })
}

export const forgetRecords = (state: MemoryState, id: ConversationId, message: string): void =>
  blankMessage(state, id, message, 'forgotten')

export function eraseRecords(state: MemoryState, id: ConversationId): void {
  for (const line of state.records.lines) if (line.conversation === id && 'record' in line) blank(state, id, line.id)
  add(state, id, { kind: 'erased' })
}

function addFeedback(state: MemoryState, conversation: ConversationId, id: string, feedback: Feedback): void {
  const known = state.records.lines.filter(
    (line) => line.kind === 'feedback' && line.conversation === conversation && line.id === id,
  )
  const own = known.filter((line) => line.kind === 'feedback' && line.feedback.by === feedback.by)
  if (has(state, conversation, id) && known.length < mostFeedback && own.length < mostOfOne)
    add(state, conversation, { kind: 'feedback', messages: aboutOf(state, conversation, id), id, feedback })
}

export function recordAll(
  state: MemoryState,
  { id: conversation }: MemoryConversation,
  all: readonly Recorded[],
): void {
  for (const recorded of all)
    if (recorded.kind === 'edited') blankMessage(state, conversation, recorded.message, 'edited')
    else if (recorded.kind === 'feedback') {
      const { on, feedback } = recorded
      const id = 'turn' in on ? on.turn : state.records.named.get(toKey(conversation, `@${on.message}`))?.at(-1)
      if (id) addFeedback(state, conversation, id, feedback)
    } else {
      const { about } = recorded
      const id = recorded.kind === 'turn' ? recorded.record.turn : recorded.record.work
      if (has(state, conversation, id)) continue
      state.records.kept.add(toKey(conversation, id))
      const messages = [...new Set(about)]
      for (const message of messages) link(state, conversation, `@${message}`, id)
      if (recorded.kind === 'turn') add(state, conversation, { kind: 'turn', id, messages, record: recorded.record })
      else add(state, conversation, { kind: 'work', id, messages, record: recorded.record })
    }
}

/** What an ignored event says of an earlier answer. */
export function recordIgnored(state: MemoryState, conversation: ConversationId, decision: Decision): void {
  if (decision.act !== 'ignore' || decision.on === undefined || !decision.feedback) return
  const id = state.records.named.get(toKey(conversation, `>${decision.on}`))?.at(-1)
  if (id) addFeedback(state, conversation, id, decision.feedback)
}

export function nameAnswer(state: MemoryState, conversation: ConversationId, row: string, receipt: string): void {
  const id = toTurn(row)
  const known = state.records.named.get(toKey(conversation, `>${receipt}`))
  if (receipt !== '' && has(state, conversation, id) && !known?.includes(id))
    link(state, conversation, `>${receipt}`, id)
}

const isAfter = (name: string, other: string): boolean => {
  const [ms = 0, n = 0] = name.split('-').map(Number)
  const [otherMs = 0, otherN = 0] = other.split('-').map(Number)
  return ms > otherMs || (ms === otherMs && n > otherN)
}

export function memoryRecords(state: MemoryState): Records {
  const here = (partition: number) =>
    state.records.lines.filter(({ conversation }) => toPartition(conversation) === partition)
  const reader = (partition: number, name: string) => {
    const key = `${partition} ${name}`
    const known = state.records.readers.get(key) ?? { after: '0-0', starts: 0, by: [], aside: 0 }
    state.records.readers.set(key, known)
    return known
  }
  const pass = ({
    partition,
    reader: name,
    before,
    name: to,
    goesOn,
    by = '',
    setAside,
    from,
    letters = [],
  }: Passing) => {
    const at = reader(partition, name)
    if (at.after !== before) return 'BEHIND'
    if (from && letters.length > 0) {
      const c = openConversation(state, from)
      expectRoomForLetters(state, c, letters)
      write(state, c, letters)
    }
    at.after = to
    at.starts = goesOn ? 1 : 0
    at.by = goesOn ? [by] : []
    if (setAside) at.aside += 1
    return 'OK'
  }
  const toRead = (line: RecordLine): RecordLine | GoneLine => {
    const { name, conversation } = line
    if ('record' in line && !has(state, conversation, line.id)) return { name, conversation, kind: 'gone' }
    return 'messages' in line ? { ...line, messages: aboutOf(state, conversation, line.id) } : line
  }
  return {
    lastRecords: async () => Array.from({ length: partitions }, (_, partition) => here(partition).at(-1)?.name),
    readRecords: async (partition, after, limit) =>
      here(partition)
        .filter(({ name }) => isAfter(name, after))
        .slice(0, limit)
        .map(toRead),
    async readRecord(partition, name) {
      const line = here(partition).find((one) => one.name === name)
      return line && toRead(line)
    },
    async findPlace(partition, name, who) {
      const { after, starts, by } = reader(partition, name)
      return { after, starts: starts - (by.includes(who) ? 1 : 0) }
    },
    async startReading(partition, name, who) {
      const at = reader(partition, name)
      if (!here(partition).some((line) => isAfter(line.name, at.after))) return { after: at.after, starts: 0 }
      if (!at.by.includes(who)) {
        at.starts += 1
        at.by = [...at.by, who]
      }
      return { after: at.after, starts: at.starts }
    },
    passRecord: async (passing) => pass(passing),
    async giveUpRecords(partition, olderThanMs) {
      const oldest = state.nowMs() - olderThanMs
      const gone = here(partition)
        .filter(({ name }) => Number.parseInt(name, 10) < oldest)
        .slice(0, mostGivenUp)
      for (const line of gone) if ('record' in line) blank(state, line.conversation, line.id)
      const names = new Set(gone.map(({ name }) => name))
      state.records.lines = state.records.lines.filter(({ name }) => !names.has(name))
      return gone.length
    },
    async findTurn(conversation, by) {
      const turns = here(toPartition(conversation)).flatMap((line) =>
        line.kind === 'turn' && line.conversation === conversation && has(state, conversation, line.id) ? [line] : [],
      )
      const toFound = (line: (typeof turns)[number] | undefined) =>
        line && { record: line.record, about: aboutOf(state, conversation, line.id) }
      if (by === 'last') return toFound(turns.at(-1))
      const called = (turn: string) => toFound(turns.find(({ id }) => id === turn))
      if ('turn' in by) return called(by.turn)
      const named = (from: string) => {
        const ids = state.records.named.get(toKey(conversation, from)) ?? []
        return toFound(turns.findLast(({ id }) => ids.includes(id)))
      }
      const { message } = by
      const shown = hasStream(conversation) ? called(toTurn(message)) : undefined
      return named(`>${message}`) ?? named(`@${message}`) ?? shown
    },
    async findTurns(conversation, session) {
      const own = here(toPartition(conversation)).filter(
        (line) => line.conversation === conversation && 'record' in line && has(state, conversation, line.id),
      )
      return own.slice(-mostTurns).flatMap((line) => {
        if (line.kind !== 'turn' || line.record.session !== session) return []
        return [{ record: line.record, about: aboutOf(state, conversation, line.id) }]
      })
    },
    async lookAtRecords(partition) {
      const aside = [...state.records.readers].flatMap(([key, { aside: count }]) =>
        key.startsWith(`${partition} `) && count > 0 ? [[key.slice(`${partition} `.length), count] as const] : [],
      )
      const waits = [...state.records.readers].flatMap(([key, { after }]) => {
        const next = here(partition).find(({ name }) => isAfter(name, after))
        const [own, name] = key.split(' ', 2)
        return next && own === String(partition)
          ? [[name, state.nowMs() - Number.parseInt(next.name, 10)] as const]
          : []
      })
      const each = { aside: Object.fromEntries(aside), waitsMs: Object.fromEntries(waits) }
      return { lines: here(partition).length, bytes: 0, lost: 0, dropped: {}, failed: {}, ...each }
    },
  }
}
