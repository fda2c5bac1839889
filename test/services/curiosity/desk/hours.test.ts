// When the night of a person is.
import { expect, test } from 'vitest'
import { isQuietHour } from '#services/curiosity/desk/hours.ts'

test.each([
  ['2026-03-29T01:30:00Z', 'Europe/Berlin', true],
  ['2026-03-29T05:59:00Z', 'Europe/Berlin', true],
  ['2026-03-29T06:00:00Z', 'Europe/Berlin', false],
  ['2026-03-28T07:00:00Z', 'Europe/Berlin', false],
  ['2026-10-25T06:59:00Z', 'Europe/Berlin', true],
  ['2026-10-25T07:00:00Z', 'Europe/Berlin', false],
  ['2026-01-10T13:59:00Z', 'Asia/Shanghai', false],
  ['2026-01-10T14:00:00Z', 'Asia/Shanghai', true],
  ['2026-01-11T00:00:00Z', 'Asia/Shanghai', false],
])('%s in %s', (at, zone, isQuiet) => {
  expect(isQuietHour(Date.parse(at), zone)).toBe(isQuiet)
})
