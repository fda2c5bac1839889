// What people type as a time zone is read, or refused with what they probably meant.
import { expect, test } from 'vitest'
import { findZone } from '#shared/feature/find-zone.ts'

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  [' AMERICA/new_york ', 'America/New_York'],
  ['america/port_of_spain', 'America/Port_of_Spain'],
  // The platform knows these by older names.
  ['asia/kolkata', 'Asia/Kolkata'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['berlin', 'Europe/Berlin'],
  ['Los Angeles', 'America/Los_Angeles'],
  ['北京', 'Asia/Shanghai'],
  ['beijing', 'Asia/Shanghai'],
  ['utc', 'UTC'],
  ['+02:00', '+02:00'],
  ['-3', '-03:00'],
  ['UTC+5:30', '+05:30'],
  ['GMT -0800', '-08:00'],
  ['-0', 'UTC'],
  ['utc+00:00', 'UTC'],
  ['US/Pacific', 'America/Los_Angeles'],
  ['australia/nsw', 'Australia/Sydney'],
  ['etc/gmt+8', 'Etc/GMT+8'],
  ['etc/gmt-0', 'UTC'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['Asia/Ho Chi Minh', 'Asia/Ho_Chi_Minh'],
])('"%s" is %s', (typed, zone) => {
  expect(findZone(typed)).toEqual({ kind: 'zone', zone })
  expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow()
})

test.each([
  ['Europe/Berln', 'Europe/Berlin'],
  ['europe/belrin', 'Europe/Berlin'],
  ['Shangai', 'Asia/Shanghai'],
  ['Asia/Shanghia', 'Asia/Shanghai'],
])('of "%s" it tells that %s was meant', (typed, nearest) => {
  expect(findZone(typed)).toEqual({ kind: 'unknown', nearest })
})

test.each(['', '/', 'CST', 'home', '+99:00', '+2:75', 'Europe/', '../../etc/passwd', 'x'.repeat(5000), '我家'])(
  '"%s" is none',
  (typed) => {
    expect(findZone(typed).kind).toBe('unknown')
  },
)
