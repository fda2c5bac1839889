// One search: its body, checked strictly, and its answer. A field that is not listed here is refused like one that nobody knows: facets, sorting,
// cropping and highlighting are not simulated.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ApiError, badRequest } from './api-error.ts'
import { fitFilter, meet, type Fit } from './filter.ts'
import { matchQuery } from './query.ts'
import type { Document } from './settings.ts'
import type { DocumentStore } from './document-store.ts'
import { isVector, nearness } from './vectors.ts'

const count = z.number().int().nonnegative()
export const searchFields = {
  q: z.string().nullish(),
  filter: z.unknown().optional(),
  limit: count.optional(),
  offset: count.optional(),
  page: count.optional(),
  hitsPerPage: count.optional(),
  attributesToRetrieve: z.array(z.string()).nullish(),
  attributesToSearchOn: z.array(z.string()).nullish(),
  matchingStrategy: z.enum(['last', 'all', 'frequency']).optional(),
  showRankingScore: z.boolean().optional(),
  retrieveVectors: z.boolean().optional(),
  vector: z.array(z.number()).nullish(),
  hybrid: z.strictObject({ embedder: z.string(), semanticRatio: z.number().min(0).max(1).optional() }).nullish(),
}
const searchBody = z.strictObject(searchFields)
export type SearchBody = z.infer<typeof searchBody>

export type Ranked = {
  readonly at: number
  readonly score: number
  readonly isNear: boolean
}

/** Throws 400 by the field that is wrong. */
export const readSearch = (body: unknown): SearchBody => readFields(searchBody, body ?? {}, 'search')

/** `about` is the middle of the code: `search` makes `invalid_search_limit`. */
export function readFields<S extends z.ZodType>(schema: S, body: unknown, about: string): z.infer<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.map(String) ?? []
  if (issue?.code === 'unrecognized_keys') throw badRequest(`Unknown field \`${[...path, issue.keys[0]].join('.')}\``)
  const [field] = path
  if (field === undefined) throw badRequest('Invalid value type: expected an object')
  const code = `invalid_${about}_${field.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`)}`
  throw new ApiError(400, code, `Invalid value at \`.${path.join('.')}\`: ${issue?.message}`)
}

/** All that match, the best first; the order of what is equally good is that in which it came. */
export function rank(index: DocumentStore, body: SearchBody, rule: Fit): readonly Ranked[] {
  const fit = meet(fitFilter(body.filter, index.facets()), rule)
  const isIn = (at: number): boolean => fit === undefined || fit.has(at)
  if (body.attributesToSearchOn?.some((name) => !index.settings().searchableAttributes.includes(name))) {
    throw new ApiError(400, 'invalid_search_attributes_to_search_on', 'Attribute is not searchable.')
  }
  const { vector, hybrid } = body
  const { ratio, embedder } = checkHybrid(index, body)
  if (hybrid && vector && ratio > 0) {
    const near = rankNear(index, { vector, embedder }, isIn)
    if (ratio === 1) return near
    const words = rankWords(index, body, isIn).map((one) => ({ ...one, score: one.score * (1 - ratio) }))
    return mergeBest([...near.map((one) => ({ ...one, score: one.score * ratio })), ...words])
  }
  return rankWords(index, body, isIn)
}

function checkHybrid(index: DocumentStore, { vector, hybrid }: SearchBody): { ratio: number; embedder: string } {
  if (vector && !hybrid) throw new ApiError(400, 'missing_search_hybrid', 'The parameter `hybrid` is required.')
  if (!hybrid) return { ratio: 0, embedder: '' }
  const { embedder, semanticRatio: ratio = 0.5 } = hybrid
  const known = index.settings().embedders[embedder]
  if (!known) throw new ApiError(400, 'invalid_search_embedder', `Cannot find embedder with name \`${embedder}\`.`)
  if (!vector && ratio === 1) {
    throw new ApiError(400, 'vector_embedding_error', 'Error while generating embeddings: no vector was given.')
  }
  if (vector && vector.length !== known.dimensions) {
    throw new ApiError(400, 'invalid_vector_dimensions', `Invalid vector dimensions: expected ${known.dimensions}.`)
  }
  return { ratio, embedder }
}

function rankWords(index: DocumentStore, { q, matchingStrategy = 'last' }: SearchBody, isIn: (at: number) => boolean) {
  const matches = matchQuery(q ?? '', index, matchingStrategy)
  const found: Ranked[] = []
  if (matches) for (const [at, score] of matches) if (isIn(at)) found.push({ at, score, isNear: false })
  if (!matches) for (const at of index.facets().all()) if (isIn(at)) found.push({ at, score: 1, isNear: false })
  return found.toSorted(byScore)
}

/** Those without a vector come last, with the score 0. */
function rankNear(
  index: DocumentStore,
  { vector, embedder }: { vector: readonly number[]; embedder: string },
  isIn: (at: number) => boolean,
): Ranked[] {
  return [...index.facets().all()]
    .filter(isIn)
    .map((at) => {
      const own = index.vectorsAt(at)[embedder]
      return { at, score: isVector(own) ? nearness(own, vector) : 0, isNear: true }
    })
    .toSorted(byScore)
}

export const byScore = (one: Ranked, other: Ranked): number => other.score - one.score || one.at - other.at

/** Each document once, with its best score. */
export function mergeBest<T extends Ranked>(all: readonly T[]): T[] {
  const best = new Map<number, T>()
  for (const one of all) {
    const known = best.get(one.at)
    if (!known || one.score > known.score) best.set(one.at, one)
  }
  return [...best.values()].toSorted(byScore)
}

export function answerSearch(index: DocumentStore, body: SearchBody, rule: Fit): Readonly<Record<string, unknown>> {
  const all = rank(index, body, rule).slice(0, index.settings().pagination.maxTotalHits)
  const { page, hitsPerPage = 20, limit = 20, offset = 0 } = body
  const isPaged = page !== undefined || body.hitsPerPage !== undefined
  const from = isPaged ? ((page ?? 1) - 1) * hitsPerPage : offset
  const shown = from < 0 ? [] : all.slice(from, from + (isPaged ? hitsPerPage : limit))
  return {
    hits: shown.map((one) => toHit(index, one, body)),
    query: body.q ?? '',
    processingTimeMs: 0,
    ...(isPaged
      ? {
          hitsPerPage,
          page: page ?? 1,
          totalPages: hitsPerPage === 0 ? 0 : Math.ceil(all.length / hitsPerPage),
          totalHits: all.length,
        }
      : { limit, offset, estimatedTotalHits: all.length }),
    requestUid: randomUUID(),
    ...(body.hybrid && { semanticHitCount: shown.filter(({ isNear }) => isNear).length }),
  }
}

export function toHit(index: DocumentStore, { at, score }: Ranked, body: SearchBody): Document {
  const { attributesToRetrieve: asked, showRankingScore, retrieveVectors } = body
  return {
    ...pick(index.documentAt(at), asked ?? ['*']),
    ...(retrieveVectors && { _vectors: index.vectorsAt(at) }),
    ...(showRankingScore && { _rankingScore: score }),
  }
}

export function pick(document: Document, names: readonly string[]): Document {
  if (names.includes('*')) return document
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)))
}
