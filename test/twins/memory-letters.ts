// Letters of the in-memory twin: written in one partition, received in another, kept until that is acknowledged.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { Letter } from '#shared/run/step.ts'
import type { CarriedLetter, GivenOut, Origin, Received } from '#queues/letters/letters.ts'
import { toPartition } from '#queues/partition.ts'
import {
  dedupeMs,
  enqueue,
  isFromBefore,
  isFull,
  sizeOf,
  type MemoryConversation,
  type MemoryState,
} from './memory-state.ts'

const mostLetters = 1000
const mostLetterBytes = 2 * 1024 * 1024
const mostInBox = 6000
const mostGivenOut = 100
const mostToOne = 50
const mostGivenOutBytes = 1024 * 1024
const mostWaiting = 1000
const knownByIdMs = 86_400_000
const mostWaitingBytes = 8 * 1024 * 1024

export function expectRoomForLetters(state: MemoryState, { id }: MemoryConversation, letters: readonly Letter[]): void {
  const own = state.letters.filter(({ from }) => from === id)
  const isMuch = own.length >= 64 && sizeOf(own.map(({ event }) => event)) >= mostLetterBytes
  if (letters.length > 0 && (own.length + letters.length > mostLetters || isMuch))
    throw new BotError('internal', `No conversation may have more than ${mostLetters} letters on their way.`)
  const partition = toPartition(id)
  const waiting = (to: ConversationId): number =>
    state.letters.filter((one) => one.partition === partition && one.event.conversation === to).length
  for (const [to, more] of Map.groupBy(letters, ({ event }) => event.conversation))
    if (waiting(to) + more.length > mostInBox)
      throw new BotError('internal', `No more than ${mostInBox} letters may be on their way to one conversation.`)
}

export function write(state: MemoryState, { id: from }: MemoryConversation, letters: readonly Letter[]): void {
  const partition = toPartition(from)
  for (const { event } of letters) {
    const isKnown = state.letters.some((one) => one.from === from && one.event.id === event.id)
    if (isKnown) continue
    const isFirst = !state.letters.some(
      (one) => one.partition === partition && one.event.conversation === event.conversation,
    )
    if (isFirst) state.lettersDue.set(`${partition} ${event.conversation}`, state.nowMs())
    state.lettered = Math.max(state.lettered + 1, state.nowMs() * 1000)
    state.letters = [...state.letters, { partition, from, number: state.lettered, event }]
  }
}

export function giveOut(state: MemoryState, partition: number): GivenOut {
  const atMs = state.nowMs()
  const here = state.letters.filter((letter) => letter.partition === partition)
  const dueMs = (to: ConversationId): number => state.lettersDue.get(`${partition} ${to}`) ?? 0
  const targets = [...new Set(here.map(({ event }) => event.conversation))]
    .filter((to) => dueMs(to) <= atMs)
    .toSorted((a, b) => dueMs(a) - dueMs(b) || (a < b ? -1 : 1))
  const all = targets.flatMap((to) => here.filter(({ event }) => event.conversation === to).slice(0, mostToOne))
  const left = here.filter(({ event }) => targets.includes(event.conversation))
  let bytes = 0
  const given = all.slice(0, mostGivenOut).flatMap(({ number, event }): CarriedLetter[] => {
    if (bytes >= mostGivenOutBytes) return []
    const says = JSON.stringify(event)
    bytes += Buffer.byteLength(says)
    return [{ to: event.conversation, number, id: event.id, says }]
  })
  return { more: left.length > given.length, strange: 0, atMs, letters: given }
}

type Mail = {
  readonly from: Origin
  readonly letters: readonly CarriedLetter[]
  readonly agoMs: number | undefined
}

export function receive(
  state: MemoryState,
  c: MemoryConversation,
  { from: { partition, atMs: givenAtMs }, letters, agoMs }: Mail,
): Received {
  const atMs = state.nowMs()
  let has = 0
  let isNew = false
  if (atMs - givenAtMs > knownByIdMs) return { has, isNew, refused: 'stale' }
  for (const { number, id, says } of letters) {
    const seen = c.seen.get(id)
    const mark = c.marks.get(partition) ?? 0
    if (number > mark || atMs - number / 1000 < knownByIdMs) {
      const isKnown = seen !== undefined && seen.atMs > atMs - dedupeMs
      if (!isKnown && !isFromBefore(c, agoMs, atMs)) {
        if (isFull(c, mostWaiting, mostWaitingBytes))
          return { has, isNew, refused: c.parked === undefined ? 'full' : 'parked' }
        c.seen.set(id, { seq: enqueue(c, { ...JSON.parse(says), at: atMs }, atMs), atMs })
        isNew = true
      }
      c.marks.set(partition, Math.max(mark, number))
    }
    has += 1
  }
  return { has, isNew }
}

export function acknowledge(
  state: MemoryState,
  { partition, to }: { readonly partition: number; readonly to: ConversationId },
  letters: readonly Pick<CarriedLetter, 'id'>[],
  putOffMs: number,
): void {
  const has = new Set(letters.map(({ id }) => id))
  const own = state.letters.filter((one) => one.partition === partition && one.event.conversation === to)
  const left = own.findIndex(({ event }) => !has.has(event.id))
  const gone = new Set(left < 0 ? own : own.slice(0, left))
  state.letters = state.letters.filter((letter) => !gone.has(letter))
  state.lettersDue.set(`${partition} ${to}`, state.nowMs() + putOffMs)
}
