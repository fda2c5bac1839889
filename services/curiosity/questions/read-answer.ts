// What somebody answered, as far as that can be told from the words alone: nothing, that they do not know, or what no group is to be told.
import type { Language, Localised } from '#shared/chat/message.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'

const unknown =
  /^(?:(?:sorry|well|hm+|um+|uh)[,. ]{1,3})?(?:i (?:really |honestly )?(?:do ?n['’]?t|do not) (?:know|care|remember|have any idea)|i['’]?m not sure|i have no (?:idea|clue)|not sure|no (?:idea|clue|comment|opinion)|dunno|idk|who knows|whatever|ask (?:me )?later|(?:i['’]d )?rather not(?: say)?|i won['’]?t (?:say|tell)(?: you)?|asdf\w{0,10}|qwert\w{0,10}|bla(?: ?bla){0,5}|lol|ha(?:ha){0,5}|我?(?:真的?)?(?:不知道|不清楚|不晓得|不记得了?|没想好|没想法|没意见|说不好|说不准|不确定|不想说|不告诉你)|随便|都行|都可以|无所谓|你猜|谁知道|再说吧?|哈{1,9}|呵{1,9})(?: (?:yet|really|sorry|either))?[\s.!?。！？~…]{0,5}$/iu

/** It tells nothing: a sign, keys struck at random, or that they do not know. */
export function tellsNothing(answer: string): boolean {
  const said = toNormalForm(answer.slice(0, 200), 'NFKC').trim()
  return !/[\p{L}\p{N}]/u.test(said) || unknown.test(said) || isSmashed(said)
}

/** One long word of few vowels and no figure, or of one letter. */
function isSmashed(said: string): boolean {
  if (/^(\p{L})\1{3,40}$/u.test(said)) return true
  return /^[bcdfghjklmnpqrstvwxz]{6,40}$/u.test(said)
}

/** An account, a phone number or an address, and a word that nobody would say: in a group such a thing is never kept, whatever it is called. */
export function isForNoGroup(answer: string): boolean {
  const said = toNormalForm(answer.slice(0, 1000), 'NFKC')
  return (
    email.test(said) ||
    [...said.matchAll(figures)].some(([found]) => isNumberOfSomebody(found)) ||
    [...said.matchAll(account)].some(([found]) => isAccount(found)) ||
    [...said.matchAll(word)].some(([found]) => isCode(found))
  )
}

export const notForGroup: Localised = {
  zh: '这看起来涉及某人的健康、钱、身份、号码、账号、地址或密钥，我不记给群用。再点一次「也给那个群用」取消，就只记给你。',
  en: 'That looks like somebody’s health, money or identity, or a number, an account, an address or a key: I keep no such thing for a group. Press “Also for that group” again to lift it, and answer for yourself alone.',
}

const email = /[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]{2,24}/iu
const figures = /(?<![\w.,:/-])\+?\(?\d(?:[ ()./-]{0,2}\d){6,18}(?![\w:/-]|[.,]\d)/gu
const account = /(?<![a-z\d])[a-z]{2}\d{2}(?: ?[a-z\d]{4}){2,7}(?: ?[a-z\d]{1,4})?(?![a-z\d])/giu
const word = /(?<![\w/.@:-])[\w+/=-]{10,200}(?![\w@]|\.\w)/gu

/** Seven figures and more, and no date, year span or amount. */
function isNumberOfSomebody(found: string): boolean {
  const digits = found.replaceAll(/\D/gu, '')
  if (/^\d{4}[./-]\d{1,2}[./-]\d{1,2}$|^\d{1,2}[./-]\d{1,2}[./-]\d{4}$|^\d{4} ?- ?\d{4}$/u.test(found)) return false
  // Of a round number each figure behind the first three is a nought.
  return digits.length >= 7 && !/^\d{1,3}0{4,}$/u.test(digits)
}

/** By the check sum of account numbers, 97. */
function isAccount(found: string): boolean {
  const plain = found.replaceAll(' ', '').toUpperCase()
  if (plain.length < 15 || plain.length > 34) return false
  let rest = 0
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** Letters and figures in turn, as no word and no date has them. */
function isCode(found: string): boolean {
  if (/^\d{4}-\d{2}-\d{2}/u.test(found)) return false
  return (found.match(/(?<=[a-z])\d|(?<=\d)[a-z]/giu)?.length ?? 0) >= 3
}

export const languageOf = (text: string): Language => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en')
