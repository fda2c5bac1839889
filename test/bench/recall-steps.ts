// What each step of the ranking gives, one after another, over all entries of a conversation in memory.
import type { Conversation } from '#infra/search/conversations.ts'
import { askAll, summarize, type Recall } from '#infra/search/evaluate.ts'
import type { Entry } from '#shared/memory/entry.ts'
import { toDocument, type Tokenizer } from '#services/memory/search/document.ts'
import { listPostings } from '#services/memory/search/postings.ts'
import { prepareDocuments } from '#services/memory/search/prepare.ts'
import { rank } from '#services/memory/search/rank.ts'
import { recipe, type Recipe } from '#services/memory/search/recipe.ts'
import { stopSigns, stopWords } from '#services/memory/search/stop-words.ts'
import { toTokens } from '#services/memory/search/tokens.ts'

type Step = {
  readonly name: string
  readonly tokenize: Tokenizer
  /** What of an entry is looked through. */
  readonly view: (entry: Entry) => Entry
  readonly recipe: Recipe
}

/** Words as they stand, and single characters of Chinese. */
const plainWords: Tokenizer = (text) => text.toLowerCase().match(/[a-z0-9]+|\p{Script=Han}/gu) ?? []
const withoutStops: Tokenizer = (text) =>
  plainWords(text).filter((word) => !stopWords.has(word) && !stopSigns.has(word))

const bare = ({ scope, id, kind, text, session, ordinal }: Entry): Entry => ({
  scope,
  id,
  kind,
  text: text.replace(/^\[[^\]]*\] /, ''),
  atMs: Number.NaN,
  ...(session !== undefined && { session }),
  ...(ordinal !== undefined && { ordinal }),
})
const spoken = (entry: Entry): Entry => ({ ...entry, atMs: Number.NaN })
const whole = (entry: Entry): Entry => entry

const apart = { next: 0, afterNext: 0, before: 0, answered: 1, alone: 1, session: 0 }
const off = { ...apart, named: 1, time: 1, asks: 1, feedback: 0, age: 0 }
const usual: Recipe = { ...off, k1: 1.2, b: 0.75 }
const own: Recipe = { ...off, k1: recipe.k1, b: recipe.b }
const beside: Recipe = { ...own, next: recipe.next, afterNext: recipe.afterNext, before: recipe.before }
const answering: Recipe = { ...beside, answered: recipe.answered, alone: recipe.alone }
const together: Recipe = { ...answering, session: recipe.session }
const hinted: Recipe = { ...together, named: recipe.named, time: recipe.time, asks: recipe.asks }

const steps: readonly Step[] = [
  { name: 'words as they stand, usual BM25', tokenize: plainWords, view: bare, recipe: usual },
  { name: 'stop words out', tokenize: withoutStops, view: bare, recipe: usual },
  { name: 'speaker and caption', tokenize: withoutStops, view: spoken, recipe: usual },
  { name: 'day', tokenize: withoutStops, view: whole, recipe: usual },
  { name: 'lemma and stem, pairs of characters, exact words', tokenize: toTokens, view: whole, recipe: usual },
  { name: 'k1 and b of ours', tokenize: toTokens, view: whole, recipe: own },
  { name: 'neighbours', tokenize: toTokens, view: whole, recipe: beside },
  { name: 'answers more, texts of one less', tokenize: toTokens, view: whole, recipe: answering },
  { name: 'session', tokenize: toTokens, view: whole, recipe: together },
  { name: 'person, time, question mark', tokenize: toTokens, view: whole, recipe: hinted },
  { name: 'feedback', tokenize: toTokens, view: whole, recipe },
]

/** R@5 and R@10 after each step. */
export async function measureSteps(
  english: readonly Conversation[],
  chinese: readonly Conversation[],
): Promise<Record<string, string>> {
  const lines: [string, string][] = []
  for (const step of steps) {
    const [en, zh] = [await measure(english, step), await measure(chinese, step)]
    lines.push([step.name, `${en.r5} / ${en.r10}; Chinese ${zh.r5} / ${zh.r10}`])
  }
  return Object.fromEntries(lines)
}

async function measure(all: readonly Conversation[], step: Step): Promise<Recall> {
  const scores: Awaited<ReturnType<typeof askAll>>[number][] = []
  for (const one of all) {
    const prepared = prepareDocuments(
      one.entries.map((entry) => toDocument(step.view(entry), step.tokenize)),
      listPostings,
    )
    const find = async (query: Parameters<Parameters<typeof askAll>[1]>[0]) =>
      rank(prepared, query, { recipe: step.recipe, tokens: [...new Set(step.tokenize(query.text))] })
    scores.push(...(await askAll(one, find)))
  }
  return summarize(scores).all
}
