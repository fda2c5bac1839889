// What a feature keeps of a conversation is read with each claim and may have so many characters. Each slice is filled here with the longest ids of
// all channels, longer than anybody fills it, and stays below that at every step. A feature that is new has to say here what changes it.
import { expect, test } from 'vitest'
import fc from 'fast-check'
import type { Feature } from '#shared/feature/feature.ts'
import type { Slice } from '#shared/feature/slice.ts'
import { keeper, toOurs, type Kept } from '#shared/feature/kept.ts'
import { checkSlice } from '#services/executor/state/check-slice.ts'
import { createConfidence } from '#services/confidence/confidence.ts'
import * as notes from '#services/notebook/slice.ts'
import { longestKept } from '#services/questions/slice.ts'
import * as reminders from '#services/reminders/slice.ts'
import type { Listed } from '#services/tasks/view/listed.ts'
import * as tasks from '#services/tasks/home/slice.ts'
import { approvalsSlice, hasRoom, type Approvals } from '#services/tool-rights/slice.ts'
import { builtIn } from '#test/services/executor/stage.ts'
import { runs } from '#test/rig/property-runs.ts'

const longest = 64
const idOf = (nth: number): string => String(nth).padStart(longest, 'x')
const personOf = (nth: number): string => `telegram:${idOf(nth)}`
const idsOf = (nth: number, count: number): string[] => Array.from({ length: count }, (_, i) => idOf(nth * 100 + i))
const startMs = 1_795_790_152_531

/** What happens: the how manieth it is, who of how many people did it, how much later, and how much there is to say. */
type Event = {
  readonly nth: number
  readonly who: string
  readonly atMs: number
  readonly text: string
  readonly dice: number
}
/** A change as the feature makes it of an event; nothing where the feature refuses it. */
type Change = (slice: unknown, event: Event) => unknown

/** Words of a person of a group, of so many messages, in a turn that has read much of others. */
function toKept<T>(value: T, { nth, who }: Event, messages: number): Kept<T> {
  const taint = Array.from({ length: 8 }, (_, i) => `${i}`.padEnd(100, 't'))
  return keeper({ source: 'person', by: who, taint, about: idsOf(nth, messages) })(value)
}

const toReminder = (event: Event): reminders.Reminder => ({
  id: event.nth + 1,
  who: toOurs(event.who),
  said: toKept({ text: event.text.slice(0, 1000), name: event.text.slice(0, 64) }, event, 3),
  kind: 'cron',
  zone: toOurs('America/Argentina/ComodRivadavia'),
  dueMs: event.atMs,
  every: toOurs('*/5 * * * *'),
  language: 'en',
})
const toNote = (event: Event): Omit<notes.Note, 'id'> => ({
  who: toOurs(event.who),
  said: toKept(
    {
      title: `${event.nth}${event.text}`.slice(0, notes.mostTitleChars),
      text: event.text.slice(0, notes.mostTextChars),
    },
    event,
    8,
  ),
})

const toTask = (event: Event, number: number): Listed => ({
  number,
  title: toKept(event.text.slice(0, 60), event, 3),
  asker: toOurs(event.who),
  state: 'EXECUTING',
  waits: 'checkpoint',
  done: 1,
  all: 30,
  tokens: 100_000,
  begunAt: event.atMs,
})

/** As it comes out of the store. */
const read = <S>({ schema }: Slice<S>, stored: unknown): S => schema.parse(JSON.parse(JSON.stringify(stored)))

const approvalChanges: readonly Change[] = [
  (_, { who, atMs }) => ({ asked: { who, atMs } }),
  (_, { nth, atMs }) => ({ denied: [0, 1, 2, 3].map((of) => ({ hash: `${of}${idOf(nth)}`.slice(-22), atMs })) }),
  (_, { nth, who, atMs, text }) => ({
    always: [0, 1].map((of) => ({
      tool: 't'.repeat(64),
      by: 'path',
      like: `https://${nth}.${of}.test/${text.replaceAll(/[^a-z]/g, 'a')}`.slice(0, 500),
      owner: who,
      untilMs: atMs + 30 * 86_400_000,
      about: idsOf(nth, 20),
    })),
  }),
  (slice, { nth, who }) => {
    const own = read(approvalsSlice, slice)
    const sent = { id: idOf(nth).slice(-22), requester: who, bond: 'b'.repeat(43), about: idsOf(nth, 20) }
    return hasRoom(own, who) ? { sent } : undefined
  },
]

const changes: Readonly<Record<string, readonly Change[]>> = {
  'tool-rights': approvalChanges,
  reminders: [
    (slice, event) => {
      const add = toReminder(event)
      return reminders.findFull(read(reminders.slice, slice), add) ? undefined : { add }
    },
    (_, { nth, atMs }) => ({ told: [{ id: Math.max(1, nth - 3), dueMs: atMs * 10 }] }),
  ],
  notebook: [
    (slice, event) => {
      const write = toNote(event)
      return notes.findFull(read(notes.slice, slice), write) === undefined ? { write } : undefined
    },
  ],
  questions: [
    (_, event) => ({
      add: {
        id: `q${event.nth}`,
        for: event.who,
        to: event.who,
        at: event.atMs,
        question: toKept(event.text.slice(0, longestKept.question), event, 8),
        state: 'open',
        ...(event.dice % 2 === 0 ? { isPrivate: true } : {}),
      },
    }),
    (_, event) => ({
      end: {
        id: `q${Math.max(1, event.nth - 2)}`,
        state: 'answered',
        answer: toKept(event.text.slice(0, longestKept.answer), event, 8),
      },
    }),
  ],
  tasks: [
    (slice, event) => {
      const own = read(tasks.homeSlice, slice)
      const add = toTask(event, own.last + 1)
      return tasks.makeRoom(own, add)?.length === 0 ? { add } : undefined
    },
    (slice, { dice }) => {
      const { last } = read(tasks.homeSlice, slice)
      const news = { state: 'COMPLETED', waits: 'nothing', done: 30, all: 30, tokens: 100_000 }
      return last === 0 ? undefined : { news: { number: Math.max(1, last - (dice % 5)), ...news } }
    },
    (slice) => {
      const over = read(tasks.homeSlice, slice).tasks.find(tasks.isOver)
      return over && { drop: over.number }
    },
  ],
  recovery: [(_, event) => ({ task: toKept(event.text.slice(0, 43), event, 200) })],
  confidence: [() => ({ tools: Array.from({ length: 50 }, (_, nth) => ({ name: idOf(nth), ok: false })) })],
  models: [() => ({ model: 'm'.repeat(200) })],
  'answer-buttons': [() => ({ shown: true })],
  preferences: [() => ({ language: 'zh', depth: 'standard' })],
}

const texts = ['x'.repeat(2000), '"'.repeat(2000), '\u0001'.repeat(2000), '字'.repeat(2000), 'short'] as const
const event = fc.record({
  dice: fc.nat(1000),
  people: fc.constantFrom(1, 5, 200),
  laterMs: fc.constantFrom(0, 1000, 60_000, 3_600_000, 86_400_000, -86_400_000 * 31),
  text: fc.constantFrom(...texts),
})

const withSlices = [...builtIn, createConfidence({ isDemo: false })].filter(({ slice }) => slice !== undefined)

test('each feature that keeps something says what changes it', () => {
  expect(withSlices.map(({ name }) => name).toSorted()).toEqual(Object.keys(changes).toSorted())
})

function fill(feature: Feature, happening: readonly { dice: number; people: number; laterMs: number; text: string }[]) {
  const ways = changes[feature.name] ?? []
  let own: unknown = feature.slice?.fresh
  let atMs = startMs
  for (const [nth, { dice, people, laterMs, text }] of happening.entries()) {
    atMs = Math.max(0, atMs + laterMs)
    const change = ways[dice % ways.length]?.(own, { nth, who: personOf(dice % people), atMs, text, dice })
    // Throws where it does not fit.
    if (change !== undefined && feature.slice) own = checkSlice(feature, feature.slice.fold(own, change))
  }
  return own
}

test.each(withSlices)('whatever happens, the slice of $name fits', (feature) => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 250, size: 'max' }), (happening) => {
      fill(feature, happening)
    }),
    runs(20),
  )
})

test.each(withSlices)('with every list full at one moment, the slice of $name fits', (feature) => {
  const sizes = texts.map((text) => {
    const happening = Array.from({ length: 400 }, (_, nth) => ({ dice: nth, people: 400, laterMs: 1, text }))
    return JSON.stringify(fill(feature, happening)).length
  })
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16_000)
})

test('cards that are a day apart go with the hour in which they count', () => {
  let own: Approvals = approvalsSlice.fresh
  for (let nth = 0; nth < 400; nth++)
    own = approvalsSlice.fold(own, { asked: { who: personOf(1), atMs: startMs + nth * 86_400_000 } })
  expect(own.asked).toHaveLength(1)
})
