// How records are compared with each other: which two say the same, and of what a record tells the only value. It errs on the side of keeping both.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import type { Comparing } from '#shared/memory/store.ts'
import { toTokens } from '#services/memory/search/tokens.ts'
import { readSlot } from './slot.ts'

const mostChars = 2000

export const comparing: Comparing = {
  read(told) {
    const plain = toOwn(told)
    const tokens = new Set(toTokens(plain))
    const settled = readAnchor(told)
    const slot = settled ?? readSlot(plain)
    // "I do" has no words but such as stand in every sentence.
    const words = tokens.size > 0 ? [...tokens] : [plain.toLowerCase().trim()]
    const telling = words.filter((one) => !frame.has(one))
    return {
      words,
      telling: telling.length > 0 ? telling : words,
      // Nothing but the same words is a repeat of an anchor.
      exact: settled ? [settled.of, ...settled.value].join('|') : toExact(plain.toLowerCase()),
      ...(slot && { slot }),
    }
  },
  isRepeat: (before, told) =>
    (before.anchor === undefined) === (told.anchor === undefined) &&
    !isOtherValue(before, told) &&
    !isOtherName(toOwn(before), toOwn(told)),
}

/** Words of what people tell of themselves, whatever it is. */
const frame = new Set(
  toTokens(
    'prefer like love hate dislike enjoy want need live lives work call name named have use own eat drink play buy go make get say know think feel favourite favorite always often usually really most best day person 喜欢 喜 欢 爱 讨厌 讨 厌 偏好 住 叫 名 有 用 工作 想 要 吃 喝 玩 买 去 很 最 常 对方',
  ),
)

type Told = Parameters<Comparing['read']>[0]

/** Of a topic one of a kind holds. */
function readAnchor({ text, kind = 'note', anchor }: Told) {
  return anchor && { of: `anchor ${kind} ${toFolded(anchor.topic)}`, value: [toFolded(text)] }
}

const toFolded = (text: string): string => toNormalForm(text, 'NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** The slot of such a reading alone, which takes little time whatever the text. */
export const readOwnSlot = (told: Told): ReturnType<typeof readSlot> => readSlot(toOwn(told))

/** As its speaker says it: what was noticed tells of them by name, or as "the person". */
function toOwn({ text, name }: Told): string {
  const plain = toNormalForm(text.slice(0, mostChars), 'NFKC').replaceAll('’', "'")
  let own = plain.replaceAll(/(?<![\p{L}])the person(?![\p{L}])/giu, 'I').replaceAll('对方', '我')
  if (name !== undefined && name.length > 1) {
    const isHan = /\p{Script=Han}$/u.test(name)
    own = isHan
      ? own.replaceAll(name, '我')
      : own
          .replaceAll(name, (found, at: number) => (standsInHan(own, at, name.length) ? '我' : found))
          .split(' ')
          .map((word) => toSelf(word, name))
          .join(' ')
  }
  return own.replaceAll(/(?<![\p{L}])I's(?![\p{L}])/gu, 'my')
}

/** Chinese has no spaces: "Ann在里昂上班". */
const standsInHan = (text: string, at: number, length: number): boolean =>
  /\p{Script=Han}/u.test(text.charAt(at + length)) && !/(?!\p{Script=Han})[\p{L}\p{N}]/u.test(text.charAt(at - 1))

const toSelf = (word: string, name: string): string => (word === name ? 'I' : word === `${name}'s` ? 'my' : word)

/** Words that make another statement of the same sentence, in their order. */
const values =
  /\d[\d.:/-]{0,30}|(?<![a-z])(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|today|tonight|tomorrow|yesterday|mornings?|noon|afternoons?|evenings?|nights?|(?<=\d ?)[ap]m|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|once|twice|every|each|all|only|always|sometimes|before|after|left|right)(?![a-z])|(?:周|星期|礼拜)[一二三四五六日天]|[二三四五六七八九十百千万两〇零]+|一(?![个些下起样直定般切点会])|[今明昨后][天晚年早]|早上|上午|中午|下午|晚上|每|都|只|总|左|右|前|后/gu
const negations =
  /(?<![a-z])(?:not|no|never|none|nobody|nothing|without|cannot|hardly|stopped|stop|quit|avoid|dislikes?|hates?)(?![a-z])|n't(?![a-z])|[不没别未勿无非]|讨厌|停|戒/gu
const persons: readonly (readonly [string, RegExp])[] = [
  ['i', /(?<![a-z])(?:i|me|my|mine|myself)(?![a-z])|我(?!们)|咱|俺|本人/u],
  ['we', /(?<![a-z])(?:we|us|our|ours)(?![a-z])|我们|咱们/u],
  ['you', /(?<![a-z])(?:you|your|yours)(?![a-z])|[你您]/u],
  ['he', /(?<![a-z])(?:he|him|his)(?![a-z])|他/u],
  ['she', /(?<![a-z])(?:she|her|hers)(?![a-z])|她/u],
  ['they', /(?<![a-z])(?:they|them|their|theirs)(?![a-z])|[他她]们/u],
]

function toExact(plain: string): string {
  const told = [...plain.matchAll(values)].map(([value]) => value)
  const who = persons.flatMap(([name, pattern]) => (pattern.test(plain) ? [name] : []))
  return [told.join(' '), [...plain.matchAll(negations)].length, who.join(' ')].join('|')
}

/** Both tell the value of one slot, and not the same one. */
function isOtherValue(before: Told, told: Told): boolean {
  const [one, other] = [readOwnSlot(before), readOwnSlot(told)]
  if (one === undefined || other === undefined) return false
  return one.of !== other.of || one.value.join(' ') !== other.value.join(' ')
}

/** A name stands in the place of another word, or a Chinese sign in that of another sign: nobody can tell whether it is a name. */
function isOtherName(before: string, text: string): boolean {
  const [one, other] = [toWords(before), toWords(text)]
  const [left, right] = [without(one, other), without(other, one)]
  return left.length > 0 && right.length > 0 && [...left, ...right].some((word) => mayBeName.test(word))
}

const mayBeName = /^[\p{Lu}\p{Lo}]/u
const word = /\p{Lo}|[[\p{L}\p{M}\p{N}]--\p{Lo}]+/gv

/** The first one is written large whatever it is. */
const toWords = (text: string): readonly string[] =>
  [...text.slice(0, mostChars).matchAll(word)].map(([found], at) => (at === 0 ? found.toLowerCase() : found))

function without(words: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others.map((one) => one.toLowerCase()))
  return words.filter((one) => !known.has(one.toLowerCase()))
}
