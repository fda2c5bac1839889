// Of what a statement tells the only value: where somebody lives, whom they work for, what they are called, when their birthday is. Such a statement takes
// the place of an older one. What may be true beside another one ("I also live in Lyon", "I used to work at Acme", "my sister" of several) has no slot.
import { toTokens } from '#services/memory/search/tokens.ts'
import { findChinese } from './slot-chinese.ts'
import { findEnglish } from './slot-english.ts'

/** A longer text says more than one thing. */
const mostChars = 200
const ending = /[\s.!。！~～…]{1,20}$/u
/** "I live in Lille now, not in Lyon." */
const corrected =
  /\s{0,3}[,，;；(（]\s{0,3}(?:and )?(?:not|no longer|instead of|rather than|不是|不再是?|而不是)[^,，;；]{0,60}$/iu
const lead =
  /^(?:(?:please|that|well|so|actually|in fact|correction|update|note|fyi|by the way|btw|from now on|as of (?:today|now)|now|currently|right now|these days|现在|目前|如今|从今天起|从现在起|以后|更正|更新|其实|对了)(?![a-z])[,，:： ]{0,3})/iu

/** In a record of its own each is told: `of` names relation and subject. Linear in the text. */
export function readSlot(
  text: string,
): { readonly of: string; readonly value: readonly string[]; readonly keeps?: true } | undefined {
  if (text.length > mostChars) return undefined
  let said = text
    .trim()
    .replaceAll(/\s{1,40}/gu, ' ')
    .replace(ending, '')
    .replace(corrected, '')
    .replace(ending, '')
  for (let n = 0; n < 3; n += 1) said = said.replace(lead, '')
  if (/[?？\n]|[。！；]\S|[.!;] \S/u.test(said)) return undefined
  const told = /\p{Script=Han}/u.test(said) ? findChinese(said) : findEnglish(said)
  if (!told) return undefined
  const plain = told.value.replaceAll(/(?<=\d)(?:st|nd|rd|th)(?![a-z])/giu, '').replaceAll(/(?<=[\d十])号/gu, '日')
  const tokens = [...new Set(toTokens(plain))]
  const value = tokens.length > 0 ? tokens : [plain.toLowerCase()]
  return { of: `${told.relation} ${told.subject.toLowerCase()}`, value, ...(told.keeps && { keeps: true }) }
}
