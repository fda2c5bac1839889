// What a text is as a whole, for questions that ask for such a thing: a number, a date, or yes or no, with a polite word, a unit or "about" around it.
// Plain lists: a text that says more is a message. Pure.
import type { Loose } from '#shared/run/question.ts'

/** Longer than any of these. */
const longestChars = 60
/** Words taken off one end. */
const mostAround = 4

const yesNo = new Set(
  [
    '是 是的 对 对的 好 好的 好啊 好呀 可以 可以的 行 嗯 嗯嗯 要 同意 确定 确认 没问题',
    '否 不 不是 不是的 不对 不好 不可以 不行 不要 不用 不用了 不了 不同意 别',
    'yes y yep yeah yup ok okay sure true',
    'no n nope nah false',
  ].flatMap((line) => line.split(' ')),
)

type Around = { readonly before: readonly string[]; readonly behind: readonly string[] }
const toList = (lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' | '))
const polite: Around = {
  before: toList([
    'ok | okay | well | please | hmm | um | so | then | i think | i guess | 嗯 | 好的 | 请 | 那 | 那就 | 就',
  ]),
  behind: toList(['please | pls | thanks | thank you | thx | of course | 谢谢 | 多谢 | 吧 | 的']),
}
const number = {
  before: toList([
    "about | around | roughly | approximately | approx. | approx | circa | ca. | some | maybe | perhaps | probably | exactly | just | only | i'd say",
    "i would say | let's say | say | at most | at least | up to | under | over | nearly | almost | it is | it's | that's | make it | we have | there are",
    '大概是 | 大概 | 大约 | 约 | 差不多 | 将近 | 最多 | 至少 | 不超过 | 我想 | 我觉得 | 是 | 一共 | 总共 | 应该是 | 可能 | $ | € | £ | ¥ | usd | eur',
  ]),
  behind: toList([
    'or so | % | percent | k | m | thousand | million | hundred | € | $ | £ | ¥ | euros | euro | eur | usd | dollars | dollar | bucks | pounds | gbp | yuan',
    'rmb | cny | people | persons | guests | seats | pieces | items | times | minutes | minute | min | hours | hour | h | days | day | weeks | week | months',
    'month | years | year | kg | g | km | m | cm | mm | l | gb | mb | tb',
    '左右 | 上下 | 以内 | 千 | 万 | 百 | 亿 | 元 | 块 | 块钱 | 欧 | 欧元 | 美元 | 美金 | 英镑 | 人民币 | 个 | 个人 | 人 | 位 | 天 | 周 | 个月 | 年 | 小时 | 分钟',
    '公斤 | 公里 | 米 | 次 | 件 | 份',
  ]),
} satisfies Around
const date: Around = {
  before: toList([
    "on | by | maybe | perhaps | probably | say | let's say | let's do | it's | it is | 大概 | 可能 | 是",
  ]),
  behind: toList(['maybe | probably | works | is fine | 左右 | 可以 | 就行']),
}

const spoken = new Set('zero one two three four five six seven eight nine ten eleven twelve'.split(' '))
const plainNumber = /^[+\-−]?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:[.,]\d{1,6})?$/
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
  const said = text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/\s{1,40}/g, ' ')
  switch (kind) {
    case 'option':
      return false
    case 'yes-no':
      return isYesNo(said) || isYesNo(without(said, [{ ...polite, before: [] }]))
    case 'number':
      return isNumber(said) || isNumber(without(said, [polite, number]))
    case 'date':
      return isDate(said) || isDate(without(said, [polite, date]))
    default:
      return kind satisfies never
  }
}

const isNumber = (said: string): boolean => plainNumber.test(said) || hanNumber.test(said) || spoken.has(said)
const isYesNo = (said: string): boolean => yesNo.has(said.replace(/[。.!]$/, ''))

/** Without the words of these lists at its ends. */
function without(said: string, lists: readonly Around[]): string {
  let core = said.replace(/[。.!]$/, '')
  for (let n = 0; n < mostAround; n++) {
    const before = longestOf(lists, 'before', (word) => core.startsWith(word) && isEdge(word, core[word.length]))
    core = core.slice(before).replace(/^[ ,，]{1,3}/, '')
    const behind = longestOf(lists, 'behind', (word) => core.endsWith(word) && isEdge(word, core.at(-word.length - 1)))
    core = core.slice(0, core.length - behind).replace(/[ ,，]{1,3}$/, '')
    if (before + behind === 0) break
  }
  return core
}

const longestOf = (lists: readonly Around[], end: keyof Around, fits: (word: string) => boolean): number =>
  Math.max(0, ...lists.flatMap((list) => list[end].filter(fits).map((word) => word.length)))

/** A word ends where no letter of its own kind goes on; a unit may follow its number at once. */
const isEdge = (word: string, beside = ''): boolean => !/[a-z]/.test(word) || !/[a-z]/.test(beside)

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
