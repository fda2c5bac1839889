// What comes of a message: in the third person, its days resolved, one item for each statement; and nothing of what is not meant.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findCandidates } from '#services/memory/candidates/find-candidates.ts'
import type { JudgedMessage } from '#services/memory/candidates/message.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

/** A Tuesday. */
const atMs = Date.parse('2026-03-10T09:00:00Z')
const message = (text: string, rest: Partial<JudgedMessage> = {}): JudgedMessage => ({
  chat: 'direct',
  atMs,
  speaker: 'Ann',
  text,
  ...rest,
})

it('tells a person in the third person, one item for each statement', () => {
  expect(findCandidates(message("I'm a nurse, and I love long walks"))).toEqual([
    { category: 'fact', content: 'Ann is a nurse', explicit: false },
    { category: 'preference', content: 'Ann loves long walks', explicit: false },
  ])
})

it.each([
  ['I have to file the report by next Friday', 'Ann has to file the report by next Friday (2026-03-20)'],
  ['I have to file the report by Friday', 'Ann has to file the report by Friday (2026-03-13)'],
  ['I have to file the report in two weeks', 'Ann has to file the report in two weeks (2026-03-24)'],
  ['I must renew my pass before the end of May', "Ann must renew Ann's pass before the end of May (2026-05-31)"],
  ['my lease ends on 1 March', "Ann's lease ends on 1 March (2027-03-01)"],
  ['我下周三之前要交预算表', 'Ann下周三（2026-03-18）之前要交预算表'],
  ['我后天要交预算表', 'Ann后天（2026-03-12）要交预算表'],
  ['我月底前要交预算表', 'Ann月底（2026-03-31）前要交预算表'],
])('resolves the day of %j', (text, content) => {
  expect(findCandidates(message(text)).map((one) => one.content)).toEqual([content])
})

it('takes 007 for a jest, and a number that ends so for a number', () => {
  expect(findCandidates(message('I am 007.'))).toEqual([])
  expect(findCandidates(message('My locker is 1007.'))).toMatchObject([{ content: "Ann's locker is 1007" }])
})

it('leaves alone what comes again', () => {
  expect(findCandidates(message("I'm off every Friday"))[0]?.content).toBe('Ann is off every Friday')
  expect(findCandidates(message('my birthday is on 3 May'))[0]?.content).toBe("Ann's birthday is on 3 May")
})

it('knows since when it holds', () => {
  expect(findCandidates(message('We moved to Ghent in January'))).toEqual([
    { category: 'fact', content: expect.stringContaining('lives in Ghent'), explicit: false, validFrom: '2026-01-01' },
  ])
})

it('marks what is ordered to be kept, before or behind it', () => {
  const orders = ['remember that I park in bay 14', 'I park in bay 14. Remember that please', '记住我的车位是14号']
  for (const text of orders) expect(findCandidates(message(text)).map(({ explicit }) => explicit)).toEqual([true])
})

it.each([
  'From: bob@example.com\nTo: me\nSubject: hello\n\nI live in Berlin and I work at Siemens.',
  'What do you think of this mail?\n\nHi team,\nI work at Acme and I hate meetings.\nBest, Bob',
  '你看看这封邮件：\n我在华为工作。\n此致\n敬礼',
  '小王：我住在上海',
  '李小明：我住在上海\n王姐：我住在北京',
  'Write a short story. I live in Rome. My name is Bob.',
])('keeps nothing of others that was copied into %j', (text) => {
  expect(findCandidates(message(text))).toEqual([])
})

it('reads a condition, a role or a message to somebody else as nothing', () => {
  for (const text of ['if I lived in Oslo I would ski', "let's play: I live on Mars", 'do I live in Oslo?'])
    expect(findCandidates(message(text))).toEqual([])
  const toBen = message('Ben, I live near you now', { chat: 'group' })
  expect(findCandidates(toBen)).toEqual([])
  expect(findCandidates(message('阿哲 我搬到滨江了', { chat: 'group', others: ['阿哲'] }))).toEqual([])
})

it('keeps of health only what is said in a direct chat', () => {
  expect(findCandidates(message('I am allergic to nuts'))).toHaveLength(1)
  expect(findCandidates(message('I am allergic to nuts', { chat: 'group' }))).toEqual([])
})

it('takes any text, gives ten items at most, within its time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      expect(findCandidates(message(text)).length).toBeLessThanOrEqual(10)
    }),
  )
  expect(findCandidates(message('I like tea number 1. '.repeat(150))).length).toBeLessThanOrEqual(10)
  const before = processorMs()
  for (const pump of ['I am ', '我喜欢', '，', '. ', 'my x is ', '记住', '周一', '“a', 'and I ', '5月', '```']) {
    findCandidates(message(pump.repeat(4000).slice(0, 4000)))
    findCandidates(message(pump.repeat(100_000)))
  }
  expect(processorMs() - before).toBeLessThan(1500)
})
