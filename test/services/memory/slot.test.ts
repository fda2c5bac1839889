// Of which statements one holds at a time, and of which many may.
import { expect, test } from 'vitest'
import { readSlot } from '#services/memory/slot.ts'
import { toTokens } from '#services/memory/search/tokens.ts'

test.each([
  ['I live in Lyon', 'home self', 'Lyon'],
  ['I live in Lille now, not in Lyon.', 'home self', 'Lille'],
  ["I've just moved to Lille", 'home self', 'Lille'],
  ['I moved to Lille last week', 'home self', 'Lille'],
  ['My mum lives in Lyon', 'home mother', 'Lyon'],
  ['Ann lives in Lyon', 'home ann', 'Lyon'],
  ['We live in the Netherlands', 'home we', 'Netherlands'],
  ['I work for Acme since 2020', 'work self', 'Acme'],
  ['My job is at Acme', 'work self', 'Acme'],
  ['My office is at Acme', 'work self', 'Acme'],
  ['My job is teacher', 'job self', 'teacher'],
  ['My name is Ann', 'name self', 'Ann'],
  ['Call me Mo', 'called self', 'Mo'],
  ['My birthday is on the 3rd of May', 'birthday self', '3 May'],
  ["Ann's birthday is 4 June", 'birthday ann', '4 June'],
  ['My wife is called Ann', 'spouse self', 'Ann'],
  ['I am married to Ann', 'spouse self', 'Ann'],
  ['My favourite colour is blue', 'favourite colour self', 'blue'],
  ['My email is a.b@example.org', 'email self', 'a.b@example.org'],
  ['我住在里昂', 'home self', '里昂'],
  ['我现在住在里尔，不是里昂', 'home self', '里尔'],
  ['我搬到里尔了', 'home self', '里尔'],
  ['我妈妈住在上海', 'home mother', '上海'],
  ['小王住在上海', 'home 小王', '上海'],
  ['我在腾讯工作', 'work self', '腾讯'],
  ['我在北京工作', 'work in self', '北京'],
  ['我叫小明', 'name self', '小明'],
  ['以后叫我老王就行', 'called self', '老王'],
  ['我的生日是5月3号', 'birthday self', '5月3日'],
  ['我老婆叫安娜', 'spouse self', '安娜'],
  ['我最喜欢喝的茶是龙井', 'favourite 茶 self', '龙井'],
  ['My boss is Omar now', 'manager self', 'Omar'],
  ['我老板换成了赵敏', 'manager self', '赵敏'],
  ['Our stand-up is at 10:00 now', 'time stand-up', '10:00'],
  ['The demo is in room Borealis', 'place room demo', 'room Borealis'],
  ['The printer is on the 5th floor', 'place floor printer', '5 floor'],
  ['I moved the van to Kanalweg 3', 'place in van', 'Kanalweg 3'],
  ['My van is parked at Hafenstrasse 12', 'place in van', 'Hafenstrasse 12'],
  ['My locker number is 417', 'value locker number', '417'],
  ['My dentist is Dr Kim', 'value dentist', 'Dr Kim'],
  ['My car is a red Toyota now', 'is a car', 'red Toyota'],
  ['我的航班改成MU5211了', 'value 航班', 'MU5211'],
  ['我的车停在B1层', 'place 车', 'B1层'],
  ['演示改到周五了', 'day 演示', '周五'],
  ['例会改到下午三点了', 'time 例会', '下午三点'],
  ['The retro is on Monday at 11:00 now', 'day retro', 'Monday at 11:00'],
])('%s tells the only value of %s: %s', (text, of, value) => {
  expect(readSlot(text)).toEqual({ of, value: [...new Set(toTokens(value))] })
})

test.each([
  'I also live in Paris',
  'I used to live in Paris',
  'I do not live in Lyon',
  'I will move to Berlin in May',
  'I live in Lyon and Paris',
  'I live in a small flat',
  'I live with my cat',
  'My sister lives in Lyon',
  'Everyone lives in Lyon',
  'I work at night',
  'I work at Acme. I also draw.',
  'My wife is a doctor',
  'I was born in 1990',
  'Do I live in Lyon?',
  'I like tea',
  'The shop opens at 10 on Sundays',
  'The room is cold',
  'My brother is in Oslo',
  'The boat is on sale',
  'My sister is a nurse now',
  '我也住在巴黎',
  '我以前住在巴黎',
  '我住在里昂和巴黎',
  '我在家工作',
  '我老婆是医生',
  '我叫他来',
  '我女儿在上海上学',
])('%s may be true beside others', (text) => expect(readSlot(text)).toBeUndefined())

test('is fast for whatever is written', () => {
  const begun = performance.now()
  for (const part of ['I moved ', "I's ", '我在', '搬到', 'A'.repeat(50), ' , not', 'my favourite a b '])
    for (let n = 1; n < 200; n += 7) readSlot(part.repeat(n).slice(0, 200))
  expect(performance.now() - begun).toBeLessThan(2000)
})

test.each(['My car is a blue Skoda', 'My hotel is the Prado Inn', '我的猫是黑猫', '我的猫叫咪咪'])(
  '%s says nothing of a change, so that it takes nobody’s place',
  (text) => {
    expect(readSlot(text)?.keeps).toBe(true)
  },
)
