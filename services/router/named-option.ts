// Which option a short sentence names: "SQLite please", "the second one", 就用 SQLite 吧. Around the name stand only words that choose; anything else
// ("not SQLite", "what about SQLite?", "SQLite is slow") makes it a message. Pure.
import type { AskedCard } from '#shared/run/question.ts'
import { formsOf } from './grammar.ts'
import words from './loose-words.json' with { type: 'json' }
import { fold } from './normalise.ts'

/** A longer text says more than a choice. */
const longestChars = 80
const naming = formsOf('naming')
const place = formsOf('place', 'gu')
const places = words.places.map((line) => line.split(' '))

type Span = { readonly from: number; readonly to: number; readonly option: number }

/** The option's id; undefined where none or several are named, or where more is said than a choice. */
export function findNamedOption({ labels, question: { options, loose } }: AskedCard, text: string): string | undefined {
  if (text.length > longestChars || /[?？]/u.test(text)) return undefined
  const said = fold(text).toLowerCase()
  const byName = findNames(said, labels)
  const isCounted = labels.some((label) => /\p{N}/u.test(label))
  const spans = byName.length > 0 || loose !== 'option' ? byName : findPlaces(said, options.length, isCounted)
  const [only] = spans
  if (!only || spans.length > 1) return undefined
  const isChosen = naming.lead.test(said.slice(0, only.from).trim()) && naming.tail.test(said.slice(only.to).trimEnd())
  return isChosen ? options[only.option] : undefined
}

/** Each place where an option is named, but for names within longer names. */
function findNames(said: string, labels: readonly string[]): readonly Span[] {
  return outermost(labels.flatMap((label, option) => findName(said, fold(label).toLowerCase(), option)))
}

function findName(said: string, name: string, option: number): readonly Span[] {
  const spans: Span[] = []
  if (name === '') return spans
  for (let from = said.indexOf(name); from >= 0; from = said.indexOf(name, from + name.length)) {
    const to = from + name.length
    if (![from, to].some((at) => isGlued(said.slice(at - 1, at + 1)))) spans.push({ from, to, option })
  }
  return spans
}

/** Two letters or digits that belong to one word; Chinese has no spaces between words. */
const isGlued = (pair: string): boolean => /^(?:[^\P{L}\p{Script=Han}]|\p{N}){2}$/u.test(pair)

/** Without those that lie within longer ones. */
const outermost = (all: readonly Span[]): readonly Span[] =>
  all.filter(
    ({ from, to }) => !all.some((other) => other.from <= from && to <= other.to && other.to - other.from > to - from),
  )

function findPlaces(said: string, count: number, isCounted: boolean): readonly Span[] {
  const forms = isCounted ? [place.nth] : [place.nth, place.counted]
  const found = forms.flatMap((form) => [...said.matchAll(form)])
  return outermost(
    found.map((match) => {
      const word = match.slice(1).find((part) => part !== undefined) ?? ''
      const option = word === 'last' || word === '最后' ? count - 1 : places.findIndex((names) => names.includes(word))
      return { from: match.index, to: match.index + match[0].length, option }
    }),
  )
}
