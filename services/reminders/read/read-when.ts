// Reads the time that a text begins with, or else ends with, in both languages: pieces in any order, each at most once. What it does not understand
// whole it refuses: a part of a time that were taken for the text would remind at the wrong time. It reads a hundred characters only, with expressions
// that take time in proportion to them.
import type { Day, Reading, Unread, Weekday, When } from './when.ts'
import { dayPieces, leadingDay } from './day.ts'
import { findDuration } from './duration.ts'
import { findEvery } from './every.ts'
import { findAt, sticky, type Draft, type Piece } from './piece.ts'
import { findRecurrence, interval } from './recurrence.ts'
import { zhNumber } from './numbers.ts'
import { findEnding } from './text-first.ts'
import { clockPieces, partPieces, toMinute, trailingPart, type Minute } from './time-of-day.ts'
import { leadingZones, trailingZones, withoutIso } from './zones.ts'

const mostReadChars = 100
/** Another way to write a sign, one for one, so that places stay the same. */
const plain: Readonly<Record<string, string>> = {
  後: '后',
  點: '点',
  週: '周',
  鐘: '钟',
  兩: '两',
  禮: '礼',
  個: '个',
  時: '时',
  號: '号',
  這: '这',
  過: '过',
  記: '记',
  '：': ':',
  '　': ' ',
}
const figures = '０１２３４５６７８９'
const toPlain = (text: string): string =>
  text.replaceAll(/[後點週鐘兩禮個時號這過記：　０-９]/g, (sign) => plain[sign] ?? String(figures.indexOf(sign)))

const opening = sticky('(?:please |pls )?(?:remind )?me |(?:请|麻烦|到时|记得|帮我|提醒我|叫我|通知我|于|在){1,4}')
const cron = sticky('cron(?: |$)')
const between = sticky('[ ,，的]*')
const closing = sticky('[ ,，:;；。、.-]*(?:(?:to|that) |(?:请|记得)?(?:提醒|叫|通知)我(?:去)?)?[ ,，:]*')

/** Spaces and breaks of lines as one space each. */
export const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The rest, which follows the time or stands before it, may be empty. */
export function readWhen(typed: string): Reading {
  const whole = withoutIso(toLine(typed))
  const first = readFirst(whole)
  return first.kind === 'unread' && first.why === 'no-time' ? (readLast(whole) ?? first) : first
}

/** A time at the end; a length of time says "in" or "later" there, since "20 m" may be anything. */
function readLast(whole: string): Reading | undefined {
  const text = toPlain(whole)
  if (text.length > mostReadChars) return undefined
  const from = (findAt(opening, text, 0)?.[0] ?? '').length
  const found = findEnding(whole, text, from, (at) => {
    const duration = findAt(lengthAhead, text, at) ? findDuration(text, at) : undefined
    const { draft, at: end } = readPieces(text, duration?.at ?? at, { ...toFirst(duration?.days), isLast: true })
    if (duration && (draft.day === undefined || end === duration.at))
      return { found: { kind: 'in', afterMs: duration.ms } as const, at: duration.at }
    const isTime = draft.day ?? draft.weekdays ?? draft.monthDay ?? draft.clock
    const minute = toMinute(draft)
    return isTime === undefined ? undefined : { found: toRead(draft, minute), at: end }
  })
  if (!found) return undefined
  const { text: rest } = found
  return typeof found.found === 'string' ? unread(found.found) : { kind: 'read', when: found.found, rest }
}

function readFirst(whole: string): Reading {
  const text = toPlain(whole.slice(0, mostReadChars))
  const start = (findAt(opening, text, 0)?.[0] ?? '').length
  const toRest = (at: number): string => whole.slice(at + (findAt(closing, text, at)?.[0] ?? '').length)
  if (findAt(cron, text, start)) return readCron(whole.slice(start + 4))
  const every = findEvery(text, start)
  if (every && findAt(bounds, text, every.at)) return unread('condition')
  if (every) return { kind: 'read', when: { kind: 'cron', expression: every.expression }, rest: toRest(every.at) }
  const duration = findDuration(text, start)
  const { draft, at } = withHour(text, readPieces(text, duration?.at ?? start, toFirst(duration?.days)))
  if (duration && (draft.day === undefined || at === duration.at)) {
    const why = findFault(text, duration.at, {})
    return why ? unread(why) : { kind: 'read', when: { kind: 'in', afterMs: duration.ms }, rest: toRest(duration.at) }
  }
  const why = at === start ? findUnreadStart(text, start) : findFault(text, at, draft)
  if (why) return unread(why)
  const minute = toMinute(draft)
  const read = toRead(draft, minute)
  return typeof read === 'string' ? unread(read) : { kind: 'read', when: read, rest: toRest(at) }
}

function toRead(draft: Draft, minute: Minute): When | Unread {
  if (typeof minute === 'string') return minute
  const { zone } = draft
  if (zone === 'unclear') return 'unclear-zone'
  return { ...toWhen(draft, minute), ...(zone === undefined ? {} : { zone }) }
}

/** In 20 minutes, 20分钟后. */
const lengthAhead = sticky(
  String.raw`(?:in|after) ||过|再过|(?:半|[零一二两三四五六七八九十\d]{1,4}) ?个?半?(?:秒|分|刻|小时|钟头|天|周|星期|礼拜)`,
)

const unread = (why: Unread): Reading => ({ kind: 'unread', why })
/** In two days is so many hours, unless a time of day follows. */
const toFirst = (days: number | undefined): Draft => (days === undefined ? {} : { day: { kind: 'offset', days } })

function readPieces(text: string, from: number, first: Draft): { readonly draft: Draft; readonly at: number } {
  let [draft, at] = [first, from]
  let last: Draft = first
  for (;;) {
    const here = at + (findAt(between, text, at)?.[0] ?? '').length
    const found = findPiece(text, here, { draft, last, isFirst: at === from })
    if (!found) return { draft, at }
    const { chars, ...more } = found
    last = more
    draft = { ...draft, ...more, ...withWeekday(draft.day, more.day) }
    at = here + chars
  }
}

/** Monday, 30 November. */
function withWeekday(before: Day | undefined, day: Day | undefined): Draft {
  return before?.kind === 'weekday' && day?.kind === 'date' ? { day: { ...day, weekday: before.weekday } } : {}
}

type Found = Draft & { readonly chars: number }
type SoFar = { readonly draft: Draft; readonly last: Draft; readonly isFirst: boolean }

function findPiece(text: string, at: number, { draft, last, isFirst }: SoFar): Found | undefined {
  const { day, clock } = draft
  const isDayOpen = day === undefined && draft.weekdays === undefined && draft.monthDay === undefined
  const recurrence = isDayOpen ? findRecurrence(text, at) : undefined
  const fits = (found: Draft): boolean => found.part === undefined || draft.part === undefined
  if (recurrence && fits(recurrence)) return recurrence
  const isDated = day?.kind === 'weekday' && day.week === 'any' && last.day !== undefined
  // At ten tomorrow night.
  const isHalfOpen = clock !== undefined && !clock.isWhole && clock.half === undefined && last.day !== undefined
  const partsNow = clock === undefined || isHalfOpen ? partPieces : [trailingPart]
  const pieces: readonly Piece[] = [
    ...(isDayOpen ? [...dayPieces, ...(isFirst && !draft.isLast ? [leadingDay] : [])] : isDated ? dayPieces : []),
    ...(clock === undefined ? clockPieces : []),
    ...(draft.part === undefined ? partsNow : []),
    ...(draft.zone !== undefined ? [] : clock === undefined ? leadingZones : trailingZones),
  ]
  for (const { pattern, read } of pieces) {
    const found = findAt(pattern, text, at)
    const more = found && read(found)
    const isTaken = more?.day !== undefined && isDated && more.day.kind !== 'date'
    if (found && more && fits(more) && !isTaken) return { ...more, chars: (found[0] ?? '').length }
  }
  return undefined
}

const past = sticky(
  ' ?(?:until|till|except|unless|starting|直到|除了|早晚|从(?:今|明|下)|[之以]?[前后](?![门台])|or (?=[0-9])|and a half)',
)
/** From one time to another. */
const span = sticky(String.raw` ?(?:[-–—~到至]|to) ?(?=${zhNumber}(?:[点时:-]|$| ))`)
const again = sticky('(?:every|each|daily|weekly|hourly|monthly|yearly|每(?!人|个人|位))')
/** The daily of a team, where it is known already when it comes again. */
const adjective = sticky('(?:the )?(?:daily|weekly|monthly)(?! (?:at|on|until|till|from|except)|ly| ?[0-9])')
const bounds = sticky(' ?[,，]? ?(?:(?:from|between|until|till|except|starting|on|at)(?: |$)|从|直到|除了|[0-9])')
const clockLike = sticky(
  String.raw`(?:at |@)?\d{1,2}(?:[:.]\d| ?[ap]\.?m\b)|${'[〇零一二两三四五六七八九十\\d]{1,5}[点时]'}|at \d`,
)
const second = sticky(
  '(?:and|&|和|及)? ?(?=(?:at |@)?[0-9]{1,2}(?:[:.][0-9]| ?[ap]m)|[〇零一二两三四五六七八九十0-9]{1,3}[点时])',
)
const bareNumber = sticky('[0-9]{1,2}(?=[ -]|$)')
/** Monday 9 stand-up: an hour that can be only one of the day. */
const bareHour = sticky(String.raw`[ ,]{1,2}(0?[7-9]|1\d|2[0-3]) (?=[a-z\u4e00-\u9fff])`)

function withHour(text: string, read: ReturnType<typeof readPieces>): ReturnType<typeof readPieces> {
  const { draft, at } = read
  const hasDay = draft.day !== undefined || draft.weekdays !== undefined
  const found = hasDay && draft.clock === undefined && draft.part === undefined ? findAt(bareHour, text, at) : undefined
  if (!found) return read
  const clock = { hour: Number(found[1]), minute: 0, isWhole: true }
  return { draft: { ...draft, clock }, at: at + (found[0] ?? '').length }
}
const dayLike = sticky(
  String.raw`\d{1,4}[/.]\d{1,2}(?:[/.]\d{1,4})?(?![\d%])|\d{1,4}-\d{1,2}-\d|(?:next|this|last) (?:week|month|year)\b|[〇零一二两三四五六七八九十\d]{1,5}[年月号]|[下上这本]个?(?:周|星期|礼拜|月)|明年|后年`,
)

/** What stands behind the time and looks like more of it. */
function findFault(text: string, at: number, draft: Draft): Unread | undefined {
  const here = at + (findAt(between, text, at)?.[0] ?? '').length
  if (findAt(past, text, here) ?? findAt(span, text, at)) return 'condition'
  const isAdjective = draft.weekdays !== undefined && findAt(adjective, text, here) !== undefined
  if (findAt(interval, text, here) && !isAdjective) return 'interval'
  if (findAt(again, text, here) && !isAdjective) return 'condition'
  if (draft.weekdays !== undefined && draft.clock !== undefined && findAt(second, text, here)) return 'condition'
  if (draft.clock === undefined && findAt(clockLike, text, here)) return 'no-such-time'
  const isNoHour = draft.day !== undefined && draft.clock === undefined && findAt(bareNumber, text, here)
  if (isNoHour) return 'ambiguous-hour'
  const hasDay = draft.day !== undefined || draft.weekdays !== undefined || draft.monthDay !== undefined
  return !hasDay && findAt(dayLike, text, here) ? 'unclear-day' : undefined
}

function findUnreadStart(text: string, at: number): Unread {
  if (findAt(interval, text, at)) return 'interval'
  if (findAt(dayLike, text, at)) return 'unclear-day'
  return findAt(clockLike, text, at) ? 'no-such-time' : 'no-time'
}

function toWhen({ day, weekdays, monthDay }: Draft, minute: number): When {
  if (monthDay !== undefined)
    return { kind: 'cron', expression: `${minute % 60} ${Math.floor(minute / 60) % 24} ${monthDay} * *` }
  if (!weekdays) return { kind: 'once', day: day ?? { kind: 'any' }, minute }
  const kind = weekdays.length === 7 ? 'daily' : isWorking(weekdays) ? 'weekdays' : 'weekly'
  return { kind, weekdays, minute }
}
const isWorking = (weekdays: readonly Weekday[]): boolean =>
  weekdays.length === 5 && !weekdays.includes(0) && !weekdays.includes(6)

const cronField = '(?:[\\d*,/-]|sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec){1,40}'
const cronFields = new RegExp(`^((?: ${cronField}){5})(?: (?!${cronField}(?: |$))(.*))?$`, 'is')

/** Five fields in figures or names, and the text, which does not look like a sixth. */
function readCron(typed: string): Reading {
  const [, expression = '', rest = ''] = cronFields.exec(typed) ?? []
  if (expression === '') return unread('bad-cron')
  return { kind: 'read', when: { kind: 'cron', expression: expression.trim() }, rest: rest.trim() }
}
