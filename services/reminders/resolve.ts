// From what was said to a moment: in the zone of whoever said it, and safe over changes of the clock. A time that a night leaves out, as the
// clocks go forward, is the first moment after the gap; one that comes twice is the first of the two.
import type { Day, When, Weekday } from '#services/reminders/read/when.ts'

/** The first moment after `afterMs` that fits an expression of five fields in a zone; undefined where there is none, or it is no expression. */
export type NextMoment = (expression: string, zone: string, afterMs: number) => number | undefined

export type Due =
  | {
      readonly kind: 'due'
      readonly dueMs: number
      /** Of what comes again. */
      readonly every?: string
      /** The minute of the day that was said, where the night leaves it out. */
      readonly missing?: number
    }
  | { readonly kind: 'refused'; readonly why: 'past' | 'far' | 'no-such-day' | 'often' | 'bad-cron' }

export type At = { readonly nowMs: number; readonly zone: string; readonly next: NextMoment }

const dayMs = 86_400_000
/** As far as a timer reaches. */
export const longestMs = 366 * dayMs
/** What comes more often than this in an hour would be noise, and spend what the bot may send. */
const mostInHour = 12

/** Of what needs no zone any will do. */
export function resolve(when: When, given: At): Due {
  const at = { ...given, zone: when.zone ?? given.zone }
  switch (when.kind) {
    case 'in':
      return when.afterMs <= 0 ? refused('past') : toDue(at, at.nowMs + when.afterMs)
    case 'once':
      return resolveOnce(when, at)
    case 'daily':
    case 'weekdays':
    case 'weekly':
      return toFirst(at, toExpression(when), when.minute)
    case 'cron': {
      const { nowMs, zone, next } = at
      const first = next(when.expression, zone, nowMs)
      if (first === undefined) return refused('bad-cron')
      return isOften(when.expression, first, at) ? refused('often') : toFirst(at, when.expression)
    }
    default:
      return when satisfies never
  }
}

const refused = (why: Extract<Due, { kind: 'refused' }>['why']): Due => ({ kind: 'refused', why })

function toDue({ nowMs }: Pick<At, 'nowMs'>, dueMs: number): Due {
  return dueMs - nowMs > longestMs ? refused('far') : { kind: 'due', dueMs }
}

function toFirst(at: At, every: string, minute?: number): Due {
  const dueMs = at.next(every, at.zone, at.nowMs)
  const due = dueMs === undefined ? refused('bad-cron') : toDue(at, dueMs)
  return due.kind === 'due'
    ? { ...due, every, ...(minute === undefined ? {} : findMissing(due.dueMs, minute, at)) }
    : due
}

function toExpression({
  weekdays,
  minute,
}: {
  readonly weekdays: readonly Weekday[]
  readonly minute: number
}): string {
  const late = Math.floor(minute / 1440)
  const days = weekdays.map((day) => (day + late) % 7).toSorted((one, other) => one - other)
  return `${minute % 60} ${Math.floor(minute / 60) % 24} * * ${days.length === 7 ? '*' : days.join(',')}`
}

function isOften(expression: string, first: number, { zone, next }: At): boolean {
  let last: number | undefined = first
  for (let count = 0; count < mostInHour && last !== undefined; count++) last = next(expression, zone, last)
  return last !== undefined && last - first < 3_600_000
}

/** A day of the calendar, as the noon of that day in UTC. */
type CalendarDay = number
const toDate = (year: number, month: number, day: number): CalendarDay => Date.UTC(year, month - 1, day, 12)
const isDate = (date: CalendarDay, month: number, day: number): boolean => {
  const read = new Date(date)
  return read.getUTCMonth() + 1 === month && read.getUTCDate() === day
}

function resolveOnce({ day, minute }: Extract<When, { kind: 'once' }>, at: At): Due {
  const today = toWall(at.nowMs, at.zone)
  const dates = findDates(day, today)
  const moments = dates.map((date) => toMoment(date, minute, at))
  const coming = moments.find((moment) => moment !== undefined && moment > at.nowMs)
  if (coming === undefined) return refused(dates.length === 0 ? 'no-such-day' : 'past')
  const due = toDue(at, coming)
  return due.kind === 'due' ? { ...due, ...findMissing(due.dueMs, minute, at) } : due
}

/** The days that it can be, the first that is still to come is meant; none where there is no such day. */
function findDates(day: Day, { date: today, weekday: dayOfWeek, year, month }: Wall): readonly CalendarDay[] {
  switch (day.kind) {
    case 'any':
      return [today, today + dayMs]
    case 'offset':
      return [today + day.days * dayMs]
    case 'weekday': {
      if (day.week !== 'any') return [today + (toPlace(day.weekday) - toPlace(dayOfWeek) + 7 * day.week) * dayMs]
      const ahead = (day.weekday - dayOfWeek + 7) % 7
      return [today + ahead * dayMs, today + (ahead + 7) * dayMs]
    }
    case 'date': {
      const years = day.year === undefined ? [0, 1, 2, 3, 4, 5, 6, 7, 8].map((more) => year + more) : [day.year]
      const dates = years
        .map((one) => toDate(one, day.month, day.day))
        .filter((date) => isDate(date, day.month, day.day))
      const { weekday } = day
      // Of a weekday and a date that do not go together nobody knows which is meant.
      return weekday === undefined ? dates : dates.slice(0, 2).filter((date) => new Date(date).getUTCDay() === weekday)
    }
    case 'day-of-month': {
      const later = day.months === undefined ? [0, 1, 2] : [day.months]
      return later.flatMap((more) => {
        const date = toDate(year, month + more, day.day)
        return new Date(date).getUTCDate() === day.day ? [date] : []
      })
    }
    default:
      return day satisfies never
  }
}
/** Its place in a week that begins on Monday. */
const toPlace = (weekday: number): number => (weekday + 6) % 7

function toMoment(date: CalendarDay, minute: number, { zone, next }: At): number | undefined {
  const read = new Date(date + Math.floor(minute / 1440) * dayMs)
  const time = `${minute % 60} ${Math.floor(minute / 60) % 24}`
  // No zone is more than a day from UTC.
  return next(`${time} ${read.getUTCDate()} ${read.getUTCMonth() + 1} *`, zone, read.getTime() - 2 * dayMs)
}

function findMissing(dueMs: number, minute: number, { zone }: At): { missing?: number } {
  return toWall(dueMs, zone).minute === minute % 1440 ? {} : { missing: minute % 1440 }
}

export type Wall = {
  readonly year: number
  readonly month: number
  readonly date: CalendarDay
  readonly weekday: number
  /** Of the day. */
  readonly minute: number
}

/** What calendar and clock show in a zone. */
export function toWall(atMs: number, zone: string): Wall {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const found = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = found
  const date = toDate(year, month, day)
  return { year, month, date, weekday: new Date(date).getUTCDay(), minute: hour * 60 + minute }
}
