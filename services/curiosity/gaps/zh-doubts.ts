// What a Chinese answer of the bot's did not know, by how it says so. Questions stand in Chinese statements as they are asked: 会议多长 needs a sign only.
import type { Doubt } from './dialogue.ts'
import { askHands } from './zh-hands.ts'
import { findChoices } from './zh-options.ts'
import {
  advised,
  assumedAfter,
  empty,
  evaluative,
  interrogative,
  judging,
  leftAlone,
  theirs,
  unknown,
  why,
} from './zh-frames.ts'
import { findPassing } from './zh-passing.ts'
import { sharedWords, wordsOf } from './words.ts'
import { toClauses, toMatter, toSentences, withoutTellers, withTopic } from './zh-text.ts'
import { readCondition, readDoubted, readListed, readTaken, toTaken, type Found, type Taken } from './zh-taken.ts'
import { askEmbedded, askNoun, askTaken, isEither } from './zh-values.ts'

/** `people`: "老罗没有交代过" says of whom nothing is known, not of what. */
export function findChineseDoubts(answer: string, people: readonly string[] = []): readonly Doubt[] {
  const sentences = toSentences(answer)
  const choices = findChoices(sentences)
  return sentences.flatMap((said, at) => {
    if (/[？?]$/u.test(said)) return askedAloud(said, sentences[at + 1] ?? '')
    const hands = askHands(said)
    const choice = choices.find((one) => one.at === at)?.doubt
    if (choice) return [choice]
    if (hands)
      return [
        hands,
        ...doubtsOf(said, sentences[at - 1] ?? '', people).filter(
          ({ about, assumed }) => assumed === '' && !isWithin(about, hands.about),
        ),
      ]
    return doubtsOf(said, sentences[at - 1] ?? '', people)
  })
}

/** 要不要加人？我先按三位写。The bot asks, and goes on by itself. */
function askedAloud(said: string, next: string): readonly Doubt[] {
  const isLeft =
    /^(?:我(?:先|按|暂|就|用|写|放|填|当|不知道|不确定|不清楚)|先|暂|(?:这|那)?(?:个|点)?(?:得|要|由|看)?(?:你|您|你们)(?:来)?(?:定|决定|说了算|拿主意))/u.test(
      next,
    )
  if (!isLeft || [...said].length < 6 || [...said].length > 30) return []
  const asked = askEmbedded(said.replace(/[？?]$/u, ''))
  return [
    {
      ...asked,
      ask: said,
      about: `${said} ${next}`,
      premise: said,
      assumed: next,
      said: `${said}${next}`,
      isAsked: true,
    },
  ]
}

/** Half of the words of a doubt stand in a question for hands. */
function isWithin(about: string, hands: string): boolean {
  const words = wordsOf(about)
  return sharedWords(words, wordsOf(hands)).length * 3 >= words.size
}

function doubtsOf(said: string, before: string, people: readonly string[]): readonly Doubt[] {
  // What takes up an answer states it: 改成按届排.
  if (
    leftAlone.test(said) ||
    /[？?]$/u.test(said) ||
    /^(?:好[，的]?)?(?:已?改(?:成|为|好|了)|换(?:成|好|了)|那就?|补上|记下)/u.test(said)
  )
    return []
  const clauses = toClauses(said)
  const asked = readUnknown({ clauses, people }, before)
  const told = [
    ...asked,
    // 左三是谁认不出来，名字先空着: the place is empty for want of that answer.
    ...(asked.some(({ isNoun }) => isNoun !== true) ? [] : readEmpty(clauses)),
    ...readListed(said),
    ...readDoubted(clauses),
  ]
  const found = told.length > 0 ? told : readQuestion(clauses)
  // 好，格式按学校模板排的: what answers somebody's word goes by it.
  const taken = /^(?:好|行|嗯|明白|收到|可以)的?[，,]/u.test(said) ? [] : readTaken(clauses, found.length > 0)
  const paired = found.map((one) => (one.assumed === undefined ? withValue(one, taken, found.length) : one))
  const rest = found.length > 0 ? taken.filter((one) => one.isOwn && one.isStrong) : taken
  const conditions = found.length === 0 ? readCondition(clauses) : []
  const own = conditions.length > 0 ? [] : rest.flatMap(({ topic, value }) => toTaken(topic, value))
  const all = [...paired, ...own, ...conditions].map((one) => toDoubt(one, said))
  const passing = findPassing(said)
  return all.length === 0 || passing.some(({ kind }) => kind === 'choice') ? passing : all
}

function toDoubt({ asked, about, assumed }: Found, said: string): Doubt {
  const judged = evaluative.test(about) && judging.test(said) && asked.kind !== 'words'
  const [, follows] = /(?:要是|如果|假如|不然|否则)([^。；;]{4,60})/u.exec(said) ?? []
  return {
    ask: asked.ask,
    kind: judged ? 'judgement' : asked.kind,
    about,
    premise: said,
    assumed: assumed ?? '',
    said,
    ...(follows === undefined ? {} : { changes: follows }),
    ...(asked.options === undefined ? {} : { options: asked.options }),
  }
}

/** A noun of which nothing is known, with the value that was taken for it. */
function withValue(one: Found, taken: readonly Taken[], count: number): Found {
  const value = count === 1 ? taken.find(({ isOwn }) => !isOwn)?.value : undefined
  if (value === undefined) return one
  const about = `${one.about} ${value}`
  if (one.isNoun !== true) return { ...one, about, assumed: value }
  return { asked: askTaken(one.about, value) ?? one.asked, about, assumed: value }
}

type Said = { readonly clauses: readonly string[]; readonly people: readonly string[] }

function readUnknown({ clauses, people }: Said, before: string): readonly Found[] {
  const found: Found[] = []
  for (const [at, clause] of clauses.entries()) {
    const mark = unknown.exec(clause) ?? theirs.exec(clause)
    if (!mark || empty.test(clause)) continue
    const matter = toUnknown({ clauses, people }, at, mark) ?? (at === 0 ? lastQuestion(before) : undefined)
    if (matter === undefined || why.test(matter) || isOwnChoice(matter)) continue
    if (interrogative.test(matter)) found.push({ asked: askEmbedded(matter), about: matter })
    else {
      const asked = askNoun(matter)
      if (asked && unknown.test(clause)) found.push({ asked, about: matter, isNoun: true })
    }
  }
  const distinct = found.filter(({ about }, at) => found.findIndex((other) => other.about === about) === at)
  return distinct.some(({ isNoun }) => isNoun !== true) ? distinct.filter(({ isNoun }) => isNoun !== true) : distinct
}

/** 推荐哪种, 选哪个: what the bot itself was to choose. */
const isOwnChoice = (matter: string): boolean =>
  /^(?:推荐|选|用|更合适|给你|挑|放|该|应该)?(?:推荐|选|用|放|挑|写|是)?哪/u.test(matter) && [...matter].length < 9

function lastQuestion(sentence: string): string | undefined {
  const last = toClauses(sentence).at(-1) ?? ''
  return interrogative.test(last) && [...last].length < 30 ? toMatter(last) : undefined
}

/** What is not known: behind the mark, before it, or in the clause before. */
function toUnknown({ clauses, people }: Said, at: number, mark: RegExpExecArray): string | undefined {
  const clause = clauses[at] ?? ''
  const before = toMatter(
    clause.slice(0, mark.index).replace(/(?:留给|交给|还请|请|麻烦|这事|这件事|这个|该|由|让){1,3}$/u, ''),
  )
  // 预告里都没写: where it is not said is no matter.
  const topic =
    people.includes(before) ||
    /[但却可]$/u.test(before) ||
    /[里中内]$|^(?:附近|周边|这次|群里|图上|文中)$/u.test(before)
      ? ''
      : before
  const after = toMatter(clause.slice(mark.index + mark[0].length))
  // 旧表和说明书各执一词: who disagrees is no matter.
  if (/各执一词|说法|口径|意见|不统一|争议/u.test(mark[0]) && !interrogative.test(topic)) return earlier(clauses, at)
  const isAsked = interrogative.test(after)
  if (/^(?:分寸|轻重|尺度|火候|准头)/u.test(after)) return earlier(clauses, at)
  if (isAsked)
    return topic !== '' && [...topic].length < 12 && !interrogative.test(topic)
      ? topic + after
      : withTopic(after, clauses[at - 1])
  if (interrogative.test(topic)) return withTopic(topic, clauses[at - 1])
  if (topic !== '' && [...topic].length > 1)
    return /^(?:这|那|它|两处|有一?[处点]|一处|此)/u.test(topic) ? earlier(clauses, at) : topic
  if ([...after].length > 1 && !/^(?:过|到|这|那|它|太)/u.test(after)) return after
  return earlier(clauses, at)
}

function earlier(clauses: readonly string[], at: number): string | undefined {
  for (let back = at - 1; back >= 0 && back > at - 4; back -= 1) {
    const clause = clauses[back] ?? ''
    if (unknown.test(clause) || empty.test(clause)) return undefined
    if (interrogative.test(clause)) return withTopic(toMatter(withoutTellers(clause)), clauses[back - 1])
  }
  const last = toMatter(clauses[at - 1] ?? '')
  if (empty.test(last) || unknown.test(last)) return undefined
  return [...last].length > 1 && [...last].length < 12 && !assumedAfter.test(last) ? last : undefined
}

function isOneOf(clause: string, all: string): boolean {
  const found = assumedAfter.exec(clause)
  const value = found ? toMatter(clause.slice(found.index + found[0].length)) : ''
  return value !== '' && all.includes(value)
}

/** A question that stands in a statement is seldom anything else than unknown: 要不要收费. Advice and indifference are. */
function readQuestion(clauses: readonly string[]): readonly Found[] {
  return clauses.flatMap((clause, at) => {
    const found = strong.test(clause) || isEither(clause)
    if (
      !found ||
      advised.test(clause) ||
      /没(?:有)?.{0,6}多[少久]/u.test(clause) ||
      /[、和](?:是否|有没有)/u.test(clause) ||
      why.test(clause) ||
      isAnswered(clause, clauses.slice(at + 1))
    )
      return []
    // 你有没有器械决定了动作: what it decides is no part of it.
    const plain = withoutTellers(clause).split(/决定了?|关系到|影响到?/u, 1)[0] ?? ''
    const matter = withTopic(toMatter(plain), clauses[at - 1])
    return [...matter].length < 5 || [...matter].length > 26 ? [] : [{ asked: askEmbedded(matter), about: matter }]
  })
}

/** 开放到几点，牌子上有，五点. */
const isAnswered = (clause: string, later: readonly string[]): boolean =>
  /几|多/u.test(clause) &&
  later.some((one) => /^(?:大概|大约|约|是)?[一二三四五六七八九十两\d]/u.test(one) && !assumedAfter.test(one))

const strong = /(\p{Script=Han})不\1(?!了|得)|是否|能否|可否|有没有|多少(?!有点)|多长|多久|几点|几位|几个人|几号/u

function readEmpty(clauses: readonly string[]): readonly Found[] {
  return clauses.flatMap((clause, at) => {
    const mark = empty.exec(clause)
    if (!mark) return []
    const before = toMatter(clause.slice(0, mark.index)) || toMatter(clauses[at - 1] ?? '')
    // 午市晚市都空着，我先写的午市: there is room in both.
    if (clauses.slice(at + 1).some((one) => isOneOf(one, before))) return []
    if (interrogative.test(before)) return [{ asked: askEmbedded(before), about: before }]
    const asked = askNoun(before, true)
    return asked ? [{ asked, about: before }] : []
  })
}
