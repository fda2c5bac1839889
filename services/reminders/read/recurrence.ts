// What comes again: every day, every weekday, every Monday and Friday, 每天, 工作日, 每周一、三, 每周一到周五.
import type { Weekday } from './when.ts'
import { enWeekday, toWeekday, zhWeek, zhWeekday } from './day.ts'
import { toNumber, zhNumber } from './numbers.ts'
import { end, findAt, sticky, type Draft, type Piece } from './piece.ts'

const all: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6]
const working: readonly Weekday[] = [1, 2, 3, 4, 5]
const weekend: readonly Weekday[] = [6, 0]

/** From one weekday to another, over the end of the week where it must. */
function toSpan(from: Weekday, to: Weekday): readonly Weekday[] {
  const days = Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, i) => all[(from + i) % 7])
  return days.filter((day) => day !== undefined)
}

const enNext = sticky(`(?:,? and |, |,| ?& ?| ?/ ?)(?:on )?(${enWeekday})${end}`)
const enUntil = sticky(`(?: to | through | ?[-–] ?)(${enWeekday})${end}`)
const zhNext = sticky(`([、和,，及]?)(?:${zhWeek})?(${zhWeekday})(?![点时十])`)
const zhUntil = sticky(`(?:到|至|-|—)(?:${zhWeek})?(${zhWeekday})(?![点时十])`)

/** The weekdays that follow the first, and how far they reach. */
function readMore(text: string, at: number, first: Weekday, isChinese: boolean): { weekdays: Weekday[]; at: number } {
  const span = findAt(isChinese ? zhUntil : enUntil, text, at)
  const last = span && toWeekday(span[1] ?? '')
  if (span && last !== undefined) return { weekdays: [...toSpan(first, last)], at: at + (span[0] ?? '').length }
  const weekdays = [first]
  for (let here = at; ;) {
    const found = findAt(isChinese ? zhNext : enNext, text, here)
    const weekday = found && toWeekday(found.at(-1) ?? '')
    // Of 每周一一起开会 the second 一 is no day: without a comma they go up.
    const isOrdered = !isChinese || found?.[1] !== '' || toPlace(weekday) > toPlace(weekdays.at(-1))
    if (!found || weekday === undefined || weekdays.includes(weekday) || !isOrdered) return { weekdays, at: here }
    weekdays.push(weekday)
    here += (found[0] ?? '').length
  }
}
const toPlace = (weekday: Weekday | undefined): number => ((weekday ?? 0) + 6) % 7

const ordinals = 'first|second|third|1st|2nd|3rd|[4-9]th|1[0-9]th|20th|21st|22nd|23rd|2[4-9]th|30th|31st'
function toMonthDay(word: string): Draft | undefined {
  const spoken = ['first', 'second', 'third'].indexOf(word.toLowerCase()) + 1
  const monthDay = spoken || (toNumber(word.replace(/[a-z]{2}$/i, '')) ?? 0)
  return monthDay >= 1 && monthDay <= 31 ? { monthDay } : undefined
}
const monthly: readonly Piece[] = [
  {
    pattern: sticky(`(?:every|each|on the|the) (${ordinals})(?: day)? of (?:the|every|each) month${end}`),
    read: ([, day = '']) => toMonthDay(day),
  },
  {
    pattern: sticky(`(?:every month|monthly) on the (${ordinals})${end}`),
    read: ([, day = '']) => toMonthDay(day),
  },
  { pattern: sticky(`每个?月的?(${zhNumber})[号日]`), read: ([, day = '']) => toMonthDay(day) },
]

const simple: readonly Piece[] = [
  ...monthly,
  { pattern: sticky(`(?:every ?day|each day|daily)${end}`), read: () => ({ weekdays: all }) },
  {
    pattern: sticky(`(?:(?:every|each|on|all) )?(?:week ?days?|work(?:ing)? ?days?|business days?)${end}`),
    read: () => ({ weekdays: working }),
  },
  { pattern: sticky(`(?:every|each|on) weekends?${end}`), read: () => ({ weekdays: weekend }) },
  { pattern: sticky(`(?:every|each) (?=(?:morning|afternoon|evening|night)${end})`), read: () => ({ weekdays: all }) },
  { pattern: sticky('每个?(?:工作日|周[一1]到周[五5])|(?:工作日)'), read: () => ({ weekdays: working }) },
  { pattern: sticky('每个?(?:天|日)|天天'), read: () => ({ weekdays: all }) },
  { pattern: sticky(`每个?(?:周末)`), read: () => ({ weekdays: weekend }) },
  {
    pattern: sticky('每(早上?|晚上?)(?![饭餐])'),
    read: ([, part = '']) => ({ weekdays: all, part: part.startsWith('早') ? 'morning' : 'evening' }),
  },
  { pattern: sticky('每(?:个|天)?(?=清晨|早晨|上午|中午|下午|傍晚|夜里)'), read: () => ({ weekdays: all }) },
]
const enFirst = sticky(`(?:(?:every|each) |(?:weekly|every week) (?:on )?)(${enWeekday})${end}`)
const enPlural = sticky(`(?:on )?((?:sun|mon|tues|wednes|thurs|fri|satur)day)s${end}`)
const zhFirst = sticky(`每个?${zhWeek}(${zhWeekday})`)
/** A span of weekdays comes again without a word that says so. */
const enSpan = sticky(
  `(?:from )?(${enWeekday})(?= (?:to|through) (?:${enWeekday})${end}| ?[-–] ?(?:${enWeekday})${end})`,
)
const zhSpan = sticky(`${zhWeek}(${zhWeekday})(?=[到至-](?:${zhWeek})?${zhWeekday})`)

type Found = Draft & { readonly chars: number }

/** What comes again, from this place on. */
export function findRecurrence(text: string, at: number): Found | undefined {
  for (const { pattern, read } of simple) {
    const found = findAt(pattern, text, at)
    const draft = found && read(found)
    if (found && draft) return { ...draft, chars: (found[0] ?? '').length }
  }
  for (const pattern of [enFirst, enPlural, enSpan, zhFirst, zhSpan]) {
    const found = findAt(pattern, text, at)
    const first = found && toWeekday(found[1] ?? '')
    if (!found || first === undefined) continue
    const more = readMore(text, at + (found[0] ?? '').length, first, pattern === zhFirst || pattern === zhSpan)
    return { weekdays: more.weekdays.toSorted((one, other) => one - other), chars: more.at - at }
  }
  return undefined
}

/** Comes again in a way that is not read. */
export const interval = sticky(
  `(?:(?:every|each) (?:other|second|third|\\d|few|hour|minute|month|year|week|quarter|one|two|three|four|five|six|seven|eight|nine|ten|half)|hourly|monthly|yearly|annually|weekly|每隔|每(?:个|逢)?(?:小时|分钟|月|年|半|周|星期|礼拜|季|两|\\d|[一二三四五六七八九十])|隔天)`,
)
