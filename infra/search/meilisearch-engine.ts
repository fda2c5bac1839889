// The index of a fleet: Meilisearch as an engine of memory search.
import type { SearchEngine } from '#services/memory/search/engine.ts'
import type { MeilisearchSettings } from './meilisearch-client.ts'
import { createMeilisearchReader, type ReaderOptions } from './meilisearch-reader.ts'
import { createMeilisearchWriter, type MeilisearchWriter, type WriterOptions } from './meilisearch-writer.ts'

export type MeilisearchEngine = SearchEngine & Pick<MeilisearchWriter, 'prepare'>

export function openMeilisearchEngine(
  settings: MeilisearchSettings,
  options: WriterOptions & ReaderOptions,
): MeilisearchEngine {
  return { ...createMeilisearchReader(settings, options), ...createMeilisearchWriter(settings, options) }
}
