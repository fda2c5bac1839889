// Finding what was said by words of a query, in both languages.
import { expect, test } from 'vitest'
import { findBest, toTerms } from '#services/session-search/find-best.ts'

const said = [
  'user: My locker code is 4711.\nassistant: Noted.',
  'user: 我们的会议改到周四下午三点，在三楼小会议室\nassistant: 好的。',
  'user: what is the capital of France?\nassistant: Paris.',
  'user: The rabbits eat hay.\nassistant: Good for them.',
  'user: 我住在柏林的王子街十七号\nassistant: 记下了。',
]
const first = async (query: string): Promise<number | undefined> => (await findBest(query, said, 1))[0]?.at

test.each([
  ['locker code', 0],
  ['what was the code of my Locker', 0],
  ['4711', 0],
  ['会议 什么时候', 1],
  ['周四', 1],
  ['rabbit', 3],
  ['我的地址 柏林', 4],
  ['FRANCE', 2],
])('%j finds it', async (query, at) => {
  expect(await first(query)).toBe(at)
})

test.each(['what is the', '', 'zebra', '的', '！？'])('%j finds nothing', async (query) => {
  expect(await findBest(query, said, 5)).toEqual([])
})

test('of two that fit alike the later one comes first, and the line that fits best is told', async () => {
  expect((await findBest('tea', ['I like tea', 'x', 'I like tea'], 2)).map(({ at }) => at)).toEqual([2, 0])
  expect(await findBest('tea', ['one\ntwo\nthree tea'], 1)).toEqual([{ at: 0, line: 8 }])
})

test('terms are words and pairs of characters', () => {
  expect(toTerms('The 会议室 is Ｒoom 12')).toEqual(['会议', '议室', 'room', '12'])
})

test('while megabytes are looked through others have their turn', async () => {
  let turns = 0
  const count = (): void => void (turns += 1)
  const other = setInterval(count, 0)
  await findBest(
    'tea',
    Array.from({ length: 400 }, () => 'I like tea, said he.\n'.repeat(500)),
    5,
  )
  clearInterval(other)
  expect(turns).toBeGreaterThan(5)
})
