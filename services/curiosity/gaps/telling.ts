// A doubt as a question to a person: with what it is about, why it is asked, what an answer changes, what is taken to be so without one, and its key.
import type { Doubt, Question, QuestionKind } from './dialogue.ts'
import { lowerFirst } from './en-invert.ts'
import { toMeaning } from './meaning.ts'
import { sharedWords, shorten, wordsOf } from './words.ts'

const mostAskChars = 240
const mostQuoteChars = 160
/** A question with so many of the sentence's first characters quotes it already. */
const quoteBegins = 20

type About = {
  readonly language: 'en' | 'zh'
  readonly to: string
  /** What the person asked the bot for. */
  readonly task: string | undefined
  readonly people: readonly string[]
  /** The bot's sentence as it was written. */
  readonly original: string
  /** The question goes to the person who asked the bot. */
  readonly isAskers: boolean
}

const changesEn: Readonly<Record<QuestionKind, string>> = {
  choice: 'I go by the one that you name',
  'yes-no': 'with a yes my answer stays, with a no I change it',
  words: 'I answer by what you say, from then on',
  action: 'I put in what is missing; without it, it stays open',
  judgement: 'I keep to this way, or change it, in later answers too',
}
const changesZh: Readonly<Record<QuestionKind, string>> = {
  choice: '按选的那一样改',
  'yes-no': '是的话我不改，不是的话我就改',
  words: '以后按你说的来',
  action: '有了就补上，没有就先空着',
  judgement: '合适就照现在的，不合适就换，以后也照这个来',
}

/** Undefined where the question would not be understood by itself. */
export function toQuestion(doubt: Doubt, about: About): Question | undefined {
  const asked = toAsk(doubt, about)
  const ask = asked === undefined ? undefined : toYou(asked, about)
  if (ask === undefined || ask.length > mostAskChars) return undefined
  const isEnglish = about.language === 'en'
  const quote = shorten(about.original, mostQuoteChars)
  // "I do not know whether you have a projector, so I left the slides out": neither yes nor no is what the answer took.
  const isOpen = doubt.kind === 'yes-no' && doubt.assumed.trim() === '' && doubt.isWhole !== true
  const follows = isEnglish ? 'my answer follows what you say' : '我按你说的改'
  const plain = isOpen ? follows : (isEnglish ? changesEn : changesZh)[doubt.kind]
  const given =
    doubt.changes === undefined
      ? plain
      : isEnglish
        ? `if not: ${shorten(doubt.changes, mostQuoteChars)}`
        : shorten(doubt.changes, mostQuoteChars)
  const open = isEnglish ? 'my answer stays as it is' : '先照现在的'
  return {
    ask,
    to: about.to,
    kind: doubt.kind,
    why: ask.includes(doubt.said.slice(0, quoteBegins))
      ? isEnglish
        ? 'I did not know it when I wrote it'
        : '我写的时候并不知道'
      : isEnglish
        ? `my answer says: “${quote}”`
        : `我的回答里写着：“${quote}”`,
    changes: given,
    assumed: doubt.assumed.trim() === '' ? open : shorten(doubt.assumed, mostQuoteChars),
    ...(doubt.options === undefined ? {} : { options: doubt.options }),
    key: toMeaning(ask, about.people),
    said: doubt.said,
  }
}

const pointing =
  /^(?:is|are|was|were|does|do|did|can|could|will|would|should|may|has|have) (?:it|they|this|that|these|those)\b|\b(?:it|them)\?$/iu

function toAsk(doubt: Doubt, { language, task, people }: About): string | undefined {
  const words = wordsOf(doubt.ask, people)
  if (words.size === 0 || doubt.isWhole === true) return words.size === 0 ? undefined : doubt.ask
  const isEnglish = language === 'en'
  if (/^which (?:do|does|are|is|did) (?:you|it|they|we)\b(?! choose)/iu.test(doubt.ask)) return undefined
  // Nobody is named to whom "him" may point.
  const isAdrift =
    isEnglish &&
    /\b(?:him|his|her)\b/u.test(doubt.ask) &&
    !/ [A-Z]|\b(?:mother|father|sister|brother|aunt|uncle|nephew|niece|son|daughter|wife|husband|friend|boss|dog|cat|kid|child|grand\w+)\b/u.test(
      doubt.ask,
    )
  if (isAdrift) return undefined
  const points = isEnglish && pointing.test(doubt.ask)
  const isShort = !isEnglish && [...doubt.ask].length < 7
  const isNamed = task === undefined || (sharedWords(words, wordsOf(task, people)).length > 0 && !points && !isShort)
  if (task === undefined && (points || words.size < 2)) return undefined
  const isBare = doubt.ask.startsWith('Could you take a photo and ')
  if (isNamed || doubt.ask.startsWith('About ') || (doubt.kind === 'action' && !isBare)) return doubt.ask
  return isEnglish
    ? `About ${/^(?:two|three|\d)/u.test(task) ? `the ${task}` : task}: ${lowerFirst(doubt.ask)}`
    : `${task}：${doubt.ask}`
}

/** "Does Alma know her lines", put to Alma: "Do you know your lines". */
function toYou(ask: string, { language, to, isAskers }: About): string {
  if (!ask.includes(to)) return ask
  if (language === 'zh') return isAskers ? ask : ask.replace(to, '你')
  const name = to.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const own = new RegExp(`(?<![\\w-])${name}['’]s `, 'u')
  const subject = new RegExp(`\\b(is|was|does|has|do|did|can|will|should) ${name}(?![\\w-]|['’]s)`, 'iu')
  const found = subject.exec(ask)
  if (!found) return ask.replace(own, 'your ').replace(/^your /u, 'Your ')
  const helper = (found[1] ?? '').toLowerCase()
  const second: Readonly<Record<string, string>> = { is: 'are', was: 'were', does: 'do', has: 'have' }
  const verb = second[helper] ?? helper
  const isFirst = found.index === 0
  const rest = ask.slice(found.index + found[0].length).replaceAll(/\b(?:her|his|their)\b/gu, 'your')
  return `${ask.slice(0, found.index)}${isFirst ? verb.charAt(0).toUpperCase() + verb.slice(1) : verb} you${rest}`
}
