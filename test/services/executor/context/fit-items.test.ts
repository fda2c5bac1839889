// How a conversation is fitted into a number of tokens. A character is a token here, and a message costs 8 besides its text.
import { expect, test } from 'vitest'
import { fitItems, headAndTail, newestWithin, shorten, sumTokens } from '#services/executor/state/fit-items.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'

const estimate = (text: string): number => text.length
const person = (text: string): HistoryItem => ({ role: 'user', source: 'person', text })
const bot = (text: string): HistoryItem => ({ role: 'assistant', source: 'own', text })
const call = (id: string, input = '{}') => ({ id, name: 'look', arguments: input })
const calling = (...ids: readonly string[]): HistoryItem => ({
  role: 'assistant',
  source: 'own',
  text: '',
  toolCalls: ids.map((id) => call(id)),
})
const result = (callId: string, text: string): HistoryItem => ({ role: 'tool', source: 'others', callId, text })
const textsOf = (items: readonly HistoryItem[]): readonly string[] => items.map(({ text }) => text)

test('a message costs its text and 8 more, a name with its two brackets, and its calls as JSON', () => {
  expect(sumTokens([], estimate)).toBe(0)
  expect(sumTokens([person('hello')], estimate)).toBe(13)
  expect(sumTokens([{ role: 'user', source: 'person', text: 'hello', name: 'Ann' }, bot('hi')], estimate)).toBe(
    13 + 5 + 10,
  )
  expect(sumTokens([calling('a')], estimate)).toBe(8 + JSON.stringify([call('a')]).length)
  expect(sumTokens([result('a', 'found')], estimate)).toBe(13)
})

test('what fits exactly is left as it is', () => {
  const items = [person('one'), bot('two')]
  expect(fitItems(items, 22, estimate)).toBe(items)
  expect(textsOf(fitItems(items, 21, estimate))).not.toEqual(['one', 'two'])
})

test('of what does not fit the first message of a person and the newest steps stay', () => {
  const items = [person('1'), bot('2'), person('3'), bot('4')]
  expect(textsOf(fitItems(items, 27, estimate))).toEqual(['1', '3', '4'])
  expect(textsOf(fitItems(items, 26, estimate))).toEqual(['1', '4'])
  expect(textsOf(fitItems(items, 18, estimate))).toEqual(['1', '4'])
})

test('what does not begin with a person keeps its newest steps alone', () => {
  expect(textsOf(fitItems([bot('1'), bot('2'), bot('3')], 18, estimate))).toEqual(['2', '3'])
})

test('a step that does not fit ends it, even where an older one would fit', () => {
  const items = [person('1'), bot('2'), bot('long'.repeat(20)), bot('4')]
  expect(textsOf(fitItems(items, 40, estimate))).toEqual(['1', '4'])
})

test('a result stays with its call, or goes with it', () => {
  const items = [person('1'), calling('a', 'b'), result('a', 'A'), result('b', 'B'), bot('5')]
  const step = sumTokens(items.slice(1, 4), estimate)
  expect(fitItems([person('0'), ...items], 9 + 9 + 9 + step, estimate)).toEqual([person('0'), ...items])
  expect(textsOf(fitItems([person('0'), ...items], 9 + 9 + step, estimate))).toEqual(['0', '', 'A', 'B', '5'])
  expect(textsOf(fitItems([person('0'), ...items], 9 + 9 + step - 1, estimate))).toEqual(['0', '5'])
})

test('a result whose call is gone is left out', () => {
  expect(textsOf(fitItems([result('a', 'A'), bot('long'.repeat(9)), bot('3')], 20, estimate))).toEqual(['3'])
})

test('a newest step that is too large alone has its results cut to equal shares of the room', () => {
  const long = 'x'.repeat(500)
  const items = [person('1'), calling('a', 'b', 'c'), result('a', long), result('b', 'short'), result('c', long)]
  const kept = fitItems(items, 500, estimate)
  expect(kept).toHaveLength(5)
  expect(sumTokens(kept, estimate)).toBeLessThanOrEqual(500)
  expect(textsOf(kept)[3]).toBe('short')
  for (const at of [2, 4]) {
    expect(textsOf(kept)[at]).toMatch(/^x+\n\[… middle left out …\]\nx+$/)
    expect(textsOf(kept)[at]?.length).toBeGreaterThan(70)
  }
})

test('where there is no room for any of a result it is empty', () => {
  const items = [person('1'), calling('a'), result('a', 'x'.repeat(500))]
  const bare = sumTokens([person('1'), calling('a'), result('a', '')], estimate)
  expect(textsOf(fitItems(items, bare, estimate))).toEqual(['1', '', ''])
})

test('a text loses its middle, never its beginning or its end', () => {
  const text = `begin ${'word '.repeat(100)}end`
  const short = headAndTail(text, 100, estimate)
  expect(short).toMatch(/^begin [^]*\n\[… middle left out …\]\n[^]*end$/)
  expect(short.length).toBeLessThanOrEqual(100)
  expect(short.length).toBeGreaterThan(70)
})

test('a text for which there is hardly room is its mark alone, or nothing', () => {
  const mark = '\n[… middle left out …]\n'
  expect(headAndTail('x'.repeat(500), mark.length, estimate)).toBe(mark)
  expect(headAndTail('x'.repeat(500), mark.length - 1, estimate)).toBe('')
  expect(headAndTail('', 100, estimate)).toBe(mark)
})

test('a character of two halves is never cut in two', () => {
  for (let most = 60; most < 70; most++)
    expect(headAndTail('😀'.repeat(100), most, estimate).isWellFormed(), String(most)).toBe(true)
})

test('an item that is not too large is left as it is, a longer text is cut', () => {
  expect(shorten(person('x'.repeat(60)), 60, estimate)).toEqual(person('x'.repeat(60)))
  expect(shorten(person('x'.repeat(61)), 60, estimate).text).toContain('left out')
})

test('calls that are too large lose the arguments of those that are, and say so', () => {
  const item: HistoryItem = {
    role: 'assistant',
    source: 'own',
    text: 'hm',
    toolCalls: [call('a'), call('b', 'x'.repeat(300))],
  }
  const size = JSON.stringify(item.toolCalls).length
  expect(shorten(item, size, estimate)).toEqual(item)
  expect(shorten(item, size - 1, estimate)).toMatchObject({
    text: 'hm',
    toolCalls: [call('a'), { id: 'b', name: 'look', arguments: '{"left_out":"too long"}' }],
  })
})

test('a call that is as large as its share keeps its arguments', () => {
  const one = call('a', 'x'.repeat(100))
  const item: HistoryItem = { role: 'assistant', source: 'own', text: '', toolCalls: [one, one] }
  const each = JSON.stringify(one).length
  expect(shorten(item, 2 * each, estimate)).toEqual(item)
  expect(shorten(item, 2 * each - 1, estimate)).not.toEqual(item)
})

test('the newest items that fit begin with a person', () => {
  const items = [person('1'), bot('2'), person('3'), bot('4')]
  expect(newestWithin(items, 36, estimate)).toEqual(items)
  expect(textsOf(newestWithin(items, 35, estimate))).toEqual(['3', '4'])
  expect(textsOf(newestWithin(items, 18, estimate))).toEqual(['3', '4'])
  expect(newestWithin(items, 17, estimate)).toEqual([])
  expect(newestWithin([bot('1'), bot('2')], 100, estimate)).toEqual([])
})
