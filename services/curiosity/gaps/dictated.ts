// Words of a person's that the bot only says after them. Who could have a doubt said could have anybody asked: a doubt is the bot's own, or none.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { bot, type Turn } from './dialogue.ts'
import { expand } from './en-invert.ts'

const mostChars = 3000
/** A shorter sentence may stand in a request by chance. */
const [fewestLetters, fewestHan] = [12, 5]

const order =
  /\b(?:say|repeat|write|answer|reply|respond|print|output)(?: (?:with|only|just|this|that|it|the (?:following|words?|sentence)))? ?(?:exactly|precisely|literally|verbatim|after me|word for word|:)|\b(?:repeat|say) after me\b|\bword for word\b|\bverbatim\b|照(?:着|我说的)(?:说|念|写)|跟(?:着)?我(?:说|念)|原样(?:说|写|回)|逐字|一字不(?:差|改|漏)|(?:请)?(?:你说|复述|重复|回复|回答)(?:一遍|这句|以下|下面)?[:：]/iu

type Said = { readonly request: string; readonly before: readonly Turn[] }

/** Whether somebody ordered the answer's words, or wrote this sentence before the bot did. Linear in the turns. */
export function isDictated(sentence: string, { request, before }: Said): boolean {
  if (order.test(toNormalForm(request.slice(0, mostChars).toWellFormed(), 'NFKC'))) return true
  const own = toLetters(sentence)
  if (own.length < (/\p{Script=Han}/u.test(own) ? fewestHan : fewestLetters)) return false
  return before.some(({ who, text }) => who !== bot && toLetters(text).includes(own))
}

const toLetters = (text: string): string =>
  expand(toNormalForm(text.slice(0, mostChars).toWellFormed(), 'NFKC'))
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
