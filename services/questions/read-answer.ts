// What somebody meant by a press or by words, as far as the question expects something. Dates and numbers are only recognised here: the model
// reads the words themselves.
import type { Language } from '#shared/chat/message.ts'
import { toLook } from '#shared/feature/inert.ts'
import { buttonWords } from './words.ts'
import type { Kept } from './kept.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'

export type Read =
  | { readonly kind: 'answer'; readonly text: string; readonly isCut: boolean }
  /** It is left to the model. */
  | { readonly kind: 'decide' }
  /** It fits nothing that was expected. */
  | { readonly kind: 'unfit' }

const mostChars = 8000

export function readAnswer(
  { kind, options, expects }: Kept,
  { choice, words = '' }: { readonly choice: string; readonly words?: string | undefined },
  language: Language,
): Read {
  if (choice === 'decide') return { kind: 'decide' }
  const pressed = /^o([1-6])$/.exec(choice)?.[1]
  const option = pressed === undefined ? undefined : options[Number(pressed) - 1]
  if (option) return toAnswer(option.label)
  if (choice === 'yes' || choice === 'no' || choice === 'done' || choice === 'cannot')
    return toAnswer(buttonWords[language][choice])
  const said = words.trim()
  if (said === '') return { kind: 'unfit' }
  if (kind === 'choice') {
    const meant = findOption(options, said)
    return meant ? toAnswer(meant.label) : { kind: 'unfit' }
  }
  return kind === 'action' || fits(said, expects) ? toAnswer(said) : { kind: 'unfit' }
}

const toAnswer = (text: string): Read => ({
  kind: 'answer',
  text: text.slice(0, mostChars).toWellFormed(),
  isCut: text.length > mostChars,
})

/** By its label, or by its number or letter. */
function findOption(options: Kept['options'], said: string): Kept['options'][number] | undefined {
  if (said.length > 200) return undefined
  const look = toLook(said)
  const named = options.find(({ label }) => toLook(label) === look)
  const nth = /^(?:option|no|选项|选|第)?([1-6a-f])(?:个|项|号)?$/.exec(look)?.[1]
  if (named || nth === undefined) return named
  return options[/\d/.test(nth) ? Number(nth) - 1 : nth.charCodeAt(0) - 97]
}

const yesOrNo = new Set(
  'yes y yeah yep yup ok okay sure right correct no n nope nah not 是 是的 对 对的 好 好的 行 可以 要 嗯 没错 同意 不 不是 否 不对 不要 不行 不用 不可以 没有 不同意 别'
    .split(' ')
    .map(toLook),
)
const number =
  /^[^\p{N}]{0,12}[+-]?(?:\p{N}[\p{N}., ]{0,20}|[零〇一二两三四五六七八九十百千万亿半]{1,12})[^\p{N}]{0,12}$/u
const dates = [
  /\d{4}[-/.年]\s?\d{1,2}/,
  /\d{1,2}[-/.月]\s?\d{1,2}/,
  /[\d一二三四五六七八九十]{1,3}[号日]/,
  /今天|明天|后天|大后天|昨天|今晚|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜|下周|下个?月|月底|月初|年底/,
  /\b(?:today|tonight|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next (?:week|month|year))\b/i,
  /\b\d{1,2}(?:st|nd|rd|th)?\.? ?(?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i,
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}/i,
  /\bin \d{1,3} (?:day|week|month|hour|minute)s?\b/i,
  /\d{1,3} ?(?:天|周|个月|小时|分钟)后/,
]

function fits(said: string, expects: Kept['expects']): boolean {
  if (expects === 'text') return true
  // One sign becomes eighteen at most.
  if (said.length > 400) return false
  const plain = toNormalForm(said, 'NFKC')
  if (plain.length > 200) return false
  if (expects === 'number') return number.test(plain)
  return expects === 'date' ? dates.some((form) => form.test(plain)) : yesOrNo.has(toLook(plain))
}
