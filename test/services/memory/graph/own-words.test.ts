// Which turns are looked through for people and things.
import { expect, test } from 'vitest'
import { toOwnWords } from '#services/memory/graph/own-words.ts'
import { recordOf } from '#test/rig/turn-of.ts'

test.each([
  'I work at Acme with Bob.',
  'My sister Anna lives in Porto.',
  'The new service is written in Rust.',
  'We use node22 for the build.',
  '我在蓝鲸科技工作。',
  '小王负责支付项目。',
])('is looked at: %s', (asked) => {
  expect(toOwnWords(recordOf(asked))).toBe(asked.replace(/[.。]$/, ''))
})

test.each([
  'what is an apple?',
  'Where does Anna live?',
  'Write a poem about Paris.',
  'please refactor the Parser class',
  'ok thanks',
  '/note I work at Acme',
  '今天天气怎么样？',
  '帮我写一首关于北京的诗',
  '> I work at Acme',
  'My password is hunter2-Zq81',
  'Pretend that I work at Acme.',
  'Between us, I work at Acme.',
  'Fwd: I work at Acme.',
])('is left alone: %s', (asked) => {
  expect(toOwnWords(recordOf(asked))).toBeUndefined()
})

test('only statements of a message are given, without what it quotes', () => {
  expect(toOwnWords(recordOf('> Bob works at Umbrella\nI work at Acme. What do you think of it? Tell me more.'))).toBe(
    'I work at Acme',
  )
})

test.each([
  ['was said in private', { for: 'web:ann' }],
  ['others had a part in', { taint: ['another member'] }],
  ['a button asked for', { last: 'rewrite' as const }],
])('nothing of what %s', (_, more) => {
  expect(toOwnWords(recordOf('I work at Acme with Bob.', more))).toBeUndefined()
})

test('of somebody’s health or money nothing in groups', () => {
  const said = 'Anna was diagnosed with diabetes in Porto.'
  expect(toOwnWords(recordOf(said))).toBeDefined()
  expect(toOwnWords(recordOf(said, { group: true }))).toBeUndefined()
})

test('takes time in proportion to the text', () => {
  const begunMs = performance.now()
  for (const part of ['I am Bob ', '> ', 'a.b ', '我在', 'A1 ', ', '])
    toOwnWords(recordOf(part.repeat(200_000 / part.length)))
  expect(performance.now() - begunMs).toBeLessThan(2000)
})
