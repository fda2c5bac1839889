// Numbers as people write them in orders, in both languages, and the words around them that make them a bound.

const enWords = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const zhDigits = '零一二三四五六七八九'
const zhTens: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }

/** A small number of things. */
export const count = String.raw`(?:\d{1,3}|${enWords.slice(1).join('|')})`
export const zhCount = '(?:\\d{1,3}|[一二两三四五六七八九十]{1,3})'
/** A number of words: `1,000`, `2k`. */
export const amount = String.raw`(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,6}(?:\.\d)?k?)`
export const zhAmount = '(?:\\d{1,6}(?:\\.\\d{1,2})?|[一二两三四五六七八九十百千]{1,8})[万千k]?'

/** Undefined for what is no number. */
export function toCount(written: string): number | undefined {
  const text = written.toLowerCase().replaceAll(',', '')
  const [, figures = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,2})?)([k千万]?)$/u.exec(text) ?? []
  if (figures !== '') return Math.round(Number(figures) * (unit === '' ? 1 : unit === '万' ? 10_000 : 1000))
  const at = enWords.indexOf(text)
  return at >= 0 ? at : toChinese(text.replaceAll('两', '二'))
}

function toChinese(text: string): number | undefined {
  const isMany = text.endsWith('万')
  let [sum, digit] = [0, 0]
  for (const sign of isMany ? text.slice(0, -1) : text) {
    const ten = zhTens[sign]
    if (ten === undefined) digit = zhDigits.indexOf(sign)
    else {
      sum += (digit || 1) * ten
      digit = 0
    }
    if (digit < 0) return undefined
  }
  const found = (sum + digit) * (isMany ? 10_000 : 1)
  return found === 0 ? undefined : found
}

export type Bound = 'least' | 'most' | 'exactly' | 'about'
const before: readonly (readonly [Bound, RegExp])[] = [
  [
    'least',
    /(?:at least|minimum(?: of)?|min\.?|no (?:fewer|less) than|more than|over|至少要?|不少于|不低于|不得少于|多于|超过)\s?$/iu,
  ],
  [
    'most',
    /(?:at most|no more than|not more than|exceed(?:ing)?|max(?:imum)?\.?(?: of)?|up to|under|below|within|(?<!no )(?:less|fewer) than|最多|不(?:得|要|能)?超过|别超过|不多于|(?<!不|不得)少于|不到)\s?$/iu,
  ],
  ['exactly', /(?:exactly|precisely|正好|刚好|恰好)\s?$/iu],
  ['about', /(?:about|around|roughly|approx(?:imately|\.)?|~|大约|大概|约)\s?$/iu],
]
const behind: readonly (readonly [Bound, RegExp])[] = [
  ['least', /^\s?(?:or more|minimum|min\b|以上|起)/iu],
  ['most', /^\s?(?:or (?:less|fewer)|max\b|maximum|以内|之内|以下)/iu],
  ['about', /^\s?(?:or so|左右|上下)/iu],
]

/** What stands next to a number makes of it. "不超过" is asked before "超过". */
export function findBound(lead: string, rest: string): Bound | undefined {
  const found = behind.find(([, form]) => form.test(rest)) ?? before.toReversed().find(([, form]) => form.test(lead))
  return found?.[0]
}
