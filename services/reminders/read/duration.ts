// How long from now: in 20 minutes, in an hour and a half, 1h30m, 二十分钟后, 两个半小时后, 过一刻钟.
import { enNumber, toNumber, zhNumber } from './numbers.ts'
import { findAt, sticky } from './piece.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const unitsMs: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|秒)/, secondMs],
  [/^刻/, 15 * minuteMs],
  [/^(?:m|分)/, minuteMs],
  [/^(?:h|小时|钟头)/, hourMs],
  [/^(?:d|天|日)/, dayMs],
  [/^(?:w|周|星期|礼拜)/, 7 * dayMs],
]
const toUnitMs = (unit: string): number => unitsMs.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1] ?? 0

const enUnit = 'seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw]'
const amount = String.raw`\d{1,6}(?:\.\d)?|${enNumber}`
const wordEnd = String.raw`(?![a-z_'’])`
const opening = sticky('in (?:about )?(?:the )?(?:next )?|after |过|再过')
const fromNow = sticky(` from now${wordEnd}`)
const enHalf = sticky(String.raw`half an? (${enUnit})${wordEnd}`)
const enMixed = sticky(String.raw`(${amount}) and a half (${enUnit})${wordEnd}`)
const enPlain = sticky(String.raw`(${amount})(?: ?|-)(${enUnit})(?![a-ln-z_'’])( and a half${wordEnd})?`)
const enJoin = sticky('(?:,? and |, | )?(?=[a-z0-9])')
const compact = sticky(String.raw`(?:\d{1,4} ?(?:h|m|min|mins|hr|hrs|s|d))+(?![a-z0-9_'’-])`)
const zhUnit = '秒钟?|分钟?|刻钟|小时|钟头|天|日|周|星期|礼拜'
const zhPlain = sticky(String.raw`(${zhNumber}|半|\d{1,6}\.\d)个?(半)?(${zhUnit})(半)?`)
const zhJoin = sticky('[零又,，]')
const zhEnd = sticky(' ?(?:以后|之后|过后|后(?![天面]))')

export type Duration = {
  readonly ms: number
  /** Days and weeks alone, so that a time of day may follow. */
  readonly days: number | undefined
  readonly at: number
}

/** From this place on; undefined where none stands. */
export function findDuration(text: string, at: number): Duration | undefined {
  const lead = findAt(opening, text, at)?.[0] ?? ''
  const isChinese = lead.endsWith('过')
  if (isChinese || lead === '') {
    const found = sum(text, at + lead.length, findChinese)
    const after = found && findAt(zhEnd, text, found.at)?.[0]
    if (found && (isChinese || after !== undefined)) return { ...found, at: found.at + (after ?? '').length }
  }
  if (isChinese) return undefined
  if (lead === '' && !findAt(compact, text, at)) return undefined
  const found = sum(text, at + lead.length, findEnglish)
  const after = found && findAt(fromNow, text, found.at)?.[0]
  return found && { ...found, at: found.at + (after ?? '').length }
}

type Term = { readonly ms: number; readonly unitMs: number; readonly chars: number }

/** As many as stand there, each of a smaller unit than the one before. */
function sum(text: string, from: number, find: (text: string, at: number) => Term | undefined): Duration | undefined {
  let [ms, at, days] = [0, from, true]
  for (let lastMs = Infinity; ;) {
    const join = at === from ? '' : (findAt(find === findChinese ? zhJoin : enJoin, text, at)?.[0] ?? '')
    const term = find(text, at + join.length)
    if (!term || term.unitMs >= lastMs) break
    ms += term.ms
    at += join.length + term.chars
    lastMs = term.unitMs
    days &&= term.unitMs >= dayMs && term.ms % dayMs === 0
  }
  return at === from ? undefined : { ms, days: days ? ms / dayMs : undefined, at }
}

function findEnglish(text: string, at: number): Term | undefined {
  const half = findAt(enHalf, text, at)
  if (half) return toTerm(half[0], 0.5, half[1])
  const mixed = findAt(enMixed, text, at)
  if (mixed) return toTerm(mixed[0], (toNumber(mixed[1] ?? '') ?? 0) + 0.5, mixed[2])
  const plain = findAt(enPlain, text, at)
  return plain && toTerm(plain[0], (toNumber(plain[1] ?? '') ?? 0) + (plain[3] ? 0.5 : 0), plain[2])
}

function findChinese(text: string, at: number): Term | undefined {
  const found = findAt(zhPlain, text, at)
  if (!found) return undefined
  const [whole = '', count = '', half = '', unit = '', after = ''] = found
  const number = count === '半' ? 0.5 : toNumber(count)
  if (number === undefined) return undefined
  return toTerm(whole, number + (half || after ? 0.5 : 0), unit)
}

function toTerm(whole = '', count: number, unit = ''): Term {
  const unitMs = toUnitMs(unit)
  return { ms: Math.round(count * unitMs), unitMs, chars: whole.length }
}
