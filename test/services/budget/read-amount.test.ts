// Amounts as people write them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAmount } from '#services/budget/read-amount.ts'
import { runs } from '#test/rig/property-runs.ts'

test.each([
  ['300000', 'tokens', 300_000],
  ['300,000', 'tokens', 300_000],
  ['300k', 'tokens', 300_000],
  ['1.5m', 'tokens', 1_500_000],
  ['30万', 'tokens', 300_000],
  ['$20', 'micros', 20_000_000],
  ['$0.5', 'micros', 500_000],
  ['none', 'none', 0],
  ['不限', 'none', 0],
])('reads %s', (text, unit, most) => {
  expect(readAmount(text)).toEqual({ unit, most })
})

test.each(['', '0', '$0', '-5', '1e6', 'many', '9999999999999', '5 apples', '$', 'k'])('refuses %j', (text) => {
  expect(readAmount(text)).toBeUndefined()
})

test('never gives a limit that is nothing or no whole number', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (text) => {
      const amount = readAmount(text)
      if (amount && amount.unit !== 'none') expect(Number.isSafeInteger(amount.most) && amount.most > 0).toBe(true)
    }),
    runs(100),
  )
})
