// BM25 over prepared documents, with counts of all that the scopes hold where the documents are but candidates.
import type { Prepared } from './prepare.ts'
import type { Recipe } from './recipe.ts'

/** Of all entries in the scopes of a search. */
export type Counts = {
  readonly entries: number
  /** How many entries hold a token; a token that none holds may be missing. */
  readonly having: ReadonlyMap<string, number>
  /** Tokens of an entry on average. Where it is not known, the candidates' own serves. */
  readonly meanLength?: number
}

export type Pool = {
  readonly prepared: Prepared
  readonly recipe: Recipe
  readonly counts?: Counts
}

/** How much a token tells: the fewer of all hold it, the more. */
export const toIdf = (all: number, having: number): number => Math.log(1 + (all - having + 0.5) / (having + 0.5))

/** Of a long question the rarest tokens count. */
const mostQuestionTokens = 40

/** The tokens that anybody's entry holds, the rarest first, with what each weighs. */
export function chooseTokens(tokens: readonly string[], { entries, having }: Counts): ReadonlyMap<string, number> {
  const held = tokens.flatMap((token) => {
    const of = having.get(token) ?? 0
    return of > 0 ? [[token, of] as const] : []
  })
  const rarest = held.toSorted((a, b) => a[1] - b[1]).slice(0, mostQuestionTokens)
  return new Map(rarest.map(([token, of]) => [token, toIdf(Math.max(entries, of), of)]))
}

/** A token of the question: what it weighs, and which documents hold it. */
export type Weighed = { readonly weight: number; readonly list: readonly number[] }
export type Weights = ReadonlyMap<string, Weighed>

/** Tokens that the prepared hold, the rarest first, with what is known of all. */
export function toWeights({ prepared, counts }: Pool, tokens: readonly string[]): Weights {
  const held = prepared.postings(tokens)
  const having = new Map(
    [...held].map(([token, list]) => [token, Math.max(list.length / 2, counts?.having.get(token) ?? 0)]),
  )
  const entries = Math.max(counts?.entries ?? 0, prepared.documents.length)
  return new Map(
    [...chooseTokens(tokens, { entries, having })].map(([token, weight]) => [
      token,
      { weight, list: held.get(token) ?? [] },
    ]),
  )
}

/** Of each document, in their order: 0 to 1, the best has 1; 0 for what holds none of the tokens. */
export function scoreDocuments({ prepared, recipe, counts }: Pool, weights: Weights): Float64Array {
  const { documents, lengths, totalLength } = prepared
  const mean = counts?.meanLength ?? totalLength / Math.max(1, documents.length)
  const scores = new Float64Array(documents.length)
  for (const { weight, list } of weights.values()) {
    for (let i = 0; i < list.length; i += 2) {
      const at = list[i] ?? 0
      scores[at] = (scores[at] ?? 0) + weight * saturate(recipe, list[i + 1] ?? 0, (lengths[at] ?? 0) / mean)
    }
  }
  return byMaximum(scores)
}

/** The same of each session, as if all its entries were one text; how long it is does not count, since of candidates it is not known. */
export function scoreSessions({ prepared, recipe }: Pool, weights: Weights): Float64Array {
  const { sessions, sessionCount } = prepared
  const scores = new Float64Array(sessionCount)
  for (const { list } of weights.values()) {
    const often = new Map<number, number>()
    for (let i = 0; i < list.length; i += 2) {
      const session = sessions[list[i] ?? 0] ?? 0
      often.set(session, (often.get(session) ?? 0) + (list[i + 1] ?? 0))
    }
    const weight = toIdf(sessionCount, often.size)
    for (const [session, times] of often)
      scores[session] = (scores[session] ?? 0) + weight * saturate({ ...recipe, b: 0 }, times, 1)
  }
  return byMaximum(scores)
}

const saturate = ({ k1, b }: Recipe, times: number, size: number): number =>
  (times * (k1 + 1)) / (times + k1 * (1 - b + b * size))

export function byMaximum(scores: Float64Array): Float64Array {
  const most = scores.reduce((a, one) => Math.max(a, one), 0)
  return most > 0 ? scores.map((score) => score / most) : scores
}
