// A turn read from its journal: what it took in, how far it came, and how it reads in a prompt.
import { expect, test } from 'vitest'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import {
  attemptsAt,
  callsLeft,
  eventsOf,
  foldTail,
  isSuspended,
  stepsDone,
  type OpenTurn,
} from '#services/executor/run/open-turn.ts'
import { toReplyTo } from '#services/executor/context/in-group.ts'
import { itemsOf, textOf, toUserItem } from '#services/executor/context/turn-items.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { parseState } from '#services/executor/state/stored.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import { ann, edit, nthMessage, wonPress } from '#test/rig/events.ts'
import { asked, call, done, ended, joined, openTurn as turn, said, started } from '#test/rig/journal-entries.ts'

const message = nthMessage
const edited = (n: number, of: number, text: string) => edit(text, { id: `e${n}`, messageId: `m${of}` })
const state = parseState(indexFeatures([]), { parts: {} }, 0)
const read = (open: OpenTurn, ...events: readonly ChatEvent[]) =>
  itemsOf(open, (seq) => events.find(({ id }) => id === `e${seq}`), state)

const tail = (...entries: readonly JournalEntry[]) => entries.map((entry) => ({ entry }))

test('a journal that ends within a turn leaves it open, with its own entries alone', () => {
  const other: JournalEntry = { v: 1, at: 0, turn: 'x1', t: 'applied', seqs: [9], what: 'x' }
  expect(foldTail(tail(other, started(), said(0)))).toEqual(turn(said(0)))
  expect(foldTail(tail(started(), said(0), ended()))).toBeUndefined()
  expect(foldTail(tail(other))).toBeUndefined()
  expect(foldTail([])).toBeUndefined()
})

test('of two turns in a journal the later one counts, whatever became of the first', () => {
  const next = started({ turn: 't2' })
  expect(foldTail(tail(started(), ended(), next))).toEqual({ start: next, entries: [next] })
  expect(foldTail(tail(started(), said(0), next))).toEqual({ start: next, entries: [next] })
})

test('a turn has taken in what it began with and what joined it', () => {
  expect(eventsOf(turn(said(0), joined(3, 4), said(1), joined(6)))).toEqual([1, 3, 4, 6])
})

test('its steps are the answers of the model, its attempts are those of one step', () => {
  const open = turn(asked(0, 1), asked(0, 2), said(0, 'a'), done(0, 'a'), asked(1, 1))
  expect(stepsDone(open)).toBe(1)
  expect([0, 1, 2].map((step) => attemptsAt(open, step))).toEqual([2, 1, 0])
})

test('the calls left are those of the last answer that have no result of that step', () => {
  expect(callsLeft(turn())).toEqual([])
  expect(callsLeft(turn(said(0, 'a', 'b'), done(0, 'a')))).toEqual([call('b')])
  expect(callsLeft(turn(said(0, 'a'), done(0, 'a'), said(1, 'a')))).toEqual([call('a')])
  expect(callsLeft(turn(said(0, 'a'), said(1)))).toEqual([])
})

test('a turn is suspended by a tool of its last answer alone', () => {
  const ends = { ends: 'suspended' } as const
  expect(isSuspended(turn(said(0, 'a'), done(0, 'a', ends)))).toBe(true)
  expect(isSuspended(turn(said(0, 'a'), done(0, 'a')))).toBe(false)
  expect(isSuspended(turn(said(0, 'a'), done(0, 'a', ends), said(1)))).toBe(false)
})

test('a turn reads in the order things happened', () => {
  const open = turn(asked(0, 1), said(0, 'a'), done(0, 'a', { source: 'own' }), joined(2), said(1))
  expect(read(open, message(1), message(2))).toEqual([
    { role: 'user', text: 'text 1', source: 'person', messageId: 'm1' },
    { role: 'assistant', text: 'said 0', source: 'own', toolCalls: [call('a')] },
    { role: 'tool', callId: 'a', text: 'found a', source: 'own' },
    { role: 'user', text: '[added] text 2', source: 'person', messageId: 'm2' },
    { role: 'assistant', text: 'said 1', source: 'own' },
  ])
})

test('a text that was given stands for the events, and holds no marks', () => {
  const start = started({ given: 'Go on ⟦now⟧' })
  const given = { start, entries: [start] }
  expect(read(given, message(1))).toEqual([{ role: 'user', text: 'Go on [now]', source: 'person', by: ann }])
  expect(textOf(given, [message(1)])).toBe('Go on ⟦now⟧')
})

test('what was edited before it was read is read as edited, by its last edit', () => {
  const open = { start: started(), entries: [started({ events: [1, 2, 3, 4] })] }
  const items = read(open, message(1), edited(2, 1, 'first'), edited(3, 1, 'second'), message(4))
  expect(items.map(({ text }) => text)).toEqual(['second', 'text 4'])
})

test('a correction that comes later is one, and names what it corrects', () => {
  expect(read(turn(said(0), joined(2)), message(1), edited(2, 1, 'new ⟦text⟧')).at(-1)).toEqual({
    role: 'user',
    text: '[correction of the earlier message] new [text]',
    source: 'person',
    messageId: 'm1',
  })
})

test('what people asked is their messages as they corrected them, line by line', () => {
  expect(textOf(turn(), [message(1), edited(2, 1, 'new'), message(3)])).toBe('new\ntext 3')
})

test('what came in by a press says nothing', () => {
  expect(toUserItem(wonPress(), {})).toEqual([])
  expect(toUserItem(undefined, {})).toEqual([])
  expect(textOf(turn(), [wonPress()])).toBe('')
})

test('in a group a person is named, alone with the bot they are not', () => {
  const people = { [ann]: 'Ann' }
  expect(toUserItem(message(1, { group: true }), people)).toMatchObject([{ name: 'Ann' }])
  expect(toUserItem(message(1), people)[0]).not.toHaveProperty('name')
  expect(toUserItem(message(1, { group: true }), {})[0]).not.toHaveProperty('name')
})

test('a message that quotes others is theirs too', () => {
  const sourceOf = (more: Partial<MessageEvent>) => toUserItem(message(1, more), {})[0]?.source
  expect(sourceOf({ quoted: [{ how: 'forward', text: 'x' }] })).toBe('others')
  expect(sourceOf({ replyTo: { messageId: '9', fromBot: false, text: 'x' } })).toBe('others')
  expect(sourceOf({ replyTo: { messageId: '9', fromBot: true } })).toBe('person')
  expect(sourceOf({})).toBe('person')
})

test('in a group a reply names the first message that was addressed to the bot', () => {
  const group = { group: true }
  const replyTo = (...events: readonly ChatEvent[]) => toReplyTo({}, started({}), events)
  expect(replyTo(message(1, { ...group, addressed: false }), message(2, group))).toEqual({ replyTo: 'm2' })
  expect(replyTo(message(1, { ...group, addressed: false }))).toEqual({ replyTo: 'm1' })
  expect(replyTo(message(1))).toEqual({})
  expect(replyTo(edited(2, 1, 'x'))).toEqual({})
  const { messageId: _, ...unnamed } = message(1, group)
  expect(replyTo(unnamed)).toEqual({})
})

test('a turn that a press or a letter began in a group answers the last message of its chat that it comes from', () => {
  const people = { [ann]: 'Ann' }
  const start = started({ about: ['m1', 'm7', '~elsewhere'] })
  expect(toReplyTo({ people }, start, [wonPress()])).toEqual({ replyTo: 'm7' })
  expect(toReplyTo({}, start, [wonPress()])).toEqual({})
  expect(toReplyTo({ people }, started({}), [wonPress()])).toEqual({})
})

test('work is named by its event, wherever that stands, unless it is replayed', () => {
  const name = (seq: number, id: string, more = {}) => toWorkId('t', { event: { ...message(seq), id, ...more } })
  // Another process, of a later release too, names it so.
  expect(name(5, 'a')).toBe('t3gum9vtv0sg34')
  expect(name(6, 'a')).toBe(name(5, 'a'))
  expect(name(5, 'b')).not.toBe(name(5, 'a'))
  expect(name(5, 'ab')).not.toBe(name(5, 'ba'))
  expect(name(6, 'a', { replayed: 5 })).not.toBe(name(6, 'a'))
  expect(name(9, 'a', { replayed: 6 })).not.toBe(name(6, 'a', { replayed: 5 }))
})
