// The index of memory search: made where it is missing, with the settings that the search is built on. Settings are read first and sent only where they
// differ, since the server rewrites the whole index for equal ones too.
import { isDeepStrictEqual } from 'node:util'
import type { Meilisearch, Settings } from 'meilisearch'
import { z } from 'zod'
import { isLost } from './meilisearch-client.ts'
import { embedderName } from './meilisearch-documents.ts'
import { accepted, awaitTask, type Patience } from './meilisearch-tasks.ts'
import { BotError } from '#shared/errors.ts'

/**
 * Only our tokens are searched, each as it is; typos, prefixes and synonyms would find what a filter of ours does not. `maxTotalHits` bounds the counts
 * that ranking weighs words by, so it lies above what scopes hold.
 */
const memorySettings = {
  searchableAttributes: ['tok'],
  filterableAttributes: ['ord', 'scope', 'session'],
  sortableAttributes: [],
  rankingRules: ['words'],
  stopWords: [],
  synonyms: {},
  typoTolerance: { enabled: false },
  prefixSearch: 'disabled',
  proximityPrecision: 'byAttribute',
  facetSearch: false,
  pagination: { maxTotalHits: 100_000 },
} as const satisfies Record<string, unknown>

type Readiness = 'as it was' | 'changed' | 'made'

/** Takes a key that may set up. Throws what the client throws, or BotError `store-unavailable`. */
export async function prepareMeilisearch(client: Meilisearch, index: string, patience: Patience): Promise<Readiness> {
  const found = await client
    .index(index)
    .getSettings()
    .catch((error: unknown) => {
      if (isLost(error)) return undefined
      throw error
    })
  if (found === undefined) {
    const { taskUid } = accepted.parse(await client.createIndex(index, { primaryKey: 'id' }))
    const made = await awaitTask(client, taskUid, patience)
    // Another process was quicker: both go on.
    if (made.kind === 'failed' && made.code !== 'index_already_exists') throw toError('make its index', made.code)
  } else if (findDifferences(found).length === 0) return 'as it was'
  const { taskUid } = accepted.parse(await client.index(index).updateSettings(toPatch()))
  const changed = await awaitTask(client, taskUid, patience)
  if (changed.kind === 'failed') throw toError('take its settings', changed.code)
  return found === undefined ? 'made' : 'changed'
}

const embedders = z.object({
  embedders: z.record(z.string(), z.object({ dimensions: z.number().optional() })).nullish(),
})

/**
 * Has the index take vectors of this length. Throws what the client throws, or BotError `store-unavailable`; `config` where it has vectors of another
 * length, which are another model's.
 */
export async function prepareVectors(
  client: Meilisearch,
  { index, dimensions }: { readonly index: string; readonly dimensions: number },
  patience: Patience,
): Promise<void> {
  const found = embedders.parse(await client.index(index).getSettings()).embedders?.[embedderName]
  if (found?.dimensions === dimensions) return
  if (found) {
    const told = `The index of memory has vectors of ${found.dimensions ?? 'unknown'} numbers, and the embedding model gives ${dimensions}. Run "npm run flotilla -- memory reindex".`
    throw new BotError('config', told)
  }
  const embedder = { source: 'userProvided', dimensions } as const
  const { taskUid } = accepted.parse(
    await client.index(index).updateSettings({ embedders: { [embedderName]: embedder } }),
  )
  const changed = await awaitTask(client, taskUid, patience)
  if (changed.kind === 'failed') throw toError('take vectors', changed.code)
}

/** Names of settings that are not ours, with what is filled in by the server left out. */
export function findDifferences(found: Settings): string[] {
  const all = new Map<string, unknown>(Object.entries(found))
  return Object.entries(memorySettings)
    .filter(([name, wanted]) => !isDeepStrictEqual(toComparable(all.get(name), wanted), toComparable(wanted, wanted)))
    .map(([name]) => name)
}

/** Attributes to filter and to sort by are sets: their order says nothing. */
function toComparable(given: unknown, wanted: unknown): unknown {
  if (Array.isArray(wanted)) return Array.isArray(given) ? given.map(String).toSorted() : given
  if (typeof given !== 'object' || given === null || typeof wanted !== 'object' || wanted === null) return given
  const known = Object.keys(wanted)
  return known.length === 0
    ? { ...given }
    : Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name)))
}

/** A copy that may be changed, as the client's types want it. */
const toPatch = (): Settings =>
  structuredClone<Settings>({
    ...memorySettings,
    searchableAttributes: [...memorySettings.searchableAttributes],
    filterableAttributes: [...memorySettings.filterableAttributes],
    sortableAttributes: [],
    rankingRules: [...memorySettings.rankingRules],
    stopWords: [],
  })

const toError = (deed: string, code: string): BotError =>
  new BotError('store-unavailable', `Meilisearch did not ${deed}: ${code}.`, { retry: { afterMs: 10_000 } })
