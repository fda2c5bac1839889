// What people are shown of an answer while it is written, and what is left of it when it breaks off.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Draft } from '#shared/run/draft.ts'
import { createGrowingText, findText, type GrowingText } from '#services/executor/turn/growing-text.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const about = { turn: 't1', language: 'en' } as const

function open(before?: Draft): { growing: GrowingText; shown: Draft[] } {
  const shown: Draft[] = []
  const store = { draft: (draft: Draft) => void shown.push(draft) } as Partial<RunStore> as RunStore
  return { growing: createGrowingText(store, about, { before, now: Date.now }), shown }
}

test('nothing is shown of an answer that is done within 300 ms', () => {
  const { growing, shown } = open()
  growing.add('Quick.')
  vi.advanceTimersByTime(299)
  growing.end()
  vi.advanceTimersByTime(100_000)
  expect(shown).toEqual([])
})

test('after 300 ms it is shown that something is being written, even before the first word', () => {
  const { shown } = open()
  vi.advanceTimersByTime(300)
  expect(shown).toEqual([{ ...about, text: '', step: 0 }])
})

test('the text is shown as it grows, with 400 ms between two showings', () => {
  const { growing, shown } = open()
  vi.advanceTimersByTime(300)
  growing.add('Rivers')
  vi.advanceTimersByTime(399)
  growing.add(' begin')
  expect(shown).toHaveLength(1)
  vi.advanceTimersByTime(1)
  growing.add(' in')
  growing.add(' the mountains')
  expect(shown.map(({ text }) => text)).toEqual(['', 'Rivers begin in'])
})

test('what is shown is shown again every 20 s while the model is silent, and no more after the end', () => {
  const { growing, shown } = open()
  growing.add('Rivers')
  vi.advanceTimersByTime(40_000)
  expect(shown.map(({ text }) => text)).toEqual(['Rivers', 'Rivers', 'Rivers'])
  growing.end()
  vi.advanceTimersByTime(40_000)
  expect(shown).toHaveLength(3)
})

test('a try that is shorter than the one before leaves the most that was written at this step', () => {
  const { growing, shown } = open()
  growing.add('Rivers begin in')
  growing.restart(0)
  expect(growing.written(0)).toBe('Rivers begin in')
  vi.advanceTimersByTime(300)
  expect(shown.at(-1)?.text, 'until there is a new word').toBe('Rivers begin in')
  growing.add('Lakes')
  vi.advanceTimersByTime(20_000)
  expect(shown.at(-1)?.text).toBe('Lakes')
  expect(growing.written(0)).toBe('Rivers begin in')
  growing.add(' lie still in the plain')
  expect(growing.written(0)).toBe('Lakes lie still in the plain')
})

test('of two tries of one length the later one stands', () => {
  const { growing } = open()
  growing.add('one')
  growing.restart(0)
  growing.add('two')
  expect(growing.written(0)).toBe('two')
})

test('what was written at one step is nothing of the next', () => {
  const { growing, shown } = open()
  growing.add('I look it up.')
  growing.restart(1)
  expect(growing.written(1)).toBe('')
  expect(growing.written(0)).toBe('')
  growing.add('Found.')
  vi.advanceTimersByTime(300)
  expect(shown.at(-1)).toEqual({ ...about, text: 'Found.', step: 1 })
})

test('what an earlier worker showed of a step goes on at that step alone', () => {
  const before = { ...about, text: 'Rivers begin' }
  expect(open({ ...before, step: 2 }).growing.written(2)).toBe('Rivers begin')
  expect(open({ ...before, step: 2 }).growing.written(0)).toBe('')
})

test('only a draft of the very turn is found', async () => {
  const draft = { turn: 't1', text: 'Rivers' }
  const store = { findDraft: async () => draft } as Partial<RunStore> as RunStore
  expect(await findText(store, 't1')).toEqual(draft)
  expect(await findText(store, 't2')).toBeUndefined()
})
