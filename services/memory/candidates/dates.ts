// Days that a text names relatively or without a year, resolved against the day on which it was said: both are kept, "by next Friday (2026-03-20)".
// Weeks begin on Monday. What comes again ("every Friday", 每周五, a birthday) is no single day.

const dayMs = 86_400_000
const enDays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const enMonths = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const enNumbers = ['a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const hanDigits = '零一二三四五六七八九'

type Found = { readonly index: number; readonly length: number; readonly day: number }
/** `today`: ms at the beginning of the day on which it was said. */
type Reader = { readonly pattern: RegExp; read(groups: readonly string[], today: number): number | undefined }

const toIso = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const toDay = (ms: number): number => Math.floor(ms / dayMs) * dayMs
const weekdayOf = (ms: number): number => new Date(ms).getUTCDay()
const mondayOf = (ms: number): number => ms - ((weekdayOf(ms) + 6) % 7) * dayMs
const dateOf = (year: number, month: number, day: number): number => Date.UTC(year, month, day)
const yearOf = (ms: number): number => new Date(ms).getUTCFullYear()
const monthOf = (ms: number): number => new Date(ms).getUTCMonth()

/** The next time that this day of a month comes; undefined where no month has it. */
function nextDate(month: number, day: number, today: number): number | undefined {
  if (month < 0 || month > 11 || day < 1 || day > 31) return undefined
  const first = dateOf(yearOf(today), month, day)
  return first < today ? dateOf(yearOf(today) + 1, month, day) : first
}

function onWeekday(name: number, week: string, today: number): number | undefined {
  if (name < 0) return undefined
  const place = (name + 6) % 7
  if (week !== '') return mondayOf(today) + (Number(week) * 7 + place) * dayMs
  const days = (name - weekdayOf(today) + 7) % 7
  return today + (days === 0 ? 7 : days) * dayMs
}

const enMonth = (name = ''): number => enMonths.indexOf(name.slice(0, 3).toLowerCase())
const endOfMonth = (today: number, months: number): number => dateOf(yearOf(today), monthOf(today) + months + 1, 0)

/** A number in figures or in Chinese, to 99; -1 for none. */
function toNumber(written = ''): number {
  if (/^\d+$/u.test(written)) return Number(written)
  const word = enNumbers.indexOf(written.toLowerCase())
  if (word >= 0) return word + 1
  const [tens = '', ones] = written.replaceAll('两', '二').split('十')
  if (ones === undefined) return tens.length === 1 ? hanDigits.indexOf(tens) : -1
  return (tens === '' ? 1 : hanDigits.indexOf(tens)) * 10 + (ones === '' ? 0 : hanDigits.indexOf(ones))
}

const addLength = (count: number, unit: string, today: number): number | undefined => {
  if (count < 1) return undefined
  if (/^(?:day|天|日)/iu.test(unit)) return today + count * dayMs
  if (/^(?:week|周|个?星期|个?礼拜)/iu.test(unit)) return today + count * 7 * dayMs
  return dateOf(yearOf(today), monthOf(today) + count, new Date(today).getUTCDate())
}

const readers: readonly Reader[] = [
  { pattern: /(?<![a-z])(?:the )?day after tomorrow(?![a-z])/giu, read: (_, today) => today + 2 * dayMs },
  { pattern: /(?<![a-z])tomorrow(?![a-z'’])/giu, read: (_, today) => today + dayMs },
  {
    pattern:
      /(?<!(?:every|each|any|second|other) )(?<![a-z])(?:(next|this|coming) |(?<=(?:by|on|before|until|till|due|from) ))(monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?![a-z])/giu,
    read: ([week = '', name = ''], today) => {
      const weeks = week.toLowerCase() === 'next' ? '1' : week.toLowerCase() === 'this' ? '0' : ''
      return onWeekday(enDays.indexOf(name.toLowerCase()), weeks, today)
    },
  },
  {
    pattern:
      /(?<![\d:.])(\d{1,2})(?:st|nd|rd|th)?(?: of)? (january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?![a-z])(?!,? \d{4})/giu,
    read: ([day = '', month = ''], today) => nextDate(enMonth(month), Number(day), today),
  },
  {
    pattern:
      /(?<![a-z])(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec) (\d{1,2})(?:st|nd|rd|th)?(?![\d:])(?!,? \d{4})/giu,
    read: ([month = '', day = ''], today) => nextDate(enMonth(month), Number(day), today),
  },
  {
    pattern:
      /(?<![a-z])(?:the )?end of (?:(the|this|next) (month|year)|(january|february|march|april|may|june|july|august|september|october|november|december))(?![a-z])/giu,
    read: ([which = '', unit = '', month = ''], today) => {
      const isNext = which.toLowerCase() === 'next'
      if (unit.toLowerCase() === 'year') return dateOf(yearOf(today) + (isNext ? 1 : 0), 11, 31)
      if (unit !== '') return endOfMonth(today, isNext ? 1 : 0)
      return endOfMonth(today, (enMonth(month) - monthOf(today) + 12) % 12)
    },
  },
  {
    pattern:
      /(?<![a-z])in (a|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}) (days?|weeks?|months?)(?![a-z])/giu,
    read: ([count, unit = ''], today) => addLength(toNumber(count), unit, today),
  },
  { pattern: /大后天/gu, read: (_, today) => today + 3 * dayMs },
  { pattern: /(?<!大)后天/gu, read: (_, today) => today + 2 * dayMs },
  { pattern: /明天|明晚|明早/gu, read: (_, today) => today + dayMs },
  {
    pattern:
      /(?<![每逢一二三四五六、和到至])(下下|下|这|本)?个?(?:周|星期|礼拜)([一二三四五六日天])(?![、和到至周一二三四五六])/gu,
    read: ([week = '', name = ''], today) => {
      const weeks = week === '下下' ? '2' : week === '下' ? '1' : week === '' ? '' : '0'
      return onWeekday(name === '天' ? 0 : '日一二三四五六'.indexOf(name), weeks, today)
    },
  },
  {
    pattern:
      /(?<!年)(?<![\d一二三四五六七八九十])(明年)?([一二三四五六七八九十]{1,2}|\d{1,2})月([一二三四五六七八九十]{1,3}|\d{1,2})[号日]?(?!起)/gu,
    read: ([year, month, day], today) => {
      const found = nextDate(toNumber(month) - 1, toNumber(day), today)
      return found === undefined || year === '' ? found : dateOf(yearOf(today) + 1, toNumber(month) - 1, toNumber(day))
    },
  },
  {
    pattern: /(下个?|这个?|本)?月底/gu,
    read: ([which = ''], today) => endOfMonth(today, which.startsWith('下') ? 1 : 0),
  },
  {
    pattern: /(?<![去前])(明)?年底/gu,
    read: ([which], today) => dateOf(yearOf(today) + (which === '' ? 0 : 1), 11, 31),
  },
  {
    pattern: /([一二两三四五六七八九十]{1,2}|\d{1,2})(天|周|个?星期|个?礼拜|个月)(?:之后|以后|后)/gu,
    read: ([count, unit = ''], today) => addLength(toNumber(count), unit, today),
  },
  {
    pattern:
      /(?<![月\d一二三四五六七八九十])(下个?月|这个?月|本月)?([一二三四五六七八九十]{1,3}|\d{1,2})号(?![线楼门院桌])/gu,
    read: ([month = '', day], today) => {
      const date = toNumber(day)
      if (date < 1 || date > 31) return undefined
      const inMonth = dateOf(yearOf(today), monthOf(today) + (month.startsWith('下') ? 1 : 0), date)
      return inMonth < today ? dateOf(yearOf(today), monthOf(today) + 1, date) : inMonth
    },
  },
]

/** What comes again each year, or each week. */
const again =
  /(?<![a-z])(?:birthday|anniversary|born|turns?|every|each|name day)(?![a-z])|生日|纪念日|忌日|出生|每[年月周天]/iu

/** The text with each such day behind its name; the first of them too. */
export function resolveDays(text: string, atMs: number): { readonly text: string; readonly first?: string } {
  if (again.test(text)) return { text }
  const today = toDay(atMs)
  const found = readers
    .flatMap(({ pattern, read }) =>
      [...text.matchAll(pattern)].flatMap((match): Found[] => {
        const day = read(
          match.slice(1).map((group: string | undefined) => group ?? ''),
          today,
        )
        return day === undefined || Number.isNaN(day) ? [] : [{ index: match.index, length: match[0].length, day }]
      }),
    )
    .toSorted((one, other) => one.index - other.index || other.length - one.length)
  let out = ''
  let at = 0
  for (const { index, length, day } of found) {
    if (index < at) continue
    const isHan = /[\u4e00-\u9fff]/u.test(text.slice(index, index + length))
    out += text.slice(at, index + length) + (isHan ? `（${toIso(day)}）` : ` (${toIso(day)})`)
    at = index + length
  }
  const [first] = found
  return { text: out + text.slice(at), ...(first ? { first: toIso(first.day) } : {}) }
}

const sinceEn =
  /(?<![a-z])(?:since|as of|from|starting|effective) (last month|last week|next month|next week|yesterday|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?! \d))(?: on)?(?![a-z])/iu
const inMonthEn =
  /(?<![a-z])in (january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)(?![a-z\d])/iu
const sinceHan = /(?:从|自|打)?(上个?月|下个?月|([一二三四五六七八九十]{1,2}|\d{1,2})月(?:份)?)(?:起|开始|以来|搬)/u

/** The first day on which it holds; `isPast` where it has begun already, as after "moved in January". */
export function findValidFrom(text: string, atMs: number, isPast: boolean): string | undefined {
  const today = toDay(atMs)
  const word = (sinceEn.exec(text)?.[1] ?? (isPast ? inMonthEn.exec(text)?.[1] : undefined) ?? '').toLowerCase()
  if (word !== '') return fromWord(word, today, isPast)
  const [, han = '', month] = sinceHan.exec(text) ?? []
  if (han === '') return undefined
  if (han.startsWith('上')) return toIso(dateOf(yearOf(today), monthOf(today) - 1, 1))
  if (han.startsWith('下')) return toIso(dateOf(yearOf(today), monthOf(today) + 1, 1))
  return firstOf(toNumber(month) - 1, today, isPast)
}

function fromWord(word: string, today: number, isPast: boolean): string | undefined {
  if (/^\d{4}$/u.test(word)) return `${word}-01-01`
  if (word === 'yesterday') return toIso(today - dayMs)
  if (word.endsWith('week')) return toIso(mondayOf(today) + (word.startsWith('last') ? -7 : 7) * dayMs)
  if (word.endsWith('month'))
    return toIso(dateOf(yearOf(today), monthOf(today) + (word.startsWith('last') ? -1 : 1), 1))
  return firstOf(enMonth(word), today, isPast)
}

function firstOf(month: number, today: number, isPast: boolean): string | undefined {
  if (month < 0 || month > 11) return undefined
  const first = dateOf(yearOf(today), month, 1)
  if (isPast && first > today) return toIso(dateOf(yearOf(today) - 1, month, 1))
  return toIso(!isPast && first < today ? dateOf(yearOf(today) + 1, month, 1) : first)
}
