// A wish to be reminded in ordinary words: what `/remind` is told of it, and which messages are left to the model.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readWhen } from '#services/reminders/read/read-when.ts'
import { findWish } from '#services/reminders/read/wish.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'

it.each([
  ['remind me in 5 minutes to drink tea', 'in 5 minutes to drink tea'],
  ['Can you remind me to drink tea in 5 minutes?', 'to drink tea in 5 minutes'],
  ['hey, remind me tomorrow at 9am to call mom please', 'tomorrow at 9am to call mom'],
  ['@flotilla remind me in 2 hours to check the oven', 'in 2 hours to check the oven'],
  ['tomorrow at 9am remind me to call mom', 'tomorrow at 9am call mom'],
  ['at 7am wake me up', 'at 7am wake up'],
  ['set an alarm for 7am', '7am alarm'],
  ['set a timer for 10 minutes', 'in 10 minutes timer'],
  ['could you set a reminder to call Ann tomorrow at 9am', 'call Ann tomorrow at 9am'],
  ["don't let me forget to buy milk tomorrow at 6pm", 'buy milk tomorrow at 6pm'],
  ['5分钟后提醒我喝茶', '5分钟后 喝茶'],
  ['提醒我五分钟后喝茶', '五分钟后喝茶'],
  ['明早八点叫我起床', '明早八点 起床'],
  ['麻烦你下周一上午十点提醒我交报告好吗？', '下周一上午十点 交报告'],
  ['定个明早七点的闹钟', '明早七点 闹钟'],
  ['定时十分钟', '十分钟后 定时'],
  ['半小时后叫我', '半小时后 时间到了'],
  ['别让我忘了明天早上八点交报告', '明天早上八点交报告'],
])('%j is /remind %s', (said, typed) => {
  expect(findWish(said)).toBe(typed)
})

it.each([
  'remind me what we said',
  'remind me in an hour',
  'remind me of this tomorrow at 9am',
  'remind me tomorrow at 9am about it',
  'did you remind me in 5 minutes to drink tea',
  'remind me in 5 minutes to drink tea. And tell me a joke',
  'remind me at 5 to go',
  'remind me when it rains to take an umbrella',
  'remind me in 5 minutes if I forget tea',
  'do not remind me tomorrow at 9am to call mom',
  'how do I set a reminder',
  'wake me up when september ends',
  '叫我小明',
  '叫我明天别迟到',
  '你昨天提醒我喝茶了吗',
  '别五分钟后提醒我喝茶',
  '五分钟后提醒我这个',
  '五分钟后你会提醒我吗',
  '明天9点提醒我',
  '五分钟后提醒我喝茶，然后给我讲个笑话',
])('%j is left to the model', (said) => {
  expect(findWish(said)).toBeUndefined()
})

it('gives nothing that /remind would not read', () => {
  const words = fc.constantFrom(
    'remind me ',
    'in 5 minutes ',
    'to ',
    'tea',
    '提醒我',
    '五分钟后',
    '闹钟',
    '叫我',
    'set a timer for ',
    '，',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(words, { maxLength: 8 }), (parts) => {
      const typed = findWish(parts.join(''))
      if (typed !== undefined) expect(readWhen(typed)).toMatchObject({ kind: 'read' })
    }),
    runs(300),
  )
})

it.each(['remind me ', '提醒我', '@a ', 'in 5 minutes ', '叫', ' '])(
  'takes little time for a megabyte of %j',
  (unit) => {
    const beganMs = processorMs()
    findWish(unit.repeat(1_000_000 / unit.length))
    findWish(unit.repeat(160 / unit.length))
    expect(processorMs() - beganMs).toBeLessThan(100)
  },
)
