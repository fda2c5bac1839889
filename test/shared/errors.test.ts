// What errors say in lines of ours.
import { expect, test } from 'vitest'
import { toReason } from '#shared/errors.ts'

test('what JSON.parse says of what it read is not repeated', () => {
  const failure = ((): unknown => {
    try {
      return JSON.parse('CANARY')
    } catch (error) {
      return error
    }
  })()
  expect(String(failure)).toContain('CANARY')
  expect(toReason(failure)).toBe('It could not be read.')
  expect(toReason(new Error('away'))).toBe('away')
  expect(toReason('CANARY')).toBe('an unexpected error')
})
