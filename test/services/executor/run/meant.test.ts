// Which open question a message may be meant for: by an option's number or a part of its label, where exactly one is open to who says it.
import { expect, test } from 'vitest'
import type { Asking } from '#services/executor/state/asking.ts'
import { findMeantBy } from '#services/executor/run/meant.ts'
import { ann, message } from '#test/rig/events.ts'

const bob = 'web:bob'
const ferries = ['The early one, 8:15', 'The late one, 11:40']
const toShown = (labels: readonly string[], more = {}) => ({
  question: 'q',
  kind: 'questions.human',
  to: ann,
  urgency: 'normal' as const,
  card: 'c',
  text: 'Which ferry?',
  labels: [...labels],
  about: [],
  at: 0,
  until: 1000,
  ...more,
})
const toState = (...shown: Asking['shown']): Asking => ({ v: 1, shown, waiting: [], lately: [] })
const isMeant = (text: string, state: Asking, more = {}): boolean =>
  findMeantBy(state, [message({ text, principal: ann, ...more })], 500) !== undefined

test.each([
  '2',
  '2.',
  ' ２ ',
  'option 2',
  'the second one',
  'second',
  '第二个',
  '选2',
  'the late one',
  'late one',
  '11:40',
  'The late one, 11:40!',
])('“%s” may be meant for an open choice', (text) => expect(isMeant(text, toState(toShown(ferries)))).toBe(true))

test.each([
  '3',
  '0',
  'what is tea?',
  'o',
  '',
  '!',
  'third',
  'the weather',
  'x'.repeat(200),
  `the late one ${'x'.repeat(60)}`,
])('“%s” is not', (text) => expect(isMeant(text, toState(toShown(ferries)))).toBe(false))

test('Chinese labels', () => {
  const state = toState(toShown(['早班，8:15', '晚班，11:40']))
  for (const text of ['晚班', '晚班吧，11:40', '第一个'])
    expect(isMeant(text, state), text).toBe(text !== '晚班吧，11:40')
})

test('not what replies, comes with more, is open to another or to nobody any more, or may be one of two', () => {
  const one = toShown(ferries)
  expect(isMeant('2', toState(one), { replyTo: { messageId: 'm0' } })).toBe(false)
  const said = message({ text: '2', principal: ann })
  expect(findMeantBy(toState(one), [said, said], 500)).toBeUndefined()
  expect(isMeant('2', toState({ ...one, to: bob }))).toBe(false)
  expect(isMeant('2', toState({ ...one, to: '*' }))).toBe(true)
  expect(isMeant('2', toState({ ...one, until: 400 }))).toBe(false)
  expect(isMeant('2', toState(one, { ...one, question: 'r' }))).toBe(false)
  expect(isMeant('2', toState(one, { ...one, question: 'r', labels: ['You decide'] }))).toBe(true)
})
