// Which skills fit a request: at 0.6 and 0.8 of a trigger's tokens.
import { expect, it, test } from 'vitest'
import { findFitting, likenessOf } from '#services/memory/skills/match.ts'
import { toTokens } from '#services/memory/search/tokens.ts'

const five = 'quarterly harbour report chart boats'
const likeness = (trigger: string, asked: string): number =>
  likenessOf({ triggers: [trigger] }, new Set(toTokens(asked)))
const how = (trigger: string, asked: string) => findFitting([{ skill: { triggers: [trigger] } }], asked)[0]?.how

it.each([
  // More than 0.8 is followed; 0.8 itself, and all above 0.6, is a reference; 0.6 itself is nothing.
  [five, 'the quarterly harbour report, with its chart of boats', 1, 'follow'],
  [five, 'the quarterly harbour report, with its chart', 0.8, 'refer'],
  [five, 'the quarterly harbour report', 0.6, undefined],
  [five, 'the quarterly report', 0.4, undefined],
  [`${five} ropes`, 'quarterly harbour report, chart, boats', 5 / 6, 'follow'],
  ['quarterly harbour report', 'Where is the harbour report?', 2 / 3, 'refer'],
  // Other forms of a word are the word; words that stand everywhere are none.
  ['write the weekly reports', 'Please write my weekly report', 1, 'follow'],
  ['the user asks for a refund', 'I would like a refund', 1, 'follow'],
  ['when I ask for tea', 'Could I have some tea?', 1, 'follow'],
  ['this and that', 'this and that', 0, undefined],
  ['', 'anything', 0, undefined],
  ['写周报', '帮我写周报', 1, 'follow'],
  ['用户请求分析竞品', '请帮我分析一下竞品', 6 / 7, 'follow'],
  ['分析竞品报告', '分析竞品', 7 / 11, 'refer'],
  ['分析竞品', '今天天气怎么样', 0, undefined],
  ['分析競品', '分析竞品', 1, 'follow'],
])('%j and %j: %d, %s', (trigger, asked, share, expected) => {
  expect(likeness(trigger, asked)).toBeCloseTo(share, 10)
  expect(how(trigger, asked)).toBe(expected)
})

test('the likest of its conditions counts, and two skills at most are given, the likest first', () => {
  const skills = ['tea', 'tea cups shelf', 'tea pots', 'coffee'].map((trigger) => ({
    skill: { triggers: [trigger, 'something else entirely'] },
    trigger,
  }))
  const found = findFitting(skills, 'Where are the tea pots, the cups?')
  expect(found.map(({ one, how: given }) => `${one.trigger} ${given}`)).toEqual(['tea follow', 'tea pots follow'])
  expect(findFitting(skills, 'cups on a shelf')).toMatchObject([{ one: { trigger: 'tea cups shelf' }, how: 'refer' }])
  expect(findFitting([], 'tea')).toEqual([])
})
