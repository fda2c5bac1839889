// Tokens of memory search: what a question and an entry share, whatever form their words have; ASCII alone, so that no engine changes them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toPorterStem } from '#services/memory/search/porter.ts'
import { toQueryTokens } from '#services/memory/search/rank.ts'
import { toTokens } from '#services/memory/search/tokens.ts'
import { runs } from '#test/rig/property-runs.ts'

test.each([
  ['connections connected connecting', 'connect'],
  ['hopes hoped hoping', 'hope'],
  ['happy', 'happi'],
  ['relational relate', 'relat'],
  ['ponies pony', 'poni'],
  ['agreed agree', 'agre'],
  ['falling falls', 'fall'],
  ['controlling', 'control'],
  ['caresses', 'caress'],
  ['sky', 'sky'],
  ['generalization', 'gener'],
  ['goodness', 'good'],
  ['adoption', 'adopt'],
  ['x1s', 'x1s'],
])('stems %s to %s', (words, stem) => {
  expect(words.split(' ').map(toPorterStem)).toEqual(words.split(' ').map(() => stem))
})

test.each([
  ['went goes going', 'go'],
  ['lives lived living', 'live'],
  ['leaves left leaving', 'leav'],
  ['Children child', 'child'],
  ['bought buys', 'bui'],
  ['naïve Ｎａｉｖｅ NAIVE', 'naiv'],
])('takes %s for one word', (words, token) => {
  expect(new Set(toTokens(words))).toEqual(new Set([token]))
})

test.each(["What's that? I didn't, she'd have been there.", '什么时候？在哪里的', '…!?', ''])(
  'leaves nothing of %j',
  (text) => {
    expect(toTokens(text).filter((token) => token !== toTokens('里')[0] && !token.startsWith('b'))).toEqual([])
  },
)

test('makes single characters and pairs of Chinese, simplified', () => {
  expect(toTokens('喜歡茶')).toEqual(['u559c', 'u6b22', 'b559c6b22', 'u8336', 'b6b228336'])
  expect(toTokens('喜欢茶')).toEqual(toTokens('喜歡茶'))
})

test.each(['ERR_CONN_RESET', '/etc/hosts', 'node:fs', 'E-1042', '192.168.0.1', 'ann@example.org', 'c++'])(
  'keeps %s whole besides, in whatever case and before whatever mark',
  (exact) => {
    const [token] = toTokens(exact).filter((one) => one.startsWith('x'))
    expect(token).toBeDefined()
    expect(toTokens(`See (${exact.toUpperCase()}), please.`)).toContain(token)
  },
)

test.each(['support-group', 'word.', "Ann's", '2026'])('takes %s for no exact token', (text) => {
  expect(toTokens(text).filter((token) => /^x[0-9a-f]{4,}$/.test(token))).toEqual([])
})

test('makes tokens of a-z and 0-9 of any text, few for each of its characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const tokens = toTokens(text)
      expect(tokens.filter((token) => !/^[a-z0-9]{1,100}$/.test(token))).toEqual([])
      expect(tokens.length).toBeLessThanOrEqual(4 * text.length * 18)
    }),
    runs(500),
  )
})

test('looks at the beginning of a text of 1 MB, and of a long question', () => {
  expect(toTokens('中文 '.repeat(300_000)).length).toBeLessThan(30_000)
  expect(toQueryTokens(Array.from({ length: 9999 }, (_, i) => `w${i}`).join(' ')).length).toBeLessThanOrEqual(128)
})
