// What a text is as a whole, for questions that ask for such a thing: a number, a date, or yes or no. Plain lists: what is more than that is a
// message. Pure.
import type { Loose } from '#shared/run/question.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'

/** Longer than any of these. */
const longestChars = 40

const yesNo = new Set(
  [
    '是 是的 对 对的 好 好的 好啊 好呀 可以 可以的 行 嗯 嗯嗯 要 同意 确定 确认 没问题',
    '否 不 不是 不是的 不对 不好 不可以 不行 不要 不用 不用了 不了 不同意 别',
    'yes y yep yeah yup ok okay sure true',
    'no n nope nah false',
  ].flatMap((line) => line.split(' ')),
)

const spoken = new Set('zero one two three four five six seven eight nine ten eleven twelve'.split(' '))
const number = /^[+\-−]?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:[.,]\d{1,6})?$/
const hanNumber = /^(?:[零〇两]|[一二三四五六七八九]|[二三四五六七八九]?十[一二三四五六七八九]?)$/

const days = new Set([
  ...'昨天 今天 明天 后天 大后天 yesterday today tomorrow'.split(' '),
  ...'monday tuesday wednesday thursday friday saturday sunday'.split(' '),
  ...'mon tue tues wed thu thur thurs fri sat sun'.split(' '),
  'day after tomorrow',
  'the day after tomorrow',
])
const nearDay = /^(?:on|this|next) (?:mon|tues|wednes|thurs|fri|satur|sun)day$/
const hanWeekday = /^(?:[这本上]|下{1,2})?个?(?:周|星期|礼拜)[一二三四五六日天]$/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const longMonths = 'january february march april may june july august september october november december'.split(' ')

/** Whether a text is nothing but what such a question asks for; an option is none of these. */
export function isLoose(kind: Loose, text: string): boolean {
  if (text.length > longestChars) return false
  const said = toNormalForm(text, 'NFKC')
    .trim()
    .toLowerCase()
    .replace(/\s{1,40}/g, ' ')
  switch (kind) {
    case 'option':
      return false
    case 'yes-no':
      return yesNo.has(said.replace(/[。.!]$/, ''))
    case 'number':
      return number.test(said) || hanNumber.test(said) || spoken.has(said)
    case 'date':
      return isDate(said)
    default:
      return kind satisfies never
  }
}

function isDate(said: string): boolean {
  const bare = said.replace(/[。!]$/, '')
  if (days.has(bare) || days.has(bare.replace(/\.$/, '')) || nearDay.test(bare) || hanWeekday.test(bare)) return true
  const iso = /^\d{4}([-/.])(\d{1,2})\1(\d{1,2})$/.exec(bare)
  if (iso) return isDay(iso[2], iso[3])
  // As people write it here or there: either may be the month.
  const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(?:\d{2}|\d{4}))?$/.exec(bare)
  if (slashed) return isDay(slashed[1], slashed[2]) || isDay(slashed[2], slashed[1])
  const dotted = /^(\d{1,2})\. ?(\d{1,2})\.(?: ?(?:\d{2}|\d{4}))?$/.exec(bare)
  if (dotted) return isDay(dotted[2], dotted[1])
  const han = /^(?:(?:\d{4}|今|明)年)? ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]$/.exec(bare)
  if (han) return isDay(han[1], han[2])
  const named = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? \d{4})?$/.exec(bare)
  const daysFirst = /^(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]{3,9})\.?(?:,? \d{4})?$/.exec(bare)
  return isDay(toMonth(named?.[1]), named?.[2]) || isDay(toMonth(daysFirst?.[2]), daysFirst?.[1])
}

const toMonth = (name = ''): string => `${Math.max(months.indexOf(name), longMonths.indexOf(name)) + 1}`

const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** Whether some year has it. */
const isDay = (month = '', day = ''): boolean => Number(day) >= 1 && Number(day) <= (longest[Number(month) - 1] ?? 0)
