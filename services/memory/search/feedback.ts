// Words that the best entries share and the question does not have tell more of what is looked for (pseudo-relevance feedback).
import { byMaximum, scoreDocuments, toIdf, type Pool, type Weights } from './score.ts'

const mostBest = 5
const mostWords = 8

/** Scores with what these words add; what had no score still has none. */
export function addFeedback(pool: Pool, weights: Weights, scores: Float64Array): Float64Array {
  if (pool.recipe.feedback === 0) return scores
  const words = chooseWords(pool, weights, scores)
  const added = scoreDocuments(pool, words)
  return byMaximum(scores.map((score, at) => (score > 0 ? score + pool.recipe.feedback * (added[at] ?? 0) : 0)))
}

function chooseWords({ prepared }: Pool, weights: Weights, scores: Float64Array): Weights {
  const { documents, postings } = prepared
  const best = findBest(scores)
  const sums = new Map<string, number>()
  for (const at of best) {
    const tokens = documents[at]?.tokens ?? []
    for (const token of tokens) {
      if (weights.has(token)) continue
      sums.set(token, (sums.get(token) ?? 0) + (scores[at] ?? 0) / tokens.length)
    }
  }
  const weighed = [...postings(sums.keys())].map(([token, list]) => {
    const weight = (sums.get(token) ?? 0) * toIdf(documents.length, list.length / 2)
    return [token, { weight, list }] as const
  })
  return new Map(weighed.toSorted((a, b) => b[1].weight - a[1].weight || (a[0] < b[0] ? -1 : 1)).slice(0, mostWords))
}

function findBest(scores: Float64Array): readonly number[] {
  const found: number[] = []
  for (const [at, score] of scores.entries()) if (score > 0) found.push(at)
  return found.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, mostBest)
}
