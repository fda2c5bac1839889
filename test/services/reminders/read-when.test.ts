// What people write as a time, and what it comes to with a clock and a zone that stand still.
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { findNextMoment } from '#infra/processes/next-moment.ts'
import { clockPieces, partPieces } from '#services/reminders/read/time-of-day.ts'
import { dayPieces } from '#services/reminders/read/day.ts'
import { readWhen } from '#services/reminders/read/read-when.ts'
import { resolve, toWall, type Due } from '#services/reminders/resolve.ts'
import { findSlow } from '#test/architecture/patterns/find-slow.ts'
import { runs } from '#test/rig/property-runs.ts'
import { chinese, english, refused } from './phrases.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const berlin = 'Europe/Berlin'
const newYork = 'America/New_York'
const tuesday = Date.UTC(2026, 10, 24, 10)

/** The wall time of a moment, as the table writes it. */
const toShown = (atMs: number, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(atMs)

type Come = { readonly due: Due | undefined; readonly why: string; readonly rest: string }
function come(typed: string, { nowMs = tuesday, zone = berlin } = {}): Come {
  const reading = readWhen(typed)
  if (reading.kind === 'unread') return { due: undefined, why: reading.why, rest: '' }
  const { when, rest } = reading
  if (rest === '') return { due: undefined, why: 'no-text', rest }
  const due = resolve(when, { nowMs, zone, next: findNextMoment })
  return { due, why: due.kind === 'refused' ? due.why : '', rest }
}
const wallOf = (typed: string, at: { nowMs?: number; zone?: string } = {}): string => {
  const { due, why } = come(typed, at)
  return due?.kind === 'due' ? toShown(due.dueMs, at.zone ?? berlin) : why
}

describe('a time is read with the text behind it', () => {
  const phrases = [...english, ...chinese].map(([phrase, ...means]) => ({ phrase, means }))
  test.each(phrases)('$phrase', ({ phrase, means: [wall, rest, every] }) => {
    const found = come(phrase)
    const { due } = found
    if (due?.kind !== 'due') throw new Error(`refused: ${found.why}`)
    expect([toShown(due.dueMs, berlin), found.rest, due.every]).toEqual([wall, rest, every])
  })
})

describe('what is no time, or none that can be, is refused', () => {
  test.each(refused)('%s: %s', (phrase, why) => {
    expect(come(phrase).why).toBe(why)
  })
})

test.each([
  ['9:00 UTC call Bob', 'UTC', 'call Bob'],
  ['2026-12-24T09:00:00Z call', 'UTC', 'call'],
  ['2026-12-24T09:00:00-05:00 call', '-05:00', 'call'],
  ['2026-12-24 09:00:00 call', undefined, 'call'],
  ['9:00+02:00 call', '+02:00', 'call'],
  ['9:00 (UTC+8) call', '+08:00', 'call'],
  ['at 9am EST call mom', 'America/New_York', 'call mom'],
  ['call Bob at 9am PST', 'America/Los_Angeles', 'call Bob'],
  ['15:00 London time call', 'Europe/London', 'call'],
  ['tomorrow 9am New York time stand-up', 'America/New_York', 'stand-up'],
  ['9am Pacific time call', 'America/Los_Angeles', 'call'],
  ['every weekday 9:00 Europe/Berlin report', 'Europe/Berlin', 'report'],
  ['北京时间9点 开会', 'Asia/Shanghai', '开会'],
  ['明天纽约时间下午3点 开会', 'America/New_York', '开会'],
  ['9点东京时间 开会', 'Asia/Tokyo', '开会'],
  // A place in the text, and words that only look like a zone.
  ['at 9 in London call mom', undefined, 'in London call mom'],
  ['9am tea time', undefined, 'tea time'],
  ['9am est-ce que', undefined, 'est-ce que'],
  ['时间管理 9点', undefined, '时间管理'],
] as const)('%s is said in %s', (typed, zone, rest) => {
  const reading = readWhen(typed)
  expect(reading).toMatchObject({ kind: 'read', rest })
  expect(reading.kind === 'read' ? reading.when.zone : '').toBe(zone)
})

test.each(['9:00 CST call', 'tomorrow 9am IST call'])('a zone that means several is refused: %s', (typed) => {
  expect(readWhen(typed)).toEqual({ kind: 'unread', why: 'unclear-zone' })
})

test('a time that the night leaves out is the first moment after the gap, and that is known', () => {
  const nowMs = Date.UTC(2026, 2, 27, 12)
  const at = { nowMs }
  expect(wallOf('2026-03-29 02:30 x', at)).toBe('2026-03-29 03:00')
  expect(come('2026-03-29 02:30 x', at).due).toMatchObject({ missing: 150 })
  expect(come('2026-03-29 03:00 x', at).due).not.toHaveProperty('missing')
  const american = { nowMs: Date.UTC(2026, 2, 6, 12), zone: newYork }
  expect(wallOf('2026-03-08 02:30 x', american)).toBe('2026-03-08 03:00')
  expect(come('周日凌晨两点半 x', american).due).toMatchObject({ missing: 150 })
  // What comes again is at its own time the next day.
  const nights = [Date.UTC(2026, 2, 28, 0), Date.UTC(2026, 2, 29, 0, 30), Date.UTC(2026, 2, 29, 1)]
  expect(nights.map((each) => wallOf('every day 2:30 x', { nowMs: each }))).toEqual([
    '2026-03-28 02:30',
    '2026-03-29 03:00',
    '2026-03-30 02:30',
  ])
})

test('a time that comes twice in a night is the first of the two, once', () => {
  const first = come('2026-10-25 02:30 x', { nowMs: Date.UTC(2026, 9, 20) }).due
  expect(first).toMatchObject({ dueMs: Date.UTC(2026, 9, 25, 0, 30) })
  const again = come('every day 2:30 x', { nowMs: Date.UTC(2026, 9, 25, 0, 30) }).due
  expect(again).toMatchObject({ dueMs: Date.UTC(2026, 9, 26, 1, 30) })
  const american = come('2026-11-01 01:30 x', { nowMs: Date.UTC(2026, 9, 20), zone: newYork }).due
  expect(american).toMatchObject({ dueMs: Date.UTC(2026, 10, 1, 5, 30) })
})

test('the same words mean another moment in another zone, and a length of time does not', () => {
  expect(come('tomorrow 9am x', { zone: newYork }).due).toMatchObject({ dueMs: Date.UTC(2026, 10, 25, 14) })
  expect(come('tomorrow 9am x', { zone: '+08:00' }).due).toMatchObject({ dueMs: Date.UTC(2026, 10, 25, 1) })
  expect(come('in 20 minutes x', { zone: newYork }).due).toEqual(come('in 20 minutes x').due)
})

test('today is the day of the zone', () => {
  const lateAtNight = Date.UTC(2026, 10, 24, 23, 30)
  expect(wallOf('tomorrow 9am x', { nowMs: lateAtNight })).toBe('2026-11-26 09:00')
  expect(wallOf('tomorrow 9am x', { nowMs: lateAtNight, zone: newYork })).toBe('2026-11-25 09:00')
})

const zones = [berlin, newYork, 'Asia/Shanghai', 'Australia/Lord_Howe', 'America/St_Johns', 'Africa/Cairo', '+05:30']
const minutes = fc.integer({ min: 0, max: 1439 })
const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) })
const weekdays = fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 4, 5, 6), { minLength: 1, maxLength: 7 })
const two = (number: number): string => String(number).padStart(2, '0')

test('what comes again is after now, on its days, and at its time unless the night leaves that out', () => {
  fc.assert(
    fc.property(moments, minutes, weekdays, fc.constantFrom(...zones), (nowMs, minute, days, zone) => {
      const expression = `${minute % 60} ${Math.floor(minute / 60)} * * ${days.join(',')}`
      let last = nowMs
      for (let times = 0; times < 3; times++) {
        const next = findNextMoment(expression, zone, last) ?? 0
        expect(next).toBeGreaterThan(last)
        const wall = toWall(next, zone)
        expect(days).toContain(wall.weekday)
        // A gap is an hour at most; it lies before what comes instead.
        const late = wall.minute - minute
        expect(late).toBeGreaterThanOrEqual(0)
        if (late > 0) {
          expect(late).toBeLessThanOrEqual(60)
          const before = toWall(next - 60_000, zone).minute
          expect((wall.minute - before + 1440) % 1440).toBeGreaterThan(1)
        }
        last = next
      }
    }),
    runs(200),
  )
})

test('once, in either language, is after now and at that time, or refused', () => {
  fc.assert(
    fc.property(
      moments,
      minutes,
      fc.integer({ min: 0, max: 300 }),
      fc.constantFrom(...zones),
      (nowMs, minute, ahead, zone) => {
        const date = new Date(toWall(nowMs, zone).date + ahead * 86_400_000)
        const time = `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
        const [iso = ''] = date.toISOString().split('T')
        const { due } = come(`${iso} ${time} x`, { nowMs, zone })
        const said = `${date.getUTCFullYear()}年${date.getUTCMonth() + 1}月${date.getUTCDate()}日${time} x`
        expect(come(said, { nowMs, zone }).due).toEqual(due)
        if (due?.kind !== 'due') {
          expect([ahead, due?.why]).toEqual([0, 'past'])
          return
        }
        expect(due.dueMs).toBeGreaterThan(nowMs)
        if (due.missing === undefined) expect(toShown(due.dueMs, zone)).toBe(`${iso} ${time}`)
      },
    ),
    runs(200),
  )
})

function measureMs(work: () => unknown): number {
  const startedMs = processorMs()
  work()
  return processorMs() - startedMs
}

test('no text holds up a worker: what repeats is read in no time, and whatever is written is read or refused', () => {
  const words =
    'tomorrow,at ,in ,1 ,9am ,monday ,next ,and ,20 minutes ,jan ,1:,a ,the ,half ,every ,每周,一,三,年,月,下,周三,十,分钟,半,个,0,cron ,* ,，, '.split(
      ',',
    )
  let slowestMs = 0
  for (const one of words)
    for (const other of words)
      for (const text of [(one + other).repeat(1000), `tomorrow ${(one + other).repeat(1000)}`]) {
        // The quickest of three: what a busy machine adds is not the reader's.
        slowestMs = Math.max(slowestMs, Math.min(...[1, 2, 3].map(() => measureMs(() => readWhen(text)))))
      }
  expect(slowestMs).toBeLessThan(50)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => void readWhen(text)),
    runs(200),
  )
  const pieces = [...clockPieces, ...dayPieces, ...partPieces]
  expect(pieces.flatMap(({ pattern }) => findSlow(pattern) ?? [])).toEqual([])
})

test('an expression that never comes is known soon', () => {
  for (const never of ['0 0 30 2 *', '0 0 31 4,6,9,11 *']) {
    expect(findNextMoment(never, berlin, tuesday)).toBeUndefined()
    expect(measureMs(() => findNextMoment(never, berlin, tuesday))).toBeLessThan(1000)
  }
})
