// The one ranking of memory search: every engine's candidates are ordered by it, so that all engines answer alike. It does no I/O.
import { BotError } from '#shared/errors.ts'
import type { Entry, FoundEntry, MemoryQuery, Near } from '#shared/memory/entry.ts'
import { addFeedback } from './feedback.ts'
import { createPrepared, tellsTime, type Prepared } from './prepare.ts'
import { recipe as measured, type Recipe } from './recipe.ts'
import { byMaximum, scoreDocuments, scoreSessions, toWeights, type Counts, type Pool, type Weights } from './score.ts'
import { toTokens } from './tokens.ts'

/** A question longer than that is known by its beginning. */
const mostQueryChars = 2000
const mostTokens = 128
const dayMs = 86_400_000
const ageDays = 30

/** Distinct tokens of a question. None where it says nothing but stop words: then nothing is found. */
export const toQueryTokens = (text: string): readonly string[] =>
  [...new Set(toTokens(text.slice(0, mostQueryChars)))].slice(0, mostTokens)

/**
 * The best of these entries that stand in the query's scopes, best first. Found is what shares a token with the question, what stands within two
 * places of such an entry in its session, and what is among its `near`. Throws BotError `internal` for a query without a scope.
 */
export const rankWhole = (entries: readonly Entry[], query: MemoryQuery): readonly FoundEntry[] =>
  rankPrepared(createPrepared(entries.filter(({ scope }) => query.scopes.includes(scope))), query)

/** As `rankWhole`, of entries made ready before. */
export function rankPrepared(prepared: Prepared, query: MemoryQuery): readonly FoundEntry[] {
  refuseUnscoped(query)
  const { scopes, documents } = prepared
  if ([...scopes].every((scope) => query.scopes.includes(scope))) return rank(prepared, query)
  return rankWhole(
    documents.map(({ entry }) => entry),
    query,
  )
}

export function refuseUnscoped({ scopes }: Pick<MemoryQuery, 'scopes'>): void {
  if (scopes.length > 0) return
  throw new BotError('internal', 'Memory was searched without a scope. Every search names whose memory it reads.')
}

export type RankOptions = {
  /** Of all that the scopes hold, where the prepared are but the candidates. */
  readonly counts?: Counts
  readonly recipe?: Recipe
  /** Of the question; by default its own. */
  readonly tokens?: readonly string[]
}

/** Ranks all of the prepared; all of them stand in the query's scopes. */
export function rank(prepared: Prepared, query: MemoryQuery, options: RankOptions = {}): readonly FoundEntry[] {
  const tokens = options.tokens ?? toQueryTokens(query.text)
  const pool: Pool = { prepared, recipe: options.recipe ?? measured, ...(options.counts && { counts: options.counts }) }
  const weights = toWeights(pool, tokens)
  const scores = joinMeaning(prepared, scoreByWords(pool, weights), query.near)
  const multiply = toMultiplier(pool, query, tokens)
  const found = prepared.documents.flatMap(({ entry }, at) => {
    const score = scores[at] ?? 0
    return score > 0 ? [{ entry, score: score * multiply(at) }] : []
  })
  return orderNotes(found.toSorted(compare).slice(0, Math.max(0, query.limit)))
}

function scoreByWords(pool: Pool, weights: Weights): Float64Array {
  const own = scoreDocuments(pool, weights)
  if (!own.some((score) => score > 0)) return own
  return addFeedback(pool, weights, addSessions(pool, weights, spreadToNeighbours(pool, own)))
}

/** Over the union of both: each side's best has 1, what it does not have 0. Meaning that found nothing anywhere changes nothing. */
function joinMeaning({ documents }: Prepared, words: Float64Array, near: Near | undefined): Float64Array {
  if (!near || near.found.length === 0) return words
  const { weight, found } = near
  const byKey = new Map(found.map((one) => [toKey(one.entry), one]))
  const bySide = byMaximum(words)
  return Float64Array.from(documents, ({ entry }, at) => {
    const one = byKey.get(toKey(entry))
    // An index that is behind knows another text.
    const nearness = one?.entry.text === entry.text ? one.score : 0
    return weight * nearness + (1 - weight) * (bySide[at] ?? 0)
  })
}

/** Equal scores: the newer first, then by name, so that every engine orders alike. */
const compare = (a: FoundEntry, b: FoundEntry): number =>
  b.score - a.score || b.entry.atMs - a.entry.atMs || (toKey(a.entry) < toKey(b.entry) ? -1 : 1)

const toKey = ({ scope, id }: Pick<Entry, 'scope' | 'id'>): string => `${scope}\n${id}`

/** A note never stands before a fact: what is found is chosen by its score, then notes stand last. */
const orderNotes = (found: readonly FoundEntry[]): readonly FoundEntry[] => [
  ...found.filter(({ entry }) => entry.kind !== 'note'),
  ...found.filter(({ entry }) => entry.kind === 'note'),
]

/** What shares no token with the question may be the answer to an entry that does. */
function spreadToNeighbours({ prepared, recipe }: Pool, own: Float64Array): Float64Array {
  const { sessions, ordinals, documents, isMonologue, asks } = prepared
  const spread = own.slice()
  for (const [at, score] of own.entries()) {
    const ordinal = documents[at]?.entry.ordinal
    const session = sessions[at] ?? -1
    if (score <= 0 || ordinal === undefined) continue
    const given = score * (isMonologue[session] ? recipe.alone : 1)
    const give = (step: number, share: number): void => {
      const other = ordinals[session]?.get(ordinal + step)
      if (other !== undefined) spread[other] = (spread[other] ?? 0) + share * given
    }
    give(1, recipe.next * (asks[at] ? recipe.answered : 1))
    give(2, recipe.afterNext)
    give(-1, recipe.before)
  }
  return spread
}

function addSessions(pool: Pool, weights: Weights, scores: Float64Array): Float64Array {
  const { sessions } = pool.prepared
  const bySession = scoreSessions(pool, weights)
  return scores.map((score, at) => (score > 0 ? score + pool.recipe.session * (bySession[sessions[at] ?? -1] ?? 0) : 0))
}

const asksWhen =
  /\bwhen\b|\bhow long\b|\b(?:what|which) (?:time|date|day|week|weekend|month|year|season)\b|何时|什么时候|几[点号月时]|多久|哪一?[天年月日]|日期/i

function toMultiplier({ prepared, recipe }: Pool, query: MemoryQuery, tokens: readonly string[]) {
  const named = findNamed(prepared, tokens)
  const isAboutTime = asksWhen.test(query.text.slice(0, mostQueryChars))
  return (at: number): number => {
    const entry = prepared.documents[at]?.entry
    if (entry === undefined) return 0
    let by = weighKind(entry) * weighAge(entry, query.nowMs, recipe.age) * weighFit(entry)
    if (named !== undefined && entry.speaker === named) by *= recipe.named
    if (isAboutTime && tellsTime(entry.text)) by *= recipe.time
    if (prepared.asks[at]) by *= recipe.asks
    return by
  }
}

/** The one speaker whom the question names. */
function findNamed({ speakers }: Prepared, tokens: readonly string[]): string | undefined {
  const named = [...speakers].filter(([, name]) => name.some((token) => tokens.includes(token)))
  const [first] = named
  return named.length === 1 ? first?.[0] : undefined
}

/** The order of the seed's weights (preference, fact, todo, the rest), of which no one decides alone. */
const kindWeights: Readonly<Partial<Record<Entry['kind'], number>>> = {
  preference: 1.05,
  constraint: 1.05,
  fact: 1.03,
  decision: 1.03,
  todo: 1.02,
}
const weighKind = ({ kind }: Entry): number => kindWeights[kind] ?? 1

/** Half for the first time that it did not fit, a third for the second. */
const weighFit = ({ unfit = 0 }: Entry): number => 1 / (1 + unfit)

function weighAge({ atMs, firm }: Entry, nowMs: number | undefined, most: number): number {
  if (nowMs === undefined || firm) return 1
  return 1 - most + most * Math.exp(-Math.max(0, nowMs - atMs) / dayMs / ageDays)
}
