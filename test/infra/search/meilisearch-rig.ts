// A Meilisearch engine over a simulator, and documents for it.
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import type { MeilisearchNews } from '#infra/search/meilisearch-writer.ts'
import { toDocument, type SearchDocument } from '#services/memory/search/document.ts'
import type { Entry } from '#shared/memory/entry.ts'
import { startSimulated } from '#test/rig/meilisearch.ts'

export const scope = 'user:web:ann'

export const document = (id: string, text: string, other: Partial<Entry> = {}): SearchDocument =>
  toDocument({ scope, id, kind: 'fact', text, atMs: 0, ...other })

type Options = Partial<Parameters<typeof openMeilisearchEngine>[1]> & Parameters<typeof startSimulated>[0]

export async function startEngine({ batchMs, masterKey, ...options }: Options = {}) {
  const { settings, simulator } = await startSimulated({
    ...(batchMs !== undefined && { batchMs }),
    ...(masterKey !== undefined && { masterKey }),
  })
  const news: MeilisearchNews[] = []
  const engine = openMeilisearchEngine(settings, {
    tell: (one) => void news.push(one),
    timeoutMs: 5000,
    ...options,
    patience: { firstPollMs: 2, ...options.patience },
  })
  /** Requests that were heard, by method and path. */
  const heard = (part: string): number =>
    simulator.requests.filter(({ method, path }) => `${method} ${path}`.includes(part)).length
  return { engine, simulator, settings, news, heard }
}
