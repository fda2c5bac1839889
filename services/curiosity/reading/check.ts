// What of a model's questions may wait on a desk. All that the model says is untrusted: each question is checked by code, dropped where it fails, and counted
// by the reason. Pure.
import { isAboutBot } from '#services/curiosity/gaps/about-bot.ts'
import { findRequest } from '#services/curiosity/gaps/addressee.ts'
import type { Dialogue, Question } from '#services/curiosity/gaps/dialogue.ts'
import { isValue, type GapDeps, type LookedThrough } from '#services/curiosity/gaps/find-gaps.ts'
import { isDictated } from '#services/curiosity/gaps/dictated.ts'
import { findForbidden, isValueOfForbidden } from '#services/curiosity/gaps/forbidden.ts'
import { isAboutTheWorld, isIdle } from '#services/curiosity/gaps/idle.ts'
import { toMeaning } from '#services/curiosity/gaps/meaning.ts'
import { isHan, sharedWords, wordsOf } from '#services/curiosity/gaps/words.ts'
import type { Proposed, Reading } from './answer-schema.ts'
import { isAlike, isPart } from './alike.ts'
import { isClosedByRecord, restsOnUnknown } from './by-records.ts'
import { findSentence, type FoundSentence } from './sentence.ts'
import { isStillOpen } from './still-open.ts'

/** Why a question of a model's is dropped. */
export const drops = [
  'too-many',
  'nobody',
  'not-said',
  'sure',
  'elsewhere',
  'same-reply',
  'forbidden',
  'bot',
  'research',
  'answered',
  'known',
  'second',
  'ruled',
] as const
export type Drop = (typeof drops)[number]

/** Of one answer so many are looked at. */
const mostQuestions = 10

export type Checking = {
  readonly dialogue: Dialogue
  /** From this turn on answers are looked at. */
  readonly from: number
  /** What the rules make of the same dialogue. */
  readonly ruled: LookedThrough
}

export type Checked = { readonly questions: readonly Question[]; readonly dropped: ReadonlyMap<Drop, number> }

/** A question and the sentence that it is about. */
type Placed = { readonly asked: Proposed; readonly found: FoundSentence }

export function checkReading(deps: GapDeps, reading: Reading, checking: Checking): Checked {
  const dropped = new Map<Drop, number>()
  const count = (why: Drop, times = 1): void => {
    dropped.set(why, (dropped.get(why) ?? 0) + times)
  }
  if (reading.ask.length > mostQuestions) count('too-many', reading.ask.length - mostQuestions)
  const placed = reading.ask.slice(0, mostQuestions).flatMap((asked): Placed[] => {
    const found = findSentence(asked.quote, checking)
    const why = found === undefined ? 'not-said' : findFault(deps, { asked, found }, reading, checking)
    if (why !== undefined) count(why)
    return found === undefined || why !== undefined ? [] : [{ asked, found }]
  })
  const kept: Placed[] = []
  for (const one of placed.toSorted((a, b) => toNearness(b, checking) - toNearness(a, checking)))
    if (kept.some((other) => isSame(one, other, checking))) count('second')
    else kept.push(one)
  const questions = kept.flatMap((one) => {
    if (!isRuled(one, checking)) return [toQuestion(one, checking)]
    count('ruled')
    return []
  })
  return { questions, dropped }
}

function findFault(deps: GapDeps, { asked, found }: Placed, reading: Reading, checking: Checking): Drop | undefined {
  const { people, memory, turns } = checking.dialogue
  const { question, to, options, why, assumed, answers } = asked
  if (!people.includes(to) || !isThere(to, checking.dialogue)) return 'nobody'
  const request = findRequest(turns, found.at, checking.dialogue)?.text ?? ''
  const at = turns[found.at]?.at ?? ''
  if (isDictated(found.sentence, { request, before: turns.slice(0, found.at) })) return 'elsewhere'
  if (!restsOnUnknown(found.sentence, { memory, at })) return 'sure'
  const words = wordsOf(question, people)
  if (!isOfSentence(question, found.sentence, people)) return 'elsewhere'
  const [one, other] = answers
  if (!one || !other || isAlike(one.answer, other.answer) || isAlike(one.changes, other.changes)) return 'same-reply'
  const shown = [why, assumed, ...answers.flatMap(({ answer, changes }) => [answer, changes])].join('\n')
  if (findForbidden(deps, { ask: question, options, why: shown }) !== undefined) return 'forbidden'
  if (isValue(found.sentence, people) && isValueOfForbidden(deps, found.sentence, turns[found.at]?.text ?? ''))
    return 'forbidden'
  if (isAboutBot(question)) return 'bot'
  if (isIdle(question) || isAboutTheWorld(request) || isIn(words, reading.findable, people)) return 'research'
  if (isIn(words, reading.known, people) || isClosedByRecord(question, found.sentence, { memory, at, people }))
    return 'known'
  return isStillOpen({ ...asked, said: found.sentence }, checking) ? undefined : 'answered'
}

/** A member who said nothing in these turns is asked only of what names them. */
const isThere = (name: string, { turns }: Dialogue): boolean =>
  turns.some(({ who, text }) => who === name || text.includes(name))

/** A word in common; of Chinese two characters that carry meaning, since a pair of them may stand apart. */
function isOfSentence(question: string, sentence: string, people: readonly string[]): boolean {
  if (sharedWords(wordsOf(question, people), wordsOf(sentence, people)).length > 0) return true
  const signs = new Set(sentence.match(/\p{Script=Han}/gu))
  const common = new Set(question.match(/\p{Script=Han}/gu)?.filter((sign) => signs.has(sign) && !plainSigns.has(sign)))
  return common.size >= 2
}
const plainSigns = new Set(
  '的了是在有不一个我你您他她它们这那就也都还和与或吗呢吧啊么什怎多少几哪谁能可以要会想没先给把被对到上下里中后前点大小好很太更最',
)

/** The model itself lists it as known, or as what a look-up would find. */
function isIn(words: ReadonlySet<string>, matters: readonly string[], people: readonly string[]): boolean {
  return matters.some((matter) => {
    const own = wordsOf(matter, people)
    const common = sharedWords(words, own).length
    return common >= 2 && (2 * common) / (words.size + own.size) > 0.5
  })
}

/** How many of the words are common. */
function toNearness({ asked, found }: Placed, { dialogue: { people } }: Checking): number {
  const [one, other] = [wordsOf(asked.question, people), wordsOf(found.sentence, people)]
  return (2 * sharedWords(one, other).length) / Math.max(1, one.size + other.size)
}

function isSame(one: Placed, other: Placed, { dialogue: { people } }: Checking): boolean {
  return isPart(one.found.sentence, other.found.sentence) || isNear(one.asked.question, other.asked.question, people)
}

function isNear(one: string, other: string, people: readonly string[]): boolean {
  const [a, b] = [wordsOf(one, people), wordsOf(other, people)]
  return (2 * sharedWords(a, b).length) / Math.max(1, a.size + b.size) > 0.5
}

/** The rules ask it in their own words, of the same sentence or in much the same words. */
function isRuled({ asked, found }: Placed, { ruled, dialogue: { people } }: Checking): boolean {
  return ruled.questions.some(
    ({ ask, said, to }) =>
      isPart(said, found.sentence) ||
      isNear(ask, asked.question, people) ||
      (to === asked.to && isWithin(ask, asked.question, people)),
  )
}

/** All that it asks, without the task that it names, stands in the other one: "can the lift be used?" in "could you ask whether the lift can be used?". */
function isWithin(ask: string, other: string, people: readonly string[]): boolean {
  const [own, all] = [ask.replace(task, ''), other].map((text) => toMeaning(text, people).split(' '))
  return own !== undefined && own.length >= fewestWords && own.every((word) => all?.includes(word))
}
const task = /^(?:About [^:]{1,120}: |[^：]{1,60}：)/u
const fewestWords = 2

function toQuestion({ asked, found }: Placed, { dialogue: { people } }: Checking): Question {
  const { question, to, kind, options, why, assumed, answers, key } = asked
  const colon = isHan(question) ? '：' : ': '
  return {
    ask: question,
    to,
    kind: kind === 'choice' && options.length < 2 ? 'words' : kind,
    why,
    changes: answers.map(({ answer, changes }) => `${answer}${colon}${changes}`).join(isHan(question) ? '；' : '; '),
    assumed,
    ...(kind === 'choice' && options.length > 1 ? { options } : {}),
    key: toMeaning(question, people, key),
    said: found.sentence,
  }
}
