// A night's work waits for the last of the quiet hours.
import { expect, test } from 'vitest'
import { findNight, type QuietHours } from '#shared/desk/hours.ts'

test.each<[string, string, QuietHours, string]>([
  ['2026-03-01T12:00:00Z', 'UTC', '22_8', '2026-03-02T07:00:00Z'],
  ['2026-03-01T23:30:00Z', 'UTC', '22_8', '2026-03-02T07:00:00Z'],
  ['2026-03-01T07:20:00Z', 'UTC', '22_8', '2026-03-01T07:20:00Z'],
  ['2026-03-01T08:00:00Z', 'UTC', '22_8', '2026-03-02T07:00:00Z'],
  ['2026-03-01T12:00:00Z', 'Asia/Kolkata', '22_8', '2026-03-02T01:30:00Z'],
  ['2026-03-01T12:00:00Z', 'UTC', '13_15', '2026-03-01T14:00:00Z'],
  ['2026-03-01T12:00:00Z', 'UTC', 'none', '2026-03-02T07:00:00Z'],
])('at %s in %s with %s it is at %s', (now, zone, hours, night) => {
  const nowMs = Date.parse(now)
  expect(new Date(nowMs + findNight(nowMs, zone, hours)).toISOString()).toBe(night.replace('Z', '.000Z'))
})
