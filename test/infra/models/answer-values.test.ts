// The JSON values in what a model answers: found among words, thoughts and fences, within bounds, whatever it writes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswerValues } from '#infra/models/answer-values.ts'

test.each([
  ['{"a":1}', [{ a: 1 }]],
  ['  true\n', [true]],
  ['"text"', ['text']],
  ['Sure! {"a":1}', [{ a: 1 }]],
  ['First {"a":1}, then {"a":2}.', [{ a: 2 }, { a: 1 }]],
  ['```json\n{"a":1}\n```\nor {"b":2}', [{ a: 1 }, { b: 2 }, { a: 1 }]],
  ['```\n[1]\n```', [[1], [1]]],
  ['{bad} {"a":"}"}', [{ a: '}' }]],
  ["{'a': True, 'b': None,}", [{ a: true, b: null }]],
  ['{"a":1', []],
  ['nothing', []],
  ['', []],
])('%j', (text, values) => {
  expect(readAnswerValues(text)).toEqual(values)
})

test('a value among words that hold no bracket is found as it was', () => {
  const words = fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[[\]{}"'`\d.+-]|true|false|null/g, ' '))
  fc.assert(
    fc.property(words, words, fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (before, after, value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value))
      expect(readAnswerValues(`a ${before}${JSON.stringify(value)}${after}`)[0]).toEqual(plain)
    }),
  )
})

test.each(['[', '{', '{"a":', '{a:', "['", '```json\n{', '[[]', '"', '\\', '{"a":[{'])(
  'a long text of %j is read in no time, and bounded',
  (piece) => {
    const begunMs = performance.now()
    expect(readAnswerValues(piece.repeat(200_000)).length).toBeLessThanOrEqual(8)
    expect(performance.now() - begunMs).toBeLessThan(500)
  },
)

test('names that objects have by nature are fields like any other', () => {
  const [value] = readAnswerValues('see {"__proto__":{"polluted":1}}')
  expect(Object.hasOwn(Object(value), '__proto__')).toBe(true)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})
