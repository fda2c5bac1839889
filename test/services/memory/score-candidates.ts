// Scores what was found worth remembering against labels, as the guide beside the shared set says: each item is used once, the best pairs first.
import { z } from 'zod'

export const label = z.object({ category: z.string(), content: z.string(), explicit: z.boolean().optional() })
export const labelledLine = z.object({
  id: z.string(),
  chat: z.enum(['direct', 'group']),
  at: z.string(),
  speaker: z.string(),
  text: z.string(),
  context: z.array(z.object({ who: z.string(), text: z.string() })).optional(),
  expect: z.array(label),
  kind: z.string().optional(),
})
export type LabelledLine = z.infer<typeof labelledLine>
export type Item = { readonly category: string; readonly content: string }
export type Score = {
  readonly precision: number
  readonly recall: number
  /** Ids of lines of a kind that is never kept, of which something was made. */
  readonly broken: readonly string[]
  readonly falseAlarms: readonly string[]
  readonly missed: readonly string[]
}

/** Kinds of lines of which the guide never keeps anything. */
const neverKept = new Set(['secret', 'order', 'sensitive', 'negated'])
const least = 0.5

export function toLines(text: string): readonly LabelledLine[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => labelledLine.parse(JSON.parse(line)))
}

export function scoreCandidates(
  lines: readonly LabelledLine[],
  find: (line: LabelledLine) => readonly Item[],
  isLenient = false,
): Score {
  let [hits, found, expected] = [0, 0, 0]
  const broken: string[] = []
  const falseAlarms: string[] = []
  const missed: string[] = []
  for (const line of lines) {
    const items = find(line)
    const pairs = match(line, items, isLenient)
    hits += pairs.length
    found += items.length
    expected += line.expect.length
    if (items.length > 0 && neverKept.has(line.kind ?? '')) broken.push(line.id)
    const told = (item: Item): string => `${line.id} ${line.kind ?? ''}: ${item.category} ${item.content}`
    falseAlarms.push(...items.filter((item) => !pairs.some(([one]) => one === item)).map(told))
    missed.push(...line.expect.filter((item) => !pairs.some(([, one]) => one === item)).map(told))
  }
  return {
    precision: found === 0 ? 1 : hits / found,
    recall: expected === 0 ? 1 : hits / expected,
    broken,
    falseAlarms,
    missed,
  }
}

function match(line: LabelledLine, items: readonly Item[], isLenient: boolean): readonly (readonly [Item, Item])[] {
  const loose = new Set(['fact', 'decision', 'constraint'])
  const isSame = (one: string, other: string): boolean =>
    one === other || (isLenient && loose.has(one) && loose.has(other))
  const pairs = items
    .flatMap((item) =>
      line.expect.map((one) => ({ item, one, overlap: overlapOf(item.content, one.content, line.speaker) })),
    )
    .filter(({ item, one, overlap }) => isSame(item.category, one.category) && overlap >= least)
    .toSorted((one, other) => other.overlap - one.overlap)
  const taken: (readonly [Item, Item])[] = []
  for (const { item, one } of pairs)
    if (!taken.some(([left, right]) => left === item || right === one)) taken.push([item, one])
  return taken
}

/** Twice what is common over both, of their tokens; 0 where both have numbers and none in common. */
export function overlapOf(one: string, other: string, speaker: string): number {
  const [left, right] = [tokensOf(one, speaker), tokensOf(other, speaker)]
  const [numbers, others] = [numbersIn(left), numbersIn(right)]
  if (numbers.length > 0 && others.length > 0 && !numbers.some((number) => others.includes(number))) return 0
  const common = [...left].filter((token) => right.has(token)).length
  return left.size + right.size === 0 ? 0 : (2 * common) / (left.size + right.size)
}

const numbersIn = (tokens: ReadonlySet<string>): readonly string[] => [...tokens].filter((token) => /^\d/.test(token))

const frame = new Set(
  'a an the is are am was be been s t re ve ll d m i me my we our us he she it they his her their you your to of in at on for by and or but that this with from so as has have had do does did don doesn not like love enjoy hate dislike prefer want live lives work wish remember keep will would can call'.split(
    ' ',
  ),
)
const hanFrame = /喜欢|住在|记住|希望|不喜欢|名字|决定|是|在|的|了|叫|要|会|有|把|和|与|都|也|就|请|他|她|我|你|们/gu

function tokensOf(text: string, speaker: string): ReadonlySet<string> {
  const plain = withFigures(text.normalize('NFKC').toLowerCase())
    .replaceAll(speaker.toLowerCase(), ' ')
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, ' ')
  const tokens = new Set<string>()
  for (const [word] of plain.matchAll(/[a-z]+|\d+(?:[.:]\d+)*/g)) {
    const stem = word.length > 3 ? word.replace(/(?:ing|ed|es|s|e)$/, '') : word
    if (![word, stem, word.replace(/(?:s|d)$/, '')].some((form) => frame.has(form))) tokens.add(stem)
  }
  for (const run of plain.replaceAll(hanFrame, ' ').matchAll(/\p{Script=Han}+/gu)) {
    const signs = [...run[0]]
    for (const [at, sign] of signs.entries()) {
      tokens.add(sign)
      const next = signs[at + 1]
      if (next !== undefined) tokens.add(sign + next)
    }
  }
  return tokens
}

const digits = '零一二三四五六七八九'
const units: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }

/** Chinese numbers as figures: 三千 is 3000, 十五 is 15. */
function withFigures(text: string): string {
  return text.replaceAll(/[零一二两三四五六七八九十百千]{1,9}/gu, (written) => {
    let [total, one] = [0, 0]
    for (const sign of written.replaceAll('两', '二')) {
      const unit = units[sign]
      if (unit === undefined) one = digits.indexOf(sign)
      else {
        total += (one === 0 ? 1 : one) * unit
        one = 0
      }
    }
    return ` ${total + one} `
  })
}
