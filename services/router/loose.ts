// What a text is as a whole, for questions that ask for such a thing: a number, a date, or yes or no, with a polite word, a unit or "about" around it.
// Plain lists: a text that says more is a message. Pure.
import type { Loose } from '#shared/run/question.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import words from './loose-words.json' with { type: 'json' }

/** Longer than any of these. */
const longestChars = 60
/** Words taken off one end. */
const mostAround = 4

const yesNo = new Set(words.yesNo.flatMap((line) => line.split(' ')))

type Around = { readonly before: readonly string[]; readonly behind: readonly string[] }
const toList = (lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' | '))
const toAround = ({ before, behind }: Around): Around => ({ before: toList(before), behind: toList(behind) })
const [polite, number, date] = [toAround(words.polite), toAround(words.number), toAround(words.date)]

const plainNumber = /^[+\-−]?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:[.,]\d{1,6})?$/
const hanNumber = /^(?:[零〇两]|[一二三四五六七八九]|[二三四五六七八九]?十[一二三四五六七八九]?)$/

const nearDay = /^(?:on|this|next) (?:mon|tues|wednes|thurs|fri|satur|sun)day$/
const hanWeekday = /^(?:[这本上]|下{1,2})?个?(?:周|星期|礼拜)[一二三四五六日天]$/
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

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
      return isYesNo(said) || isYesNo(without(said, [{ ...polite, before: [] }]))
    case 'number':
      return isNumber(said) || isNumber(without(said, [polite, number]))
    case 'date':
      return isDate(said) || isDate(without(said, [polite, date]))
    default:
      return kind satisfies never
  }
}

const isNumber = (said: string): boolean =>
  plainNumber.test(said) || hanNumber.test(said) || words.spoken.includes(said)
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
  if (toList(words.days).includes(bare.replace(/\.$/, '')) || nearDay.test(bare) || hanWeekday.test(bare)) return true
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

const toMonth = (name = ''): string => `${Math.max(months.indexOf(name), words.months.indexOf(name)) + 1}`

const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** Whether some year has it. */
const isDay = (month = '', day = ''): boolean => Number(day) >= 1 && Number(day) <= (longest[Number(month) - 1] ?? 0)
