// The index of memory search in Meilisearch, for the bench: a simulator over HTTP, or the real server that MEILISEARCH_URL names.
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import type { MemoryIndex, MemoryIndexWriter } from '#shared/memory/entry.ts'
import { openMeilisearch } from '#test/rig/meilisearch.ts'

/** What is judged is what is found, so that a search may take its time. */
const timeoutMs = 20_000

export async function withMeilisearch<T>(work: (index: MemoryIndex & MemoryIndexWriter) => Promise<T>): Promise<T> {
  const { settings, simulator, close } = await openMeilisearch()
  try {
    const patience = { firstPollMs: simulator ? 2 : 20 }
    const engine = openMeilisearchEngine(settings, { tell: () => undefined, patience, timeoutMs })
    await engine.prepare()
    return await work(createMemoryIndex(engine))
  } finally {
    await close()
  }
}
