// A query's text: at most ten words, phrases in quotes, words to leave out behind a minus; and which documents have them, by which strategy.
// A word that is not quoted is also looked for as two words, anywhere in a document.
import { both, either } from './sets.ts'
import type { DocumentStore } from './document-store.ts'
import { toWords } from './words.ts'

export type Strategy = 'last' | 'all' | 'frequency'
export type Matches = ReadonlyMap<number, number>

type Term = { readonly words: readonly string[]; readonly isQuoted: boolean; readonly isOut: boolean }

const mostWords = 10

/** Documents by how well they match, above 0 to 1. Undefined where the text has no word: then all documents match. */
export function matchQuery(text: string, index: DocumentStore, strategy: Strategy): Matches | undefined {
  const terms = toTerms(text)
  const wanted = terms.filter(({ isOut }) => !isOut)
  const unwanted = terms.filter(({ isOut }) => isOut).map((term) => findTerm(term, index))
  if (wanted.length === 0 && unwanted.length === 0) return undefined
  const found = wanted.map((term) => ({ isQuoted: term.isQuoted, fit: findTerm(term, index) }))
  const order = strategy === 'frequency' ? found.toSorted((one, other) => one.fit.size - other.fit.size) : found
  // Phrases are never given up.
  const ranked = [...order.filter(({ isQuoted }) => isQuoted), ...order.filter(({ isQuoted }) => !isQuoted)]
  const least = strategy === 'all' ? ranked.length : Math.max(1, ranked.filter(({ isQuoted }) => isQuoted).length)
  const matches = new Map<number, number>()
  let fit: ReadonlySet<number> = ranked[0]?.fit ?? index.facets().all()
  for (const [at, term] of ranked.entries()) {
    fit = both(fit, term.fit)
    if (at + 1 >= least) for (const document of fit) matches.set(document, (at + 1) / ranked.length)
  }
  if (ranked.length === 0) for (const document of fit) matches.set(document, 1)
  for (const out of unwanted) for (const document of out) matches.delete(document)
  return matches
}

function toTerms(text: string): Term[] {
  const terms: Term[] = []
  let room = mostWords
  for (const [, minus = '', phrase, plain = ''] of text.matchAll(/(?:(?<!\S)(-))?"([^"]*)"?|[^\s"]+/g).map(readMatch)) {
    const words = toWords(phrase ?? plain).slice(0, room)
    room -= minus === '' ? words.length : 0
    if (phrase !== undefined) {
      if (words.length > 0) terms.push({ words, isQuoted: true, isOut: minus !== '' })
      continue
    }
    for (const word of words) terms.push({ words: [word], isQuoted: false, isOut: minus !== '' })
  }
  return terms
}

/** The minus, the phrase where it is one, else the word. */
function readMatch(match: RegExpExecArray): readonly [string, string, string | undefined, string] {
  const [whole, minus = '', phrase] = match
  if (phrase !== undefined) return [whole, minus, phrase, '']
  return whole.startsWith('-') ? [whole, '-', undefined, whole.slice(1)] : [whole, '', undefined, whole]
}

function findTerm({ words, isQuoted }: Term, index: DocumentStore): ReadonlySet<number> {
  const [first = '', ...others] = words
  const fit = others.reduce((sofar, word) => both(sofar, index.withWord(word)), index.withWord(first))
  if (others.length > 0) return new Set([...fit].filter((at) => hasInRow(index.wordsAt(at), words)))
  return isQuoted ? fit : either(fit, findSplit(first, index))
}

function hasInRow(within: readonly string[], words: readonly string[]): boolean {
  return within.some((_, from) => words.every((word, at) => within[from + at] === word))
}

/** With both halves of a word, cut where most documents have both. */
function findSplit(word: string, index: DocumentStore): ReadonlySet<number> {
  let best: ReadonlySet<number> = new Set()
  for (let at = 1; at < word.length; at += 1) {
    const left = index.withWord(word.slice(0, at))
    if (left.size === 0) continue
    const halves = both(left, index.withWord(word.slice(at)))
    if (halves.size > best.size) best = halves
  }
  return best
}
