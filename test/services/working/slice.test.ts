// The slice of working memory: three goals, a few facts, less than 4 KB, and nothing of a message once that is forgotten.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toWorkingDocument } from '#services/working/print-working.ts'
import { slice, type Change, type Note, type Working } from '#services/working/slice.ts'
import { runs } from '#test/rig/property-runs.ts'

const ann = 'web:ann'
const bob = 'web:bob'
let ended = 0
const end = (own: Working, note?: Partial<Note>, who = ann): Working => {
  ended += 1
  const all = note ? { note: { about: [`m${ended}`], ...note } } : {}
  return slice.fold(own, { atMs: 1_000_000 + ended, tokens: 10, tookMs: 500, who, ...all })
}
const after = (...notes: readonly (Partial<Note> | undefined)[]): Working =>
  notes.reduce<Working>((own, note) => end(own, note), slice.fresh)
const shown = (own: Working) => toWorkingDocument(own, 'sess_20260219_051500')

test('counts turns, tokens and how long they took, also where nothing was said', () => {
  expect(shown(after(undefined, undefined))).toMatchObject({
    session: { messageCount: 2 },
    tokenUsage: 20,
    avgResponseTenths: 5,
  })
})

test('the latest goal is the one that is worked on; a fourth pushes out the oldest', () => {
  const own = after({ goal: 'one' }, { goal: 'two' }, { goal: 'three' }, { goal: 'four' }, { topic: 'tea' })
  expect(shown(own)).toMatchObject({ primary: 'four', stack: ['three', 'two'], topic: 'tea' })
  expect(JSON.stringify(own)).not.toContain('one')
  expect(shown(end(own, { goal: 'two' }))).toMatchObject({ primary: 'two', stack: ['four', 'three'], topic: 'two' })
})

test('a question waits until the next turn of whom it was asked', () => {
  const asked = end(slice.fresh, { topic: 'a', asks: { who: ann, questions: ['Red or blue?'] } })
  const other = end(asked, { topic: 'b', asks: { who: bob, questions: ['Now?'] } }, bob)
  expect(shown(other).pendingQuestions).toEqual(['Red or blue?', 'Now?'])
  expect(shown(end(other, undefined, ann)).pendingQuestions).toEqual(['Now?'])
})

test('a fact that is said again counts from then on, and the sixth pushes out the oldest', () => {
  const own = after({ facts: ['a', 'b'] }, { facts: ['c', 'd'] }, { facts: ['a', 'e'] }, { facts: ['f'] })
  expect(shown(own).recentFacts).toEqual(['c', 'd', 'a', 'e', 'f'])
})

test('forgetting a message leaves nothing of it, and what was there before shows again', () => {
  const own = after({ about: ['x'], topic: 'tea' }, { about: ['y', 'z'], goal: 'zebrafinch', facts: ['zebrafinch'] })
  const left = slice.forget?.(own, 'z') ?? own
  expect(JSON.stringify(left)).not.toContain('zebrafinch')
  expect(shown(left)).toMatchObject({ primary: '', topic: 'tea', recentFacts: [] })
  expect(slice.forget?.(left, 'unknown')).toBe(left)
})

test('a new session begins with nothing', () => {
  expect(slice.inNewSession?.(after({ goal: 'a' }))).toEqual(slice.fresh)
})

const text = (most: number) => fc.string({ unit: 'binary', minLength: 1, maxLength: most })
const note = fc.record(
  {
    about: fc.array(fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5'), { minLength: 1, maxLength: 5 }),
    goal: text(100),
    topic: text(60),
    facts: fc.array(text(100), { maxLength: 3 }),
    asks: fc.record({ who: fc.constantFrom(ann, bob), questions: fc.array(text(120), { maxLength: 3 }) }),
  },
  { requiredKeys: ['about'] },
)
const change: fc.Arbitrary<Change> = fc.record(
  { atMs: fc.nat(), tokens: fc.nat(), tookMs: fc.nat(), who: fc.constantFrom(ann, bob), note },
  { requiredKeys: ['atMs', 'tokens', 'tookMs', 'who'] },
)

test('whatever is said, it stays below 4 KB, reads back, and keeps no note of what was forgotten', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), fc.constantFrom('m1', 'm2', 'm3'), (changes, gone) => {
      const own = changes.reduce<Working>((before, next) => slice.fold(before, next), slice.fresh)
      const stored = JSON.stringify(own)
      expect(Buffer.byteLength(stored)).toBeLessThan(4096)
      expect(slice.schema.parse(JSON.parse(stored))).toEqual(own)
      const left = slice.forget?.(own, gone) ?? own
      expect(left.notes.every(({ about }) => !about.includes(gone))).toBe(true)
      expect(shown(own).stack.length).toBeLessThanOrEqual(2)
    }),
    runs(300),
  )
})
