// Compares what a task has made with what its order asks for, by counting. Where nothing can be counted, nothing is missing: a model looks at the rest.
// Takes time in proportion to the texts.
import type { Countable, Order } from './read-order.ts'

export type Made = {
  /** What the person is sent. */
  readonly answer: string
  /** What each step wrote, where steps wrote parts. */
  readonly parts: readonly string[]
  readonly files: readonly { readonly name: string; readonly text: string }[]
}

export type Missing = {
  readonly what: Countable | 'words' | 'characters' | 'file' | 'language'
  /** A number, a code of a language, or nothing for a file. */
  readonly found: string
  /** A number, `425–575`, `≥3`, `≤200`, a name, or a code of a language. */
  readonly wanted: string
}

const maxChars = 1_000_000

export function findMissing(order: Order, made: Made): readonly Missing[] {
  const files = made.files.map(({ text }) => text)
  const all = [made.answer, made.parts.join('\n\n'), ...files, files.join('\n\n')]
  const texts = all.map((text) => text.slice(0, maxChars)).filter((text) => text.trim() !== '')
  const parts = made.parts.filter((text) => text.trim() !== '').length
  return [
    ...order.counts.flatMap(({ what, ...range }) =>
      toMissing(
        what,
        range,
        texts.flatMap((text) => countThings(what, text)).concat(isOfText(what) && isMany(parts) ? parts : []),
      ),
    ),
    ...(order.length ? toMissing(order.length.unit, order.length, texts.map(counters[order.length.unit])) : []),
    ...order.files
      .filter((name) => !made.files.some((file) => isFile(file.name, name)))
      .map((name): Missing => ({ what: 'file', found: '', wanted: name })),
    ...findForeign(order, texts),
  ]
}

type Range = { readonly min: number | null; readonly max: number | null }
/** Parts and the like are what steps write; examples and points are within. */
const isOfText = (what: Countable): boolean => ['parts', 'chapters', 'sections'].includes(what)

/** One that fits is enough; else the nearest is told. Nothing where nothing was counted. */
function toMissing(what: Missing['what'], { min, max }: Range, found: readonly number[]): readonly Missing[] {
  const toGap = (one: number): number => Math.max((min ?? one) - one, one - (max ?? one))
  const [nearest] = found.toSorted((one, other) => toGap(one) - toGap(other))
  if (nearest === undefined || toGap(nearest) <= 0) return []
  const wanted = min === null ? `≤${max}` : max === null ? `≥${min}` : min === max ? `${min}` : `${min}–${max}`
  return [{ what, found: String(nearest), wanted }]
}

const isFile = (name: string, wanted: string): boolean =>
  name === wanted || name.endsWith(`/${wanted}`) || name.toLowerCase() === wanted.toLowerCase()

const counters = {
  words: (text: string): number => countOf(text, /\p{Script=Han}|[\p{L}\p{N}](?:(?!\p{Script=Han})[\p{L}\p{N}'’-])*/gu),
  characters: (text: string): number => [...text.trim()].length,
} as const

const countOf = (text: string, form: RegExp): number => [...text.matchAll(form)].length

/** Behind the marks that begin a line. */
const lineOf = (word: string): RegExp => new RegExp(String.raw`^[ \t>#*_\d.、)）-]{0,12}(?:${word})`, 'iu')
const number = String.raw`[:：.#]? ?(?:\d{1,3}|[ivx]{1,5}|one|two|three|four|five|six|seven|eight|nine|ten)(?![a-z])`
const zhNumber = '[一二三四五六七八九十百\\d]{1,4}'
/** A line that names one of them. */
const named: Readonly<Record<Countable, RegExp>> = {
  parts: lineOf(`part ${number}|第 ?${zhNumber} ?(?:部分|部)|部分 ?${zhNumber}`),
  chapters: lineOf(`chapter ${number}|第 ?${zhNumber} ?章`),
  sections: lineOf(`section ${number}|第 ?${zhNumber} ?节|${zhNumber}[、.．] ?`),
  examples: lineOf(`(?:example|e\\.g\\.) ?${number}|(?:示|案|实)?例子? ?${zhNumber}|第${zhNumber}个例子`),
  points: lineOf(`point ${number}|要?点 ?${zhNumber}|第${zhNumber}点`),
}
const heading = /^(#{1,6})\s/u
const item = /^(?:[-*+•]|\d{1,3}[.)、])\s?\S/u

/** One heading is a title, and one step may have written all. */
const isMany = (found: number): boolean => found > 1

/** In how many ways it may be counted: lines that name one, headings of each level, items of each list. */
function countThings(what: Countable, text: string): readonly number[] {
  const [levels, lists] = [new Map<string, number>(), [0]]
  let names = 0
  for (const line of text.split('\n')) {
    if (named[what].test(line)) names += 1
    const [, level] = heading.exec(line) ?? []
    if (level !== undefined) levels.set(level, (levels.get(level) ?? 0) + 1)
    if (item.test(line)) lists.push((lists.pop() ?? 0) + 1)
    // Empty lines and what is indented belong to a list; other text ends it.
    else if (line.trim() !== '' && !/^\s/u.test(line)) lists.push(0)
  }
  const marks = [...levels.values(), ...(isOfText(what) ? [] : lists)]
  return [...marks.filter(isMany), ...(names > 0 ? [names] : [])]
}

/** Less of a text says nothing of its language. */
const leastSigns = 40
/** Quotations, names and code of the other language are usual. */
const mostForeign = { en: 0.5, zh: 0.8 } as const

function findForeign({ language }: Order, texts: readonly string[]): readonly Missing[] {
  if (language === undefined) return []
  const shares = texts.flatMap((text) => {
    const prose = text.replaceAll(/```[^`]{0,4000}```/gu, ' ')
    const [chinese, latin] = [countOf(prose, /\p{Script=Han}/gu), countOf(prose, /[a-z]{2,}/giu)]
    if (chinese + 2 * latin < leastSigns) return []
    const share = chinese / (chinese + 2 * latin)
    return [language === 'en' ? share : 1 - share]
  })
  if (shares.length === 0 || shares.some((share) => share <= mostForeign[language])) return []
  return [{ what: 'language', found: language === 'en' ? 'zh' : 'en', wanted: language }]
}
