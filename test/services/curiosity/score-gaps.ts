// Scores questions to people against labelled dialogues, as the guide beside the shared set says. Words decide, not meaning.
import { z } from 'zod'

const gap = z.object({
  ask: z.string(),
  to: z.string(),
  kind: z.string(),
  why: z.string(),
  changes: z.string(),
  key: z.string(),
})
export const labelledDialogue = z.object({
  id: z.string(),
  language: z.enum(['en', 'zh']),
  chat: z.object({ kind: z.enum(['direct', 'group']), id: z.string() }),
  people: z.array(z.string()),
  memory: z.array(
    z.object({
      category: z.string(),
      who: z.string(),
      content: z.string(),
      status: z.enum(['confirmed', 'unconfirmed']),
    }),
  ),
  turns: z.array(z.object({ who: z.string(), text: z.string(), at: z.string() })),
  gaps: z.array(gap),
  not: z.array(z.object({ question: z.string(), because: z.string() })),
})
export type LabelledDialogue = z.infer<typeof labelledDialogue>
type Gap = z.infer<typeof gap>
export type AskedQuestion = { readonly ask: string; readonly to: string; readonly kind: string }

export type Score = {
  /** Labelled gaps, those that were asked, and all questions. */
  readonly gaps: number
  readonly matched: number
  readonly questions: number
  readonly asked: number
  readonly unplanned: number
  /** Of all questions, without unmatched ones to a person who has an unasked gap there. */
  readonly unplannedAtLeast: number
  /** Questions that may never be asked. */
  readonly faults: readonly string[]
  readonly wrongPerson: number
  readonly twice: number
  readonly sameKind: number
  /** Dialogues without a gap in which something was asked. */
  readonly disturbed: readonly string[]
  readonly told: readonly string[]
}

const least = 0.4
const faulty = new Set(['forbidden', 'private', 'others'])
const faultyWords =
  /password|passcode|passphrase|\bpin\b|salary|wages?\b|how much (?:do|does) (?:you|he|she|they) (?:earn|owe|make)|card number|iban|medication|diagnos|illness|allerg|密码|口令|验证码|身份证|银行卡|工资|薪水|月薪|收入|欠款|病|过敏|护照号/iu

type Pair = { readonly question: number; readonly gap: number; readonly nearness: number }

export function toDialogues(text: string): readonly LabelledDialogue[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => labelledDialogue.parse(JSON.parse(line)))
}

export function scoreGaps(
  dialogues: readonly LabelledDialogue[],
  find: (dialogue: LabelledDialogue) => readonly AskedQuestion[],
): Score {
  const all = dialogues.map((dialogue) => scoreOne(dialogue, find(dialogue)))
  const sum = (count: (one: One) => number): number => all.reduce((total, one) => total + count(one), 0)
  const [gaps, matched, questions] = [
    sum((one) => one.gaps),
    sum((one) => one.matched),
    sum((one) => one.questions),
  ] as const
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
  return {
    gaps,
    matched,
    questions,
    asked: share(matched, gaps),
    unplanned: share(questions - matched, questions),
    unplannedAtLeast: share(
      sum((one) => one.stray),
      questions,
    ),
    faults: all.flatMap((one) => one.faults),
    wrongPerson: sum((one) => one.wrongPerson),
    twice: sum((one) => one.twice),
    sameKind: share(
      sum((one) => one.sameKind),
      matched,
    ),
    disturbed: all.filter((one) => one.gaps === 0 && one.questions > 0).map(({ id }) => id),
    told: all.flatMap((one) => one.told),
  }
}

type One = {
  readonly id: string
  readonly gaps: number
  readonly matched: number
  readonly questions: number
  readonly stray: number
  readonly faults: readonly string[]
  readonly wrongPerson: number
  readonly twice: number
  readonly sameKind: number
  readonly told: readonly string[]
}

function scoreOne(dialogue: LabelledDialogue, questions: readonly AskedQuestion[]): One {
  const { id, gaps, not, people } = dialogue
  const near = questions.map(({ ask }) => gaps.map((one) => nearnessOf(ask, one, people)))
  const refused = questions.map(({ ask }) => nearestNot(ask, not, people))
  const fits = (question: number, other: number): boolean =>
    (near[question]?.[other] ?? 0) >= least &&
    (refused[question]?.nearness ?? 0) <= Math.max(0, ...(near[question] ?? []))
  const pairs = choosePairs(questions, gaps, near, fits)
  const isMatched = (question: number): boolean => pairs.some((pair) => pair.question === question)
  const left = questions.map((_, at) => at).filter((at) => !isMatched(at))
  const unasked = gaps.filter((_, at) => !pairs.some((pair) => pair.gap === at))
  const stray = left.filter(
    (at) => (refused[at]?.nearness ?? 0) >= least || !unasked.some(({ to }) => to === questions[at]?.to),
  )
  const faults = questions.flatMap(({ ask }, at) => {
    const because = refused[at]?.because ?? ''
    const isFault = faultyWords.test(ask) || (!isMatched(at) && faulty.has(because))
    return isFault ? [`${id} ${because}: ${ask}`] : []
  })
  const isNear = (at: number, whoFits: (one: Gap) => boolean): boolean =>
    gaps.some((one, other) => fits(at, other) && whoFits(one))
  return {
    id,
    gaps: gaps.length,
    matched: pairs.length,
    questions: questions.length,
    stray: stray.length,
    faults,
    wrongPerson: left.filter((at) => isNear(at, ({ to }) => to !== questions[at]?.to)).length,
    twice: left.filter((at) => isNear(at, ({ to }) => to === questions[at]?.to)).length,
    sameKind: pairs.filter(({ question, gap: other }) => questions[question]?.kind === gaps[other]?.kind).length,
    told: [
      ...left.map((at) => `${id} unplanned ${refused[at]?.because ?? ''}: ${questions[at]?.to} ${questions[at]?.ask}`),
      ...unasked.map(({ ask, to }) => `${id} missed: ${to} ${ask}`),
    ],
  }
}

function choosePairs(
  questions: readonly AskedQuestion[],
  gaps: readonly Gap[],
  near: readonly (readonly number[])[],
  fits: (question: number, other: number) => boolean,
): readonly Pair[] {
  const possible = questions.flatMap(({ to }, question) =>
    gaps.flatMap((one, other) =>
      one.to === to && fits(question, other) ? [{ question, gap: other, nearness: near[question]?.[other] ?? 0 }] : [],
    ),
  )
  const chosen: Pair[] = []
  for (const pair of possible.toSorted((one, other) => other.nearness - one.nearness))
    if (!chosen.some(({ question, gap: taken }) => question === pair.question || taken === pair.gap)) chosen.push(pair)
  return chosen
}

/** The reason of the nearest question that must not be asked, where one is near enough to be told by. */
function nearestNot(
  ask: string,
  not: LabelledDialogue['not'],
  people: readonly string[],
): { readonly nearness: number; readonly because: string } {
  const ranked = not
    .map(({ question, because }) => ({ nearness: overlapOf(ask, question, people), because }))
    .toSorted((one, other) => other.nearness - one.nearness)
  const [first] = ranked
  return first && first.nearness >= least ? first : { nearness: 0, because: '' }
}

/** The greater of the overlap with the question and the share of the key's slots. */
export function nearnessOf(ask: string, label: Pick<Gap, 'ask' | 'key'>, people: readonly string[]): number {
  const [asked, labelled] = [tokensOf(ask, people), tokensOf(label.ask, people)]
  const common = [...asked].filter((token) => labelled.has(token)).length
  const overlap = common >= Math.min(2, labelled.size) ? diceOf(asked, labelled) : 0
  const slots = label.key.split(' ').filter((slot) => slot !== '')
  const filled = slots.filter((slot) => slot.split('/').some((word) => isIn(word, ask, asked))).length
  return Math.max(overlap, filled >= Math.min(2, slots.length) ? filled / slots.length : 0)
}

const isIn = (word: string, ask: string, asked: ReadonlySet<string>): boolean =>
  /\p{Script=Han}/u.test(word)
    ? ask.toLowerCase().includes(word.toLowerCase())
    : asked.has(toStem(word.toLowerCase())) ||
      ask
        .toLowerCase()
        .match(/[a-z\d]+/g)
        ?.includes(word.toLowerCase()) === true

export const overlapOf = (one: string, other: string, people: readonly string[]): number =>
  diceOf(tokensOf(one, people), tokensOf(other, people))

function diceOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((token) => other.has(token)).length
  return one.size + other.size === 0 ? 0 : (2 * common) / (one.size + other.size)
}

const frame = new Set(
  'a an the is are am was were be been do does did have has had will would shall should can could may might must i me my we us our you your he she it they his her their this that these those there of in on at to for from by with as or and if so not what which who whom how when where why whether about please'.split(
    ' ',
  ),
)

function tokensOf(text: string, people: readonly string[]): ReadonlySet<string> {
  let plain = text.normalize('NFKC')
  for (const name of people) plain = plain.replaceAll(name, ' ')
  const tokens = new Set<string>()
  for (const [word] of plain.toLowerCase().matchAll(/[a-z]+|\d+(?:[.:]\d+)*/g))
    if (!frame.has(word)) tokens.add(toStem(word))
  for (const [run] of plain.matchAll(/\p{Script=Han}+/gu)) {
    const signs = [...run]
    for (const [at, sign] of signs.entries()) if (signs[at + 1] !== undefined) tokens.add(sign + (signs[at + 1] ?? ''))
  }
  return tokens
}

const toStem = (word: string): string => (word.length > 3 ? word.replace(/(?:ing|ed|es|s|e)$/, '') : word)
