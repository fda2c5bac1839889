// Several searches in one request: one answer for each, or, with `federation`, one list in which each document stands once.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ApiError, badRequest } from './api-error.ts'
import type { Fit } from './filter.ts'
import {
  answerSearch,
  mergeBest,
  rank,
  readFields,
  searchFields,
  toHit,
  type Ranked,
  type SearchBody,
} from './search.ts'
import type { DocumentStore } from './document-store.ts'

const body = z.strictObject({
  queries: z.array(z.record(z.string(), z.unknown())),
  federation: z
    .strictObject({
      limit: z.number().int().nonnegative().optional(),
      offset: z.number().int().nonnegative().optional(),
    })
    .nullish(),
})
const query = z.strictObject({
  ...searchFields,
  indexUid: z.string(),
  federationOptions: z.strictObject({ weight: z.number().optional() }).nullish(),
})
type Query = z.infer<typeof query>

export type OpenIndex = { readonly index: DocumentStore; readonly rule: Fit }

/** `open` finds an index that the caller may search, or throws. */
export function multiSearch(given: unknown, open: (uid: string) => OpenIndex): unknown {
  const { queries, federation } = readFields(body, given, 'multi_search')
  const read = queries.map((one, at) =>
    within(at, () => readQuery(one, federation !== undefined && federation !== null)),
  )
  if (federation) return federate(read, federation, open)
  return {
    results: read.map(({ indexUid, ...search }, at) =>
      within(at, () => {
        const { index, rule } = open(indexUid)
        return { indexUid, ...answerSearch(index, search, rule) }
      }),
    ),
  }
}

function readQuery(given: Readonly<Record<string, unknown>>, isFederated: boolean): Query {
  const { indexUid, federationOptions, ...search } = readFields(query, given, 'search')
  if (!isFederated) {
    if (federationOptions) throw badRequest('Using `federationOptions` is not allowed in a non-federated search.')
    return { indexUid, ...search }
  }
  for (const name of ['limit', 'offset', 'page', 'hitsPerPage'] as const) {
    if (search[name] === undefined) continue
    const message = `Using pagination options is not allowed in federated queries. Hint: remove \`${name}\` from query.`
    throw new ApiError(400, 'invalid_multi_search_query_pagination', message)
  }
  if ((federationOptions?.weight ?? 1) < 0) {
    throw new ApiError(400, 'invalid_multi_search_weight', 'Invalid value at `.federationOptions.weight`.')
  }
  return { indexUid, federationOptions, ...search }
}

type FromQuery = Ranked & { readonly from: number; readonly index: DocumentStore; readonly search: SearchBody }

function federate(
  queries: readonly Query[],
  { limit = 20, offset = 0 }: { readonly limit?: number | undefined; readonly offset?: number | undefined },
  open: (uid: string) => OpenIndex,
): unknown {
  const byIndex = new Map<DocumentStore, FromQuery[]>()
  for (const [from, { indexUid, federationOptions, ...search }] of queries.entries()) {
    within(from, () => {
      const { index, rule } = open(indexUid)
      const weight = federationOptions?.weight ?? 1
      const found = rank(index, search, rule).map((one) => ({ ...one, score: one.score * weight, from, index, search }))
      byIndex.set(index, [...(byIndex.get(index) ?? []), ...found])
    })
  }
  const all = [...byIndex.values()]
    .flatMap((found) => mergeBest(found))
    .toSorted((one, other) => other.score - one.score)
  return {
    hits: all.slice(offset, offset + limit).map((one) => ({
      ...toHit(one.index, one, one.search),
      _federation: { indexUid: one.index.uid, queriesPosition: one.from, weightedRankingScore: one.score },
    })),
    processingTimeMs: 0,
    limit,
    offset,
    estimatedTotalHits: all.length,
    requestUid: randomUUID(),
  }
}

function within<T>(at: number, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof ApiError ? error.inQuery(at) : error
  }
}
