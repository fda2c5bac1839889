// The key of a question's meaning: the same for the same question from ten chats, as far as words can tell. Words that mean the same are one word here, numbers
// are figures, and their order does not count. Other words for the same thing make another key, and so does the other language, except where a model names
// the meaning in English.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { toSimplified } from '#shared/chat/simplified.ts'
import { isHan, wordsOf } from './words.ts'

const mostKeyChars = 200
/** So few words mean nothing by themselves. */
const fewestWords = 2

const figures: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
}
const hanFigures = '〇一二三四五六七八九'

/** Words of which any may stand for each other. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/\b(?:how long|duration|length|how many minutes|how many hours)\b/gu, 'length'],
  [/\b(?:how many|number of|amount of|quantity of|headcount)\b/gu, 'number'],
  [/\b(?:at what time|what time|which time|when)\b/gu, 'time'],
  [/\b(?:on )?(?:which|what) days?\b/gu, 'day'],
  [/\b(?:prefer(?:ence|s)?|rather have|would you like|do you want|want|choose|favou?rite)\b/gu, ' '],
  [/多长时间|多久|多长|时长/gu, '时长'],
  [/几点钟?|什么时候|何时|啥时候/gu, '时间'],
  [/多少|几(?=个|位|人|份|次|天)/gu, '数量'],
  [/能不能|是不是|有没有|要不要|会不会|可不可以|是否|能否|可否/gu, ' '],
]

/** `named`: two or more English words by which a model names the meaning: they count instead, since they are the same in each language. */
export function toMeaning(ask: string, people: readonly string[], named = ''): string {
  const key = isHan(named) ? '' : toWords(named, people)
  const chosen = key.split(' ').length >= fewestWords ? key : toWords(ask, people)
  return chosen.slice(0, mostKeyChars).toWellFormed()
}

function toWords(text: string, people: readonly string[]): string {
  let plain = toSimplified(toNormalForm(text.slice(0, 500).toWellFormed(), 'NFKC')).toLowerCase()
  for (const name of people) plain = plain.replaceAll(name.toLowerCase(), ' ')
  for (const [words, one] of alike) plain = plain.replaceAll(words, one)
  plain = plain
    .replaceAll(/[a-z]+/gu, (word) => figures[word] ?? word)
    .replaceAll(/[〇一二三四五六七八九](?=[点个天次位人月年周号份张])/gu, (sign) => String(hanFigures.indexOf(sign)))
  return [...wordsOf(plain)].toSorted().join(' ')
}

/** Most of their words are the same, and all their figures. */
export function isSameMeaning(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [new Set(one.split(' ')), new Set(other.split(' '))]
  const figuresOf = (words: ReadonlySet<string>): string => [...words].filter((word) => /\d/u.test(word)).join(' ')
  const common = [...a].filter((word) => b.has(word)).length
  return (2 * common) / (a.size + b.size) > 0.75 && figuresOf(a) === figuresOf(b)
}
