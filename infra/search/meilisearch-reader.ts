// What memory search asks of Meilisearch. Each request is signed for its scopes, so that the server, too, gives nothing of another; each has its own
// short limit, for the turn waits. Whatever fails is told as `store-unavailable`.
import type { ExtraRequestInit, Meilisearch } from 'meilisearch'
import { generateTenantToken } from 'meilisearch/token'
import { z } from 'zod'
import type { SearchEngine } from '#services/memory/search/engine.ts'
import { createBreaker } from './meilisearch-breaker.ts'
import { codeOf, connectMeilisearch, memoryUid, readerUid, type MeilisearchSettings } from './meilisearch-client.ts'
import {
  atPlaces,
  embedderName,
  inScopes,
  nearFields,
  shownFields,
  toDocuments,
  toNear,
  toNumbers,
  toWordQuery,
} from './meilisearch-documents.ts'

export type ReaderOptions = {
  /** ms since 1970. */
  readonly nowMs?: () => number
  /** Of one request. */
  readonly timeoutMs?: number
}

type Reading = Pick<SearchEngine, 'count' | 'readAll' | 'propose' | 'readPlaces' | 'proposeNear'>

const defaultTimeoutMs = 120
/** Of a question in English these find what all of its words find; in Han script each character is a word. */
const mostWords = 24
const mostHanWords = 40
const han = /^[ub][0-9a-fz]{4,}$/
const mostTokens = 500

const vectorless = new Set(['invalid_search_embedder', 'invalid_vector_dimensions'])

const found = z.object({ hits: z.array(z.unknown()) })
const counted = z.object({ results: z.array(z.object({ estimatedTotalHits: z.number() })) })

export function createMeilisearchReader(settings: MeilisearchSettings, options: ReaderOptions = {}): Reading {
  const client = connectMeilisearch(settings.url, settings.keys.reader)
  const ask = createAsk(settings.keys.reader, options)
  return {
    async count(scopes, tokens, signal) {
      const filter = inScopes(scopes)
      const queries = ['', ...tokens.map(toWordQuery)].map((q) => ({ indexUid: memoryUid, q, filter, limit: 0 }))
      const [entries = 0, ...having] = await ask(filter, signal, async (init) => {
        const { results } = counted.parse(await client.multiSearch({ queries }, init))
        return results.map((one) => one.estimatedTotalHits)
      })
      return { entries, having: new Map(tokens.map((token, at) => [token, having[at] ?? 0])) }
    },
    async readAll(scopes, most, signal) {
      const filter = inScopes(scopes)
      return await ask(filter, signal, async (init) => await searchAll(client, { filter, limit: most }, init))
    },
    async propose({ scopes, weights, most }, signal) {
      const filter = inScopes(scopes)
      const words = [...weights]
      const rarest = words.slice(0, words.some(([token]) => han.test(token)) ? mostHanWords : mostWords)
      const queries = rarest.map(([token, weight]) => ({
        indexUid: memoryUid,
        q: toWordQuery(token),
        filter,
        attributesToRetrieve: shownFields,
        federationOptions: { weight },
      }))
      return await ask(filter, signal, async (init) => {
        const answer = await client.multiSearch({ federation: { limit: most }, queries }, init)
        return toDocuments(found.parse(answer).hits)
      })
    },
    async readPlaces(places, signal) {
      const some = places.filter(({ ordinals }) => ordinals.length > 0)
      if (some.length === 0) return []
      const limit = some.reduce((sum, { ordinals }) => sum + ordinals.length, 0) * 2
      const scopes = inScopes(some.map(({ scope }) => scope))
      const asked = { filter: atPlaces(some), limit }
      return await ask(scopes, signal, async (init) => await searchAll(client, asked, init))
    },
    async proposeNear({ scopes, values, most }, signal) {
      const filter = inScopes(scopes)
      const hybrid = { embedder: embedderName, semanticRatio: 1 }
      const shown = { attributesToRetrieve: nearFields, showRankingScore: true }
      const asked = { filter, vector: toNumbers(values), hybrid, limit: most, ...shown }
      return await ask(filter, signal, async (init) => {
        try {
          return toNear(found.parse(await client.index(memoryUid).search('', asked, init)).hits)
        } catch (error) {
          // No vector came yet, or those that are there are another model's.
          if (vectorless.has(codeOf(error) ?? '')) return []
          throw error
        }
      })
    },
  }
}

/** One request, signed for what the filter lets through. */
type Ask = <T>(filter: string, signal: AbortSignal, run: (init: ExtraRequestInit) => Promise<T>) => Promise<T>

function createAsk(apiKey: string, { nowMs = Date.now, timeoutMs = defaultTimeoutMs }: ReaderOptions): Ask {
  const breaker = createBreaker(nowMs)
  const sign = createSigner(apiKey)
  return async (filter, signal, run) => {
    signal.throwIfAborted()
    breaker.pass()
    try {
      const headers = { Authorization: `Bearer ${await sign(filter)}` }
      const answer = await run({ headers, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
      breaker.succeeded()
      return answer
    } catch (error) {
      if (signal.aborted) breaker.left()
      signal.throwIfAborted()
      throw breaker.failed(error)
    }
  }
}

/** Without a word: all that the filter lets through. */
async function searchAll(
  client: Meilisearch,
  { filter, limit }: { readonly filter: string; readonly limit: number },
  init: ExtraRequestInit,
) {
  const asked = { filter, limit, attributesToRetrieve: shownFields }
  return toDocuments(found.parse(await client.index(memoryUid).search('', asked, init)).hits)
}

/** Tokens that search what a filter lets through and nothing else. They stay the same, so that each is signed once. */
function createSigner(apiKey: string): (filter: string) => Promise<string> {
  const signed = new Map<string, Promise<string>>()
  return async (filter) => {
    const known = signed.get(filter)
    if (known) return await known
    if (signed.size >= mostTokens) signed.clear()
    const token = signReading(apiKey, filter)
    signed.set(filter, token)
    return await token
  }
}

const signReading = async (apiKey: string, filter: string): Promise<string> =>
  await generateTenantToken({ apiKey, apiKeyUid: readerUid, searchRules: { [memoryUid]: { filter } } })
