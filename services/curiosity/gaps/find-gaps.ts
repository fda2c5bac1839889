// What is worth asking a person at the end of a dialogue, by rules alone: what the bot's answers say that they rest on and did not know, as far as nobody
// told it by then. A doubtful question is not asked. Pure, and linear in the dialogue.
import { isAboutBot } from './about-bot.ts'
import { isDictated } from './dictated.ts'
import { findForbidden, isValueOfForbidden } from './forbidden.ts'
import { findAddressee, findRequest } from './addressee.ts'
import { keepOpen } from './answered.ts'
import { bot, type Dialogue, type Doubt, type KnownRecord, type Question, type Turn } from './dialogue.ts'
import { findEnglishDoubts } from './en-doubts.ts'
import { toOriginal, toSentences as toEnglishSentences, toTask as toEnglishTask } from './en-text.ts'
import { isAboutTheWorld, isIdle } from './idle.ts'
import { findOwner, runs } from './owner.ts'
import { findProposals } from './proposals.ts'
import { findQuoted, quote } from './quoted.ts'
import { findRecordDoubts, unsettled } from './records.ts'
import { toQuestion } from './telling.ts'
import { isHan, sharedWords, wordsOf } from './words.ts'
import { findChineseDoubts } from './zh-doubts.ts'
import { toSentences as toHanSentences, toTask as toChineseTask } from './zh-text.ts'

const mostQuestions = 10
/** Turns from the end; and characters of each. */
const mostTurns = 40
const mostChars = 3000
const mostRecords = 50
/** "I assumed three thousand a month." */
const mostOfValue = 3

export type GapDeps = {
  /** Whether a text holds what memory refuses to keep in a group: secrets, health, money, identity numbers. */
  isRefused(text: string): boolean
}

export type LookedThrough = {
  /** At most ten, in the order in which the doubts were said. */
  readonly questions: readonly Question[]
  /** Sentences of the bot's whose doubts the rest of the dialogue has closed, all of them. */
  readonly closed: readonly string[]
  readonly dropped: readonly Dropped[]
}

/** A sentence of the bot's whose doubt is not asked: forbidden, idle to ask, known to memory, or about the bot itself. */
type Dropped = { readonly said: string; readonly because: 'forbidden' | 'idle' | 'known' | 'bot' }

export const findGaps = (deps: GapDeps, dialogue: Dialogue): readonly Question[] =>
  lookThrough(deps, dialogue).questions

export function lookThrough(deps: GapDeps, dialogue: Dialogue): LookedThrough {
  const turns = dialogue.turns
    .slice(-mostTurns)
    .map((turn) => ({ ...turn, text: toPlain(turn.text.slice(0, mostChars).toWellFormed()) }))
  const memory = dialogue.memory.slice(0, mostRecords)
  const all = turns.flatMap((turn, at) =>
    turn.who === bot ? [questionsOf(deps, { ...dialogue, turns, memory }, at)] : [],
  )
  const judged = all
    .flatMap(({ found }) => found)
    .map((one) => {
      const isForbidden = findForbidden(deps, one.question) !== undefined
      const because = isForbidden ? 'forbidden' : isAboutBot(toTheirs(one.question.ask)) ? 'bot' : undefined
      return { one, because, said: one.question.said } as const
    })
  const allowed = judged.flatMap(({ one, because }) => (because ? [] : [one]))
  const refused = judged.flatMap(({ said, because }) => (because ? [{ said, because }] : []))
  return {
    questions: withoutRepeats(allowed).slice(0, mostQuestions),
    closed: all.flatMap(({ closed }) => closed),
    dropped: [...all.flatMap(({ dropped }) => dropped), ...refused],
  }
}

/** Without marks and addresses of links, which would cut a sentence. */
const toPlain = (text: string): string =>
  text.replaceAll(/!?\[([^[\]\n]{1,200})\]\([^()\s]{1,500}\)/gu, '$1').replaceAll(/\*\*|`/gu, '')

/** In a question of the rules "you" is the person: only "my" and "I" are the bot. */
const toTheirs = (ask: string): string => ask.replaceAll(/\byour?\b/giu, 'their').replaceAll('你', '他')

/** `words`: those of the question without what it is asked for, so that two questions for one task are not taken for one. */
type Found = { readonly question: Question; readonly words: ReadonlySet<string> }

type OfAnswer = { readonly found: readonly Found[] } & Pick<LookedThrough, 'closed' | 'dropped'>

function questionsOf(deps: GapDeps, dialogue: Dialogue, at: number): OfAnswer {
  const { language, turns, people, memory } = dialogue
  const turn: Turn = turns[at] ?? { who: bot, text: '', at: '' }
  const request = findRequest(turns, at, dialogue)
  if (!request || !people.includes(request.who)) return { found: [], closed: [], dropped: [] }
  const isWorld = isAboutTheWorld(request.text)
  const read = isWorld ? [] : language === 'zh' ? findChineseDoubts(turn.text, people) : findEnglishDoubts(turn.text)
  const proposals = isWorld ? [] : findProposals(turn.text, turns.slice(at + 1))
  const isProposed = ({ said: one }: Doubt): boolean => proposals.some((other) => one.includes(other.said))
  const before = turns.slice(0, at)
  const said = [...read.filter((doubt) => !isProposed(doubt)), ...proposals].filter(
    (doubt) => !isDictated(doubt.said, { request: request.text, before }),
  )
  const recorded = findRecordDoubts({ said: turn.text, who: request.who, at: turn.at, language }, memory)
  const isRecorded = (sentence: string): boolean =>
    recorded.length > 0 &&
    (unsettled.test(sentence) || ending.test(sentence) || recorded.some((one) => isSame(one.about, sentence, people)))
  const clear = withoutVague(said)
  const quoted = isWorld
    ? []
    : findQuoted(language === 'zh' ? toHanSentences(turn.text) : toEnglishSentences(turn.text), [
        ...clear,
        ...recorded,
        ...read,
      ]).filter((doubt) => !isDictated(doubt.said, { request: request.text, before }))
  const doubts = [...[...clear, ...quoted].filter((doubt) => !isRecorded(doubt.said)), ...recorded]
  const open = keepOpen(doubts, { turns, at, request: request.text, people })
  const task = isHan(request.text) ? toChineseTask(request.text) : toEnglishTask(request.text)
  const closed = doubts.flatMap(({ said: one }) => (open.some((doubt) => doubt.said === one) ? [] : [one]))
  const dropped: Dropped[] = []
  const drop = (doubt: Doubt, because: Dropped['because']): readonly Found[] => {
    dropped.push({ said: doubt.said, because })
    return []
  }
  const found = open.map(toWhole).flatMap((doubt) => {
    if (isIdle(doubt.ask)) return drop(doubt, 'idle')
    if (isKnown(doubt, memory, people)) return drop(doubt, 'known')
    if (isValue(doubt.said, people) && isValueOfForbidden(deps, doubt.said, turn.text)) return drop(doubt, 'forbidden')
    const named =
      doubt.to ?? findAddressee({ said: doubt.said, ask: doubt.ask, request: request.text, asker: request.who }, people)
    const owner =
      named === request.who
        ? findOwner({ about: `${doubt.ask} ${doubt.about}`, said: doubt.said, asker: named, people, memory, turns })
        : undefined
    const to = owner ?? named
    if (to === undefined || !people.includes(to)) return []
    const question = toQuestion(doubt, {
      language,
      to,
      task,
      people,
      original: toOriginal(doubt.said, turn.text),
      isAskers: to === request.who,
    })
    return question ? [{ question, words: wordsOf(doubt.ask, people) }] : []
  })
  return { found, closed, dropped }
}

/** 该跟哪边, "do they belong to it": a question that points at what stands before it is put with the bot's own words. */
const pointingHan = /^(?:这|那|它|其|该|你那|(?:要等|派谁|在哪))|我没|没在|^.{1,3}？$/u
const pointingEn = /^(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have) (?:they|these|those|both)\b/iu

const toWhole = (doubt: Doubt): Doubt =>
  doubt.isWhole !== true && doubt.isAsked !== true && (pointingHan.test(doubt.ask) || pointingEn.test(doubt.ask))
    ? (quote(doubt.said) ?? doubt)
    : doubt

/** The sentence has hardly more than a value: what that is of stands before it. */
export const isValue = (said: string, people: readonly string[]): boolean =>
  [...wordsOf(said, people)].filter((word) => !/\d/u.test(word)).length <= mostOfValue

/** It speaks of the end of something that is recorded. */
const ending = /\b(?:until|expires?|runs out|valid)\b|到期|期满/iu

/** A doubt without a value beside one with a value in the same sentence: "I took Sunday; I don't know your days." */
function withoutVague(doubts: readonly Doubt[]): readonly Doubt[] {
  return doubts.filter(
    (doubt) =>
      doubt.assumed !== '' ||
      wordsOf(doubt.ask).size > 1 ||
      !doubts.some((other) => other !== doubt && other.said === doubt.said && other.assumed !== ''),
  )
}

const isSame = (about: string, sentence: string, people: readonly string[]): boolean => {
  const words = wordsOf(about, people)
  return sharedWords(words, wordsOf(sentence, people)).length >= Math.max(2, words.size / 3)
}

/** A confirmed record says it. */
function isKnown({ ask, about, isWhole }: Doubt, memory: readonly KnownRecord[], people: readonly string[]): boolean {
  if (isWhole === true) return false
  const words = wordsOf(about, people)
  return memory.some(({ content, status }) => {
    // Who runs a matter is no answer to how it stands.
    if (runs.test(content) && !/\bwho\b|谁/iu.test(ask)) return false
    const common = sharedWords(words, wordsOf(content, people)).length
    return status === 'confirmed' && common >= 2 && common / words.size >= 0.5
  })
}

function withoutRepeats(found: readonly Found[]): readonly Question[] {
  const kept: Found[] = []
  for (const one of found) {
    const isRepeat = kept.some(({ question, words }) => {
      const isDeed = one.question.kind === 'action' || question.kind === 'action'
      return question.key === one.question.key || nearness(words, one.words) > (isDeed ? 0.5 : 0.6)
    })
    if (!isRepeat) kept.push(one)
  }
  return kept.map(({ question }) => question)
}

const nearness = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  one.size + other.size === 0 ? 0 : (2 * sharedWords(one, other).length) / (one.size + other.size)
