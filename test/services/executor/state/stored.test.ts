// How a conversation's state is stored: what is written when, and what is read of it again.
import { ours, toOurs, type Ours } from '#shared/feature/kept.ts'
import { storable } from '#shared/feature/slice.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Feature } from '#shared/feature/feature.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { atRest, foldChange, inNewSession, readSlices, sliceOf } from '#services/executor/state/slices.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { parseState, toStored } from '#services/executor/state/stored.ts'

const none = indexFeatures([])
const fresh = parseState(none, { parts: {} }, 0)
const said = (text: string): HistoryItem => ({ role: 'user', source: 'person', text })
const long = (n: number): HistoryItem => said(`${n} ${'x'.repeat(2990)}`)

/** The state as another worker reads it once this one is stored, and what was written for it. */
function store(state: ConversationState, features = none) {
  const { step, state: next } = toStored(features, state)
  const { snapshot = '' } = next.stored
  // An empty part goes.
  const parts = Object.fromEntries(Object.entries(next.stored.parts).filter(([, text]) => text !== ''))
  return { step, next, snapshot, parts, again: parseState(features, { snapshot, parts }, 0) }
}
const written = ({ step }: ReturnType<typeof store>): readonly string[] => Object.keys(step.parts ?? {})

test('whatever is remembered is read again as it was stored', () => {
  const state: ConversationState = {
    ...fresh,
    history: [said('Why?'), { role: 'assistant', source: 'own', text: 'Because.' }],
    heard: 'zh',
    under: { card: 'c', questions: ['q'], chars: 8 },
    people: { 'web:a': 'Ann' },
    answered: ['m1'],
    lastText: 'Why?',
    putOff: { 'web:a': { text: 'x', toldAt: 1, stillAt: 2 } },
    fellOut: 3,
    turns: 4,
    tokens: 5,
    refusedAt: { 'stranger web:b': 6 },
    context: [{ name: 'a.b', source: 'others', text: 't', reason: 'r' }],
  }
  const { again } = store(state)
  expect(again).toMatchObject({ ...state, stored: {} })
})

test('a short history stands in the snapshot, a long one in a part that is written seldom', () => {
  const short = store({ ...fresh, history: [said('x'.repeat(7992))] })
  expect(written(short)).not.toContain('past')
  const first = store({ ...fresh, history: [said('x'.repeat(7993))] })
  expect(written(first)).toContain('past')
  expect(JSON.parse(first.step.snapshot ?? '')).toMatchObject({ past: 1, history: [] })
  const second = store({ ...first.next, history: [...first.next.history, long(1)] })
  expect(written(second)).not.toContain('past')
  expect(JSON.parse(second.step.snapshot ?? '')).toMatchObject({ past: 1, history: [long(1)] })
  expect(second.again.history).toEqual([said('x'.repeat(7993)), long(1)])
})

test('once more than a page was said since, the past is written anew', () => {
  const history = [long(1), long(2), long(3)]
  const first = store({ ...fresh, history })
  const more = [...history, long(4), long(5)]
  expect(written(store({ ...first.next, history: more }))).not.toContain('past')
  const third = store({ ...first.next, history: [...more, long(6)] })
  expect(written(third)).toContain('past')
  expect(third.again.history).toEqual([...more, long(6)])
})

test('a past of which something was blanked or fell out is written anew, and an empty one goes', () => {
  const first = store({ ...fresh, history: [long(1), long(2), long(3)] })
  const blanked = store({ ...first.next, history: [said('[deleted]'), long(2), long(3)] })
  expect(blanked.step.parts?.['past']).toBe('')
  expect(JSON.stringify(blanked.step)).not.toContain('1 xxx')
  expect(blanked.again.history).toEqual([said('[deleted]'), long(2), long(3)])
  const emptied = store({ ...first.next, history: [] })
  expect(emptied.step.parts).toMatchObject({ past: '' })
  expect(emptied.again.history).toEqual([])
})

test('another worker that read it writes nothing of the past again', () => {
  const { again } = store({ ...fresh, history: [long(1), long(2), long(3)] })
  expect(toStored(none, again).step).toEqual({ rest: '' })
  expect(written(store({ ...again, lastText: 'And?' }))).toEqual([])
})

test('what was given to a prompt is stored with its turn, and goes with it', () => {
  const given = { ...fresh, context: [{ name: 'a.b', source: 'own', text: 't', reason: 'r' }] as const }
  const first = store(given)
  expect(written(first)).toContain('context')
  const second = store({ ...first.next, context: undefined })
  expect(second.step.parts).toEqual({ context: '' })
  expect(second.next.context).toBeUndefined()
})

test('a past of another length than the snapshot stands on is refused', () => {
  const { snapshot, parts } = store({ ...fresh, history: [long(1), long(2), long(3)] })
  expect(() => parseState(none, { snapshot, parts: { ...parts, past: '[]' } }, 0)).toThrow('CORRUPT')
  const { past: _, ...others } = parts
  expect(() => parseState(none, { snapshot, parts: others }, 0)).toThrow('CORRUPT')
})

test('a conversation that was put away with a snapshot alone begins a session when it is read', () => {
  const { snapshot } = store(fresh)
  expect(parseState(none, { snapshot, parts: {} }, 5000).session).toEqual({
    id: 'sess_19700101_000005',
    startedAt: 5000,
    lastAt: 5000,
  })
})

test('what long silence would leave is known as it is stored, and said where it never was', () => {
  expect(fresh.stored.rest).toBeUndefined()
  const { snapshot, parts } = store(fresh)
  const before = parseState(none, { snapshot, parts }, 0)
  expect(before.stored.rest).toBeUndefined()
  expect(toStored(none, before).step).toEqual({ rest: '' })
  expect(toStored(none, parseState(none, { snapshot, parts, rest: '' }, 0)).step).toEqual({})
})

const count: Feature<number, number> = {
  name: 'count',
  slice: {
    schema: storable(z.number()),
    fresh: 0,
    fold: (n, more) => n + more,
    atRest: (n) => n * 10,
  },
}
const plain: Feature = { name: 'plain' }
const words = z.object({ word: ours })
const kept: Feature<z.infer<typeof words>, Ours> = {
  name: 'kept',
  slice: { schema: storable(words), fresh: { word: toOurs('') }, fold: (_, word) => ({ word }) },
}
const all = indexFeatures([plain, count, kept])
const begun = parseState(all, { parts: {} }, 0)
const counted = foldChange(all, begun, count, 3)

test('a feature changes its own slice, and is read again by its name', () => {
  expect([sliceOf(begun, count), sliceOf(counted, count), sliceOf(counted, kept)]).toEqual([0, 3, { word: '' }])
  expect(sliceOf(begun, plain)).toBeUndefined()
  const { step, again } = store(counted, all)
  expect(step.parts).toMatchObject({ 'f.count': '3' })
  expect(step.parts).not.toHaveProperty('f.kept')
  expect(sliceOf(again, count)).toBe(3)
})

test('a feature without a slice has nothing to change', () => {
  expect(() => foldChange(all, begun, plain, 1)).toThrow('The feature plain has no slice that could be changed.')
})

test('what long silence leaves is what the features say, of those that were changed', () => {
  expect(atRest(all, begun)).toEqual({})
  expect(atRest(all, foldChange(all, counted, kept, 'word'))).toEqual({ count: 30 })
  const { rest = '' } = toStored(all, counted).step
  expect(sliceOf(parseState(all, { snapshot: rest, parts: {} }, 0), count)).toBe(30)
})

test('what stands in a part goes before what silence left', () => {
  const shape = { v: 1, history: [], answered: [], turns: 0, tokens: 0, refusedAt: {} }
  const read = (snapshot: object, parts = {}): unknown =>
    sliceOf(parseState(all, { snapshot: JSON.stringify({ ...shape, ...snapshot }), parts }, 0), count)
  expect(read({ slices: { count: 8 } })).toBe(8)
  expect(read({ slices: { count: 8 } }, { 'f.count': '9' })).toBe(9)
  expect(read({})).toBe(0)
})

test('a new session leaves each slice as its feature says, and the others as they are', () => {
  const halving: Feature = { ...count, slice: { ...count.slice, inNewSession: (n: number) => n - 1 } } as Feature
  const both = indexFeatures([halving, kept])
  const state = foldChange(
    both,
    foldChange(
      both,
      readSlices(both, () => undefined),
      halving,
      4,
    ),
    kept,
    'word',
  )
  const next = inNewSession(both, state)
  expect([sliceOf(next, halving), sliceOf(next, kept)]).toEqual([3, { word: 'word' }])
  expect(inNewSession(all, counted)).toEqual({ slices: counted.slices, prefers: counted.prefers })
})

test('of what features say of language and depth the first that says it counts, each for itself', () => {
  const saying = (name: string, prefers: object): Feature => ({ name, prefers: () => prefers })
  const many = indexFeatures([
    saying('a', {}),
    saying('b', { language: 'zh' }),
    saying('c', { language: 'en', depth: 'deep' }),
  ])
  expect(readSlices(many, () => undefined).prefers).toEqual({ language: 'zh', depth: 'deep' })
})

test('what a newer release added to the state is still there after this one has changed it', () => {
  const feature: Feature<{ n: number }, number> = {
    name: 'count',
    slice: {
      schema: storable(z.object({ n: z.number() })),
      fresh: { n: 0 },
      fold: (slice, more) => ({ ...slice, n: slice.n + more }),
      atRest: (slice) => slice,
    },
  }
  const features = indexFeatures([feature])
  const first = store(
    foldChange(features, { ...parseState(features, { parts: {} }, 0), history: [said('hello')] }, feature, 1),
    features,
  )
  const add = (json: string, more: object): string => JSON.stringify({ ...JSON.parse(json), ...more })
  const snapshot = add(first.snapshot, {
    mood: 'good',
    history: [{ role: 'user', source: 'person', text: 'hello', weight: 5 }],
  })
  const head = add(first.parts['head'] ?? '', { pace: 2, session: { id: 's', startedAt: 1, lastAt: 2, title: 'Tea' } })
  const parts = { ...first.parts, head, 'f.count': '{"n":1,"since":7}', 'f.later': '{"x":1}' }
  const rest = add(first.step.rest ?? '', { kept: 'yes' })
  const newer = parseState(features, { snapshot, parts, rest }, 0)
  const { step } = toStored(
    features,
    foldChange(features, { ...newer, history: [...newer.history, said('bye')], turns: 9, heard: 'zh' }, feature, 2),
  )
  expect(JSON.parse(step.snapshot ?? '')).toMatchObject({
    mood: 'good',
    turns: 9,
    history: [{ text: 'hello', weight: 5 }, { text: 'bye' }],
  })
  expect(JSON.parse(step.parts?.['head'] ?? '')).toMatchObject({ pace: 2, heard: 'zh', session: { title: 'Tea' } })
  expect(JSON.parse(step.parts?.['f.count'] ?? '')).toEqual({ n: 3, since: 7 })
  expect(step.parts).not.toHaveProperty('f.later')
  expect(JSON.parse(step.rest ?? '')).toMatchObject({ kept: 'yes', slices: { count: { n: 3, since: 7 } } })
})

test('a state of a newer version is told from one that is broken', () => {
  const snapshot = JSON.stringify({ v: 2, said: [] })
  expect(() => parseState(none, { snapshot, parts: {} }, 0)).toThrow('only a newer release knows')
  expect(() => parseState(none, { parts: { head: '{"v":2}' } }, 0)).toThrow('only a newer release knows')
  expect(() => parseState(none, { snapshot: '{"v":1}', parts: {} }, 0)).toThrow('CORRUPT')
})
