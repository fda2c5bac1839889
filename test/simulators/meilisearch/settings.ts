// Settings of an index: all defaults, what a PATCH may say, and how it changes them. Typos and prefixes are kept as settings and not searched by:
// an index with the defaults finds less here than there.
import { z } from 'zod'
import { ApiError, badRequest } from './api-error.ts'

export type Document = Readonly<Record<string, unknown>>

const names = z.array(z.string())
const rankingRule = z
  .string()
  .regex(/^(?:words|typo|proximity|attribute|attributeRank|wordPosition|sort|exactness|[\w.]{1,100}:(?:asc|desc))$/)
const embedder = z.strictObject({
  source: z.literal('userProvided'),
  dimensions: z.number().int().positive(),
})

const fields = z.strictObject({
  displayedAttributes: names,
  searchableAttributes: names,
  filterableAttributes: names,
  sortableAttributes: names,
  rankingRules: z.array(rankingRule),
  stopWords: names,
  nonSeparatorTokens: names,
  separatorTokens: names,
  dictionary: names,
  synonyms: z.record(z.string(), names),
  distinctAttribute: z.string().nullable(),
  proximityPrecision: z.enum(['byWord', 'byAttribute']),
  typoTolerance: z.strictObject({
    enabled: z.boolean(),
    minWordSizeForTypos: z.strictObject({ oneTypo: z.number().int(), twoTypos: z.number().int() }),
    disableOnWords: names,
    disableOnAttributes: names,
    disableOnNumbers: z.boolean(),
  }),
  faceting: z.strictObject({
    maxValuesPerFacet: z.number().int(),
    sortFacetValuesBy: z.record(z.string(), z.enum(['alpha', 'count'])),
  }),
  pagination: z.strictObject({ maxTotalHits: z.number().int().positive() }),
  embedders: z.record(z.string(), embedder),
  searchCutoffMs: z.number().int().nullable(),
  localizedAttributes: z.null(),
  facetSearch: z.boolean(),
  prefixSearch: z.enum(['indexingTime', 'disabled']),
})
export type Settings = z.infer<typeof fields>

export const defaults: Settings = {
  displayedAttributes: ['*'],
  searchableAttributes: ['*'],
  filterableAttributes: [],
  sortableAttributes: [],
  rankingRules: ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness'],
  stopWords: [],
  nonSeparatorTokens: [],
  separatorTokens: [],
  dictionary: [],
  synonyms: {},
  distinctAttribute: null,
  proximityPrecision: 'byWord',
  typoTolerance: {
    enabled: true,
    minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 },
    disableOnWords: [],
    disableOnAttributes: [],
    disableOnNumbers: false,
  },
  faceting: { maxValuesPerFacet: 100, sortFacetValuesBy: { '*': 'alpha' } },
  pagination: { maxTotalHits: 1000 },
  embedders: {},
  searchCutoffMs: null,
  localizedAttributes: null,
  facetSearch: true,
  prefixSearch: 'indexingTime',
}

const nested = ['typoTolerance', 'faceting', 'pagination'] as const

/** The body of a PATCH, checked. Throws 400 by the field that is wrong. */
export function checkPatch(body: unknown): Readonly<Record<string, unknown>> {
  const given = z.record(z.string(), z.unknown()).safeParse(body)
  if (!given.success) throw badRequest('Invalid value type: expected an object')
  merge(defaults, given.data)
  return given.data
}

/** `null` puts a setting back. */
export function merge(settings: Settings, patch: Readonly<Record<string, unknown>>): Settings {
  const merged = Object.entries(patch).map(([name, value]) => [name, toMerged(settings, name, value)])
  const parsed = fields.safeParse({ ...settings, ...Object.fromEntries(merged) })
  if (parsed.success) {
    const { filterableAttributes: filterable, sortableAttributes: sortable, stopWords } = parsed.data
    // Sets are given back in an order of their own.
    return {
      ...parsed.data,
      filterableAttributes: filterable.toSorted(),
      sortableAttributes: sortable.toSorted(),
      stopWords: stopWords.toSorted(),
    }
  }
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys') throw badRequest(`Unknown field \`${issue.keys[0]}\``)
  const field = String(issue?.path[0])
  const code = `invalid_settings_${field.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`)}`
  throw new ApiError(400, code, `Invalid value at \`.${issue?.path.join('.')}\`: ${issue?.message}`)
}

function toMerged(settings: Settings, name: string, value: unknown): unknown {
  if (value === null) return Object.entries(defaults).find(([known]) => known === name)?.[1]
  const within = nested.find((known) => known === name)
  if (within === undefined || typeof value !== 'object') return value
  return { ...settings[within], ...value }
}
