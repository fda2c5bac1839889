// What a conversation remembers, as pure changes of its state.
import { expect, test } from 'vitest'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import {
  forget,
  keepPutOff,
  refused,
  restart,
  toLanguage,
  type ConversationState,
} from '#services/executor/state/state.ts'
import { remember } from '#services/executor/state/remember.ts'
import { parseState } from '#services/executor/state/stored.ts'

const features = indexFeatures([])
const fresh = parseState(features, { parts: {} }, 0)
const person = (text: string, messageId?: string): HistoryItem => ({
  role: 'user',
  source: 'person',
  text,
  ...(messageId ? { messageId } : {}),
})
const bot = (text: string): HistoryItem => ({ role: 'assistant', source: 'own', text })
const count = (text: string): number => text.length
const turn = (items: readonly HistoryItem[], more: Partial<Parameters<typeof remember>[1]> = {}) => ({
  items,
  messageIds: [],
  text: 'Why?',
  tokens: 0,
  ...more,
})
const room = (maxTokens: number) => ({ historyTokens: (maxTokens * 2) / 3, maxTokens })
const ample = { ...room(10_000), estimate: count }
const textsOf = ({ history }: ConversationState): readonly string[] => history.map(({ text }) => text)

test('a conversation never seen remembers nothing, and stores nothing', () => {
  expect(fresh).toMatchObject({ history: [], answered: [], turns: 0, tokens: 0, refusedAt: {} })
  expect(fresh.stored).toMatchObject({ snapshot: undefined, parts: {}, rest: undefined, past: [], others: {} })
})

test('a finished turn is added, and counted with its tokens', () => {
  const once = remember(fresh, turn([person('Why?'), bot('Because.')], { tokens: 15, messageIds: ['m1'] }), ample)
  const twice = remember(once, turn([person('And?')], { tokens: 5, text: 'And?', messageIds: ['m2'] }), ample)
  expect(twice).toMatchObject({ turns: 2, tokens: 20, lastText: 'And?', answered: ['m1', 'm2'], fellOut: undefined })
  expect(textsOf(twice)).toEqual(['Why?', 'Because.', 'And?'])
})

test('the last twenty answered messages can be edited', () => {
  const ids = Array.from({ length: 25 }, (_, n) => `m${n}`)
  expect(remember(fresh, turn([], { messageIds: ids }), ample).answered).toEqual(ids.slice(5))
})

test('of a question so much is kept for a /retry as a message may hold', () => {
  const { lastText = '' } = remember(fresh, turn([], { text: `${'x'.repeat(4000)} And why?` }), ample)
  expect(lastText).toMatch(/^x+\n\[… middle left out …\]\nx+ And why\?$/)
  expect(lastText.length).toBeLessThanOrEqual(4000)
})

test('what is said at length is remembered by 8000 characters', () => {
  const { history } = remember(fresh, turn([person('x'.repeat(8000)), person('x'.repeat(8001))]), {
    ...ample,
    ...room(100_000),
  })
  expect(history[0]?.text).toHaveLength(8000)
  expect(history[1]?.text).toContain('left out')
})

test('of an exchange that is larger than the room both the question and its answer stay in part', () => {
  const { history } = remember(fresh, turn([person('q'.repeat(900)), bot('a'.repeat(900))]), {
    ...room(1200),
    estimate: count,
  })
  expect(history.map(({ role }) => role)).toEqual(['user', 'assistant'])
  for (const { text } of history) expect(text).toContain('[… middle left out …]')
})

test('what just fits stays; with one more the older half goes, and what fell out is counted', () => {
  const four = [person('1'), bot('2'), person('3'), bot('4')]
  const full = remember(fresh, turn(four), { ...room(36), estimate: count })
  expect(textsOf(full)).toEqual(['1', '2', '3', '4'])
  expect(full.fellOut).toBeUndefined()
  const over = remember(full, turn([person('5'), bot('6')]), { ...room(53), estimate: count })
  expect(textsOf(over)).toEqual(['5', '6'])
  expect(over.fellOut).toBe(4)
  const wider = remember(full, turn([person('5'), bot('6')]), { ...room(72), estimate: count })
  expect(wider.history).toHaveLength(6)
  const again = remember(over, turn([person('7'), bot('8')]), { ...room(35), estimate: count })
  expect(textsOf(again)).toEqual(['7'])
  expect(again.fellOut).toBe(7)
})

test('half of the room goes to the turn, and what is left of it to the newest before it', () => {
  const four = remember(fresh, turn([person('1'), bot('2'), person('3'), bot('4')]), ample)
  const next = remember(four, turn([person('5')]), { ...room(44), estimate: () => 1 })
  expect(textsOf(next)).toEqual(['5'])
  const kept = remember({ ...four, history: four.history.slice(1) }, turn([person('5')]), {
    ...room(54 - 1),
    estimate: (text) => (text === '2' ? 30 : 1),
  })
  expect(textsOf(kept)).toEqual(['5'])
  const more = remember(four, turn([person('5')]), { ...room(60), estimate: (text) => (text === '1' ? 40 : 1) })
  expect(textsOf(more)).toEqual(['3', '4', '5'])
})

test('the results of tools are no messages that fell out', () => {
  const calls: HistoryItem[] = [
    person('1'),
    { role: 'assistant', source: 'own', text: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] },
    { role: 'tool', source: 'others', callId: 'a', text: 'found' },
    bot('4'),
  ]
  const over = remember(remember(fresh, turn(calls), ample), turn([person('5')]), { ...room(20), estimate: count })
  expect(textsOf(over)).toEqual(['5'])
  expect(over.fellOut).toBe(3)
})

test('what costs no tokens counts by its characters, four to a token', () => {
  const spaces = (n: number) =>
    remember({ ...fresh, history: [person(' '.repeat(n))] }, turn([person('x')]), { ...room(26), estimate: () => 0 })
  expect(spaces(36).history).toHaveLength(2)
  expect(spaces(37).history).toHaveLength(1)
})

test('a message that is to be forgotten is blanked with its answers, up to the next message', () => {
  const call = { id: 'a', name: 'look', arguments: '{"for":"secret"}' }
  const history: HistoryItem[] = [
    person('before', 'm1'),
    bot('answer'),
    person('secret', 'm2'),
    { role: 'assistant', source: 'own', text: 'secret', toolCalls: [call] },
    { role: 'tool', source: 'others', callId: 'a', text: 'secret' },
    bot('secret'),
    person('after', 'm3'),
    bot('answer'),
  ]
  const next = forget(features, { ...fresh, history, lastText: 'secret', putOff: {} }, 'm2')
  expect(textsOf(next)).toEqual(['before', 'answer', ...Array(4).fill('[deleted]'), 'after', 'answer'])
  expect(next.history[3]).toMatchObject({ toolCalls: [{ id: 'a', name: 'gone', arguments: '{}' }] })
  expect(next).toMatchObject({ lastText: undefined, putOff: undefined })
  expect(forget(features, { ...fresh, history }, 'm9').history).toEqual(history)
})

test('a message of another conversation takes only what is about it, and pushes out no message of this one', () => {
  const own = Array.from({ length: 50 }, (_, n) => `m${n}`)
  const kept = { lastText: 'theirs', lastAbout: ['~other'], putOff: {}, forgotten: own }
  const next = Array.from({ length: 60 }, (_, n) => `~${n}`).reduce<ConversationState>(
    (state, name) => forget(features, state, name),
    {
      ...fresh,
      ...kept,
    },
  )
  expect(next).toMatchObject({ lastText: 'theirs', lastAbout: ['~other'], putOff: {} })
  expect(next.forgotten).toEqual(expect.arrayContaining(own))
  expect(next.forgotten?.length).toBe(100)
  expect(forget(features, next, '~other').lastText).toBeUndefined()
})

test('a session that somebody ends leaves nothing to take up again', () => {
  const before = { ...fresh, history: [person('1')], lastText: 'Why?', putOff: {}, fellOut: 2, turns: 3 }
  const next = restart(features, before, 5000)
  expect(next).toMatchObject({ history: [], lastText: undefined, putOff: undefined, fellOut: undefined, turns: 3 })
  expect(next.session).toEqual({ id: 'sess_19700101_000005', startedAt: 5000, lastAt: 5000 })
})

test('what was put off is kept of the last twenty people, who are told of it last', () => {
  const one = (text: string) => ({ text, toldAt: 1, stillAt: 2 })
  let state = keepPutOff(fresh, 'p0', one('first'))
  for (let n = 1; n < 20; n++) state = keepPutOff(state, `p${n}`, one('later'))
  state = keepPutOff(state, 'p0', one('again'))
  expect(Object.keys(state.putOff ?? {})).toHaveLength(20)
  state = keepPutOff(state, 'p20', one('more'))
  expect(Object.keys(state.putOff ?? {})).toHaveLength(20)
  expect(state.putOff?.['p0']).toEqual(one('again'))
  expect(state.putOff?.['p1']).toBeUndefined()
  expect(keepPutOff(state, 'p0').putOff?.['p0']).toBeUndefined()
})

test('of those who were refused the last twenty are known', () => {
  let state = fresh
  for (let n = 0; n < 25; n++) state = refused(state, `p${n}`, n)
  expect(Object.keys(state.refusedAt)).toHaveLength(20)
  expect(state.refusedAt['p24']).toBe(24)
  expect(state.refusedAt['p4']).toBeUndefined()
  expect(state.refusedAt['p5']).toBe(5)
})

test.each([
  ['你好', undefined, undefined, 'zh'],
  ['hello 你好', undefined, undefined, 'zh'],
  ['hello', undefined, 'zh', 'en'],
  ['x 1', undefined, 'zh', 'zh'],
  ['42', undefined, undefined, 'en'],
  ['hello', 'zh', undefined, 'zh'],
  ['你好', 'en', undefined, 'zh'],
] as const)('%j from a program that speaks %s, after %s, is answered in %s', (text, client, heard, language) => {
  expect(toLanguage({ ...fresh, heard }, text, client)).toBe(language)
})

test('a language that was set goes before all', () => {
  const set = { ...fresh, prefers: { language: 'zh', depth: undefined } } as const
  expect(toLanguage(set, 'hello', 'en')).toBe('zh')
})
