// How much of what answers a question is found: recall, the share of its evidence among the first k, on average over the questions.
import { estimateTokens } from '#shared/model/token-estimate.ts'
import type { FoundEntry, MemoryQuery } from '#shared/memory/entry.ts'
import type { Conversation } from './conversations.ts'

export type Recall = {
  readonly questions: number
  /** Of 100. */
  readonly r5: number
  readonly r10: number
  /** Of the prompt that the first five, or ten, would take, on average. */
  readonly tokens5: number
  readonly tokens10: number
}

export type Evaluation = { readonly all: Recall; readonly categories: ReadonlyMap<string, Recall> }
export type Find = (query: MemoryQuery) => Promise<readonly FoundEntry[]>

type Score = {
  readonly category: string
  readonly r5: number
  readonly r10: number
  readonly tokens5: number
  readonly tokens10: number
}

/** Asks all questions of a conversation whose entries `find` knows. */
export async function askAll({ scope, questions }: Conversation, find: Find): Promise<readonly Score[]> {
  const scores: Score[] = []
  for (const { text, category, evidence } of questions) {
    const found = await find({ scopes: [scope], text, limit: 10 })
    const ids = found.map(({ entry }) => entry.id)
    const sizes = found.map(({ entry }) => estimateTokens(entry.text).tokens)
    const share = (most: number): number =>
      evidence.filter((one) => ids.slice(0, most).includes(one)).length / evidence.length
    const sum = (most: number): number => sizes.slice(0, most).reduce((all, one) => all + one, 0)
    scores.push({ category, r5: share(5), r10: share(10), tokens5: sum(5), tokens10: sum(10) })
  }
  return scores
}

export function summarize(scores: readonly Score[]): Evaluation {
  const categories = [...new Set(scores.map(({ category }) => category))].toSorted((a, b) => (a < b ? -1 : 1))
  return {
    all: toRecall(scores),
    categories: new Map(categories.map((name) => [name, toRecall(scores.filter(({ category }) => category === name))])),
  }
}

function toRecall(scores: readonly Score[]): Recall {
  const mean = (of: (score: Score) => number): number =>
    scores.reduce((sum, one) => sum + of(one), 0) / Math.max(1, scores.length)
  return {
    questions: scores.length,
    r5: round(100 * mean(({ r5 }) => r5)),
    r10: round(100 * mean(({ r10 }) => r10)),
    tokens5: Math.round(mean(({ tokens5 }) => tokens5)),
    tokens10: Math.round(mean(({ tokens10 }) => tokens10)),
  }
}

const round = (share: number): number => Math.round(share * 10) / 10
