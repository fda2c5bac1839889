// When the night of a person is.
import { expect, test } from 'vitest'
import { isQuietHour, quietHours, readHours } from '#shared/desk/hours.ts'

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

test.each([
  ['19_7', '18:59', false],
  ['19_7', '19:00', true],
  ['19_7', '06:59', true],
  ['19_7', '07:00', false],
  ['13_15', '12:59', false],
  ['13_15', '13:00', true],
  ['13_15', '14:59', true],
  ['13_15', '15:00', false],
  ['13_15', '23:00', false],
  ['0_23', '22:59', true],
  ['0_23', '23:00', false],
  ['5_0', '23:59', true],
  ['5_0', '00:00', false],
  ['none', '03:00', false],
] as const)('with %s at %s', (hours, at, isQuiet) => {
  expect(isQuietHour(Date.parse(`2026-01-10T${at}:00Z`), 'UTC', hours)).toBe(isQuiet)
})

test.each([
  ['19-7', '19_7'],
  ['0-23', '0_23'],
  ['09-17', '9_17'],
  ['22:00-08:00', '22_8'],
  ['22–8', '22_8'],
  ['22到8', '22_8'],
  ['NONE', 'none'],
  ['off', 'none'],
  ['9', { wrong: 'form' }],
  ['9:30-17', { wrong: 'form' }],
  ['-1-5', { wrong: 'form' }],
  ['25-3', { wrong: 'range' }],
  ['3-24', { wrong: 'range' }],
  ['9-9', { wrong: 'same' }],
  ['09-9', { wrong: 'same' }],
])('%j is read as %j', (written, read) => {
  expect(readHours(written)).toEqual(read)
})

test('any two different hours may be chosen, and what is read is one of those', () => {
  expect(new Set(quietHours).size).toBe(24 * 23 + 1)
  for (const hours of quietHours) expect(readHours(hours.replace('_', '-'))).toBe(hours)
})
