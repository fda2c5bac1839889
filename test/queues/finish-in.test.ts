// Facts about work that is ended when it takes too long.
import { expect, test } from 'vitest'
import { finishIn } from '#queues/finish-in.ts'

/** Twice as long with each sign; with sixty it would not end in a lifetime. */
const runsAway = (): boolean => /^(?:a|a)*$/u.test(`${'a'.repeat(60)}!`)

test('ends a regular expression in the middle of its search, and works on', () => {
  expect(finishIn(20, runsAway)).toBeUndefined()
  expect(finishIn(10_000, () => 'fine')).toBe('fine')
})

test('throws what the work throws', () => {
  expect(() =>
    finishIn(10_000, () => {
      throw new TypeError('of its own')
    }),
  ).toThrow(TypeError)
})
