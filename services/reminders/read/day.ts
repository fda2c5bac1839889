// Days: today, tomorrow, on Monday, next Friday, 3 March, 2026-12-03, 明天, 下周三, 12月3号.
import type { Day, Weekday } from './when.ts'
import { toNumber, zhNumber } from './numbers.ts'
import { end, sticky, type Draft, type Piece } from './piece.ts'

const names = [
  ['sunday', 'sun'],
  ['monday', 'mon'],
  ['tuesday', 'tues', 'tue'],
  ['wednesday', 'wed'],
  ['thursday', 'thurs', 'thur', 'thu'],
  ['friday', 'fri'],
  ['saturday', 'sat'],
]
export const enWeekday = names.flat().join('|')
const fullWeekday = names.map(([name]) => name).join('|')
export const zhWeek = '(?:周|星期|礼拜)'
export const zhWeekday = '[一二三四五六日天]'
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const enMonth = String.raw`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
const offsets: Readonly<Record<string, number>> = {
  yesterday: -1,
  today: 0,
  tonight: 0,
  tomorrow: 1,
  tmrw: 1,
  tmr: 1,
  前天: -2,
  昨天: -1,
  今天: 0,
  今日: 0,
  今: 0,
  明天: 1,
  明日: 1,
  明: 1,
  后天: 2,
  大后天: 3,
}

/** Any number names no weekday. */
export function toWeekday(word: string): Weekday | undefined {
  const lower = word.toLowerCase()
  const at =
    word === '天'
      ? 0
      : Math.max(
          '日一二三四五六'.indexOf(word),
          names.findIndex((all) => all.includes(lower)),
        )
  return ([0, 1, 2, 3, 4, 5, 6] as const).find((weekday) => weekday === at)
}

const weeks: Readonly<Record<string, number | 'any'>> = { next: 1, this: 0, coming: 'any', '': 'any' }
const onDay = (day: Day): Draft => ({ day })
const toOnWeekday = (word: string, week: number | 'any' = 'any'): Draft | undefined => {
  const weekday = toWeekday(word)
  return weekday === undefined ? undefined : onDay({ kind: 'weekday', weekday, week })
}
/** A month's number and a day's; undefined when one of them is none. */
function toDate(month: number | undefined, day: number | undefined, year?: number): Draft | undefined {
  if (month === undefined || day === undefined) return undefined
  return onDay({ kind: 'date', month, day, ...(year === undefined ? {} : { year }) })
}
const toYear = (written: string): number | undefined => (written === '' ? undefined : toNumber(written))
const toMonth = (name: string): number => monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1

const english: readonly Piece[] = [
  { pattern: sticky(`(?:the )?day after tomorrow${end}`), read: () => onDay({ kind: 'offset', days: 2 }) },
  {
    pattern: sticky(`(?:tonight|this evening)${end}`),
    read: () => ({ day: { kind: 'offset', days: 0 }, part: 'evening' }),
  },
  {
    pattern: sticky(`(yesterday|today|tomorrow|tmrw|tmr)${end}`),
    read: ([, word = '']) => onDay({ kind: 'offset', days: offsets[word.toLowerCase()] ?? 0 }),
  },
  { pattern: sticky(`(?:on )?(${fullWeekday})${end}`), read: ([, word = '']) => toOnWeekday(word) },
  {
    pattern: sticky(`(?:on )?(?:(next|this|coming) |(?<=on ))(${enWeekday})${end}`),
    read: ([, week = '', word = '']) => toOnWeekday(word, weeks[week.toLowerCase()]),
  },
  {
    pattern: sticky(String.raw`(?:on )?(\d{1,2})(?:st|nd|rd|th)? (?:of )?${enMonth}(?:,? (20\d\d))?${end}`),
    read: ([, day = '', month = '', year = '']) => toDate(toMonth(month), toNumber(day), toYear(year)),
  },
  {
    pattern: sticky(String.raw`(?:on )?${enMonth} (\d{1,2})(?:st|nd|rd|th)?(?:,? (20\d\d))?(?![a-z0-9_'’:-])`),
    read: ([, month = '', day = '', year = '']) => toDate(toMonth(month), toNumber(day), toYear(year)),
  },
  {
    pattern: sticky(String.raw`(?:on )?the (\d{1,2})(?:st|nd|rd|th)${end}`),
    read: ([, day = '']) => onDay({ kind: 'day-of-month', day: Number(day) }),
  },
]

const chinese: readonly Piece[] = [
  {
    pattern: sticky('大后天|后天|今天|今日|明天|明日|昨天|前天'),
    read: ([word = '']) => onDay({ kind: 'offset', days: offsets[word] ?? 0 }),
  },
  {
    // 今晚, 明早: but 今晚饭 and 明早点 are something else.
    pattern: sticky('(今|明)(早上?|晚上?)(?![饭点餐会安起])'),
    read: ([, word = '', part = '']) => ({
      day: { kind: 'offset', days: offsets[word] ?? 0 },
      part: part.startsWith('早') ? 'morning' : 'evening',
    }),
  },
  {
    // 周六日 are two days.
    pattern: sticky(`(下下|下|这|本)?个?${zhWeek}(${zhWeekday})(?!日)`),
    read: ([, week = '', word = '']) =>
      toOnWeekday(word, week === '' ? 'any' : week === '下下' ? 2 : week === '下' ? 1 : 0),
  },
  {
    pattern: sticky(
      String.raw`(?:(\d{4}|[〇零一二三四五六七八九]{4})年|(今年|明年))?(${zhNumber})月(${zhNumber})[日号]?`,
    ),
    read: ([, year = '', which = '', month = '', day = '']) =>
      which === '明年' ? undefined : toDate(toNumber(month), toNumber(day), toYear(year)),
  },
  {
    pattern: sticky(`(下个?月|这个?月|本月)?(${zhNumber})[号日](?![线楼门院])`),
    read: ([, month = '', written = '']) => {
      const day = toNumber(written)
      const months = month === '' ? {} : { months: month.startsWith('下') ? 1 : 0 }
      return day === undefined ? undefined : onDay({ kind: 'day-of-month', day, ...months })
    },
  },
]

export const dayPieces: readonly Piece[] = [
  {
    pattern: sticky(String.raw`(?:on )?(\d{4})-(\d{1,2})-(\d{1,2})(?:t(?=\d)|(?![\d-]))`),
    read: ([, year = '', month = '', day = '']) => toDate(Number(month), Number(day), Number(year)),
  },
  ...english,
  ...chinese,
]

/** Short names of weekdays, which are words too (sun, sat): only where the time begins with one. */
export const leadingDay: Piece = {
  pattern: sticky(`(?:on )?(${enWeekday})${end}`),
  read: ([, word = '']) => toOnWeekday(word),
}
