// What the judge knows of an answer: what was asked and how it is answered, by cues, what the tools did, and what was confirmed. Pure.
import { findConfirmation, type Confirmation } from './confirmed.ts'
import { answerCues, compile, cues, questionCues, type AnswerCue, type QuestionCue } from './cues.ts'
import { readText, weigh, type ReadText } from './read-text.ts'
import { isReading, toOutcome, type ToolOutcome, type UsedTool } from './tool-outcome.ts'

/** What is judged. */
export type Judged = {
  readonly question: string
  /** Without marks. */
  readonly answer: string
  /** In the order of their calls. */
  readonly tools: readonly UsedTool[]
  /** What the person has told or confirmed. */
  readonly facts?: readonly string[] | undefined
}

export type Matter = {
  asks(...any: readonly QuestionCue[]): boolean
  /** Of `hedges` and `failed`, where the words are meant: not in a courtesy, a set phrase or a definition. */
  says(...any: readonly AnswerCue[]): boolean
  readonly outcome: ToolOutcome
  readonly confirmed: Confirmation
  /** Whether a tool that worked may have changed something. */
  readonly acted: boolean
  /** Whether it asks for what is missing and says nothing else. */
  readonly asksBack: boolean
  /** Whether there is more to it than a sentence or two. */
  readonly isLong: boolean
  /** Whether it says more than that it heard. */
  readonly saysMuch: boolean
  /** Whether the question shows the code or the error that it is about. */
  readonly showsCode: boolean
}

/** Below this a sentence beside a question back is only its frame. */
const frameWeight = 60
const longWeight = 240

export function toMatter({ question, answer, tools, facts = [] }: Judged): Matter {
  const asked = readText(question)
  // Words that the question quotes are spoken of.
  const said = readText(withoutWords(answer, findQuoted(question)))
  // Verdicts ask the same again and again.
  const asks = once((cue: QuestionCue): boolean => questionCues.get(cue)?.test(asked.text) === true)
  const toPlain = onceOnly(() => without(said.text, 'polite'))
  const toText = (cue: AnswerCue): string => {
    if (cue === 'hedges') return without(toPlain(), 'certainty', ...(asks('concept') ? (['modals'] as const) : []))
    if (cue === 'failed') return without(said.text, 'smooth')
    return cue === 'advises' ? toPlain() : said.text
  }
  const says = once((cue: AnswerCue): boolean => answerCues.get(cue)?.test(toText(cue)) === true)
  return {
    asks: (...any) => any.some(asks),
    says: (...any) => any.some(says),
    outcome: toOutcome(tools, () => !asks('live') && !asks('own') && !asks('future') && !asks('ahead')),
    confirmed: facts.length === 0 ? 'none' : findConfirmation(question, answer, facts),
    acted: tools.some((tool) => tool.ok && !isReading(tool)),
    get asksBack() {
      return isQuestionBack(said)
    },
    get isLong() {
      return weigh(toPlain()) >= longWeight
    },
    get saysMuch() {
      return weigh(toPlain()) >= frameWeight
    },
    showsCode: asked.hasCode,
  }
}

/** Made when it is asked for. */
function onceOnly(make: () => string): () => string {
  let made: string | undefined
  return () => (made ??= make())
}

/** Looks each cue up at most once. */
function once<Cue>(find: (cue: Cue) => boolean): (cue: Cue) => boolean {
  const found = new Map<Cue, boolean>()
  return (cue) => {
    const known = found.get(cue)
    if (known !== undefined) return known
    const fits = find(cue)
    found.set(cue, fits)
    return fits
  }
}

/** The text without what these cues find. */
const without = (text: string, ...named: readonly LeftOut[]): string =>
  named.reduce((left, cue) => left.replaceAll(everywhere[cue], ' '), text)

type LeftOut = keyof typeof everywhere
const toEverywhere = (cue: AnswerCue): RegExp => new RegExp(compile(cues.answer[cue]), 'gu')
const everywhere = {
  polite: toEverywhere('polite'),
  certainty: toEverywhere('certainty'),
  modals: toEverywhere('modals'),
  smooth: toEverywhere('smooth'),
}

const mostQuotedChars = 4000
const mostQuoted = 8

/** Short words in quotation marks. */
function findQuoted(text: string): readonly string[] {
  if (!/[“"「]/u.test(text)) return []
  return [...text.slice(0, mostQuotedChars).matchAll(/[“"「]([^“”"「」\n]{2,24})[”"」]/gu)]
    .slice(0, mostQuoted)
    .map(([, quoted = '']) => quoted)
}

const withoutWords = (text: string, words: readonly string[]): string =>
  words.reduce((left, word) => left.replaceAll(word, '□'), text)

function isQuestionBack({ sentences }: ReadText): boolean {
  const offer = answerCues.get('polite')
  const request = answerCues.get('requests')
  const asking = sentences.filter((one) => (one.endsWith('?') || request?.test(one)) && offer?.test(one) !== true)
  const rest = sentences.filter((one) => !asking.includes(one) && offer?.test(one) !== true)
  const isFrame = rest.reduce((sum, one) => sum + weigh(one), 0) < frameWeight && !/[\d■]/u.test(rest.join(''))
  return asking.length > 0 && isFrame
}
