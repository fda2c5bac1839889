// The simulator of Meilisearch behind the official client, with keys as an operator makes them.
import { Meilisearch } from 'meilisearch'
import type { MeiliSimulator } from '#test/simulators/meilisearch/simulator.ts'

export const memorySettings = {
  searchableAttributes: ['tok'],
  filterableAttributes: ['scope', 'session', 'ord'],
  rankingRules: ['words'],
  typoTolerance: { enabled: false },
  prefixSearch: 'disabled' as const,
}

/** Of the master key, unless another is given. */
export function connect(simulator: MeiliSimulator, apiKey: string = simulator.masterKey, timeout?: number) {
  return new Meilisearch({ host: simulator.url, apiKey, ...(timeout !== undefined && { timeout }) })
}

/** An index `memory` with documents of one field `tok`, in the scope `a` unless it is named. */
export async function fill(
  simulator: MeiliSimulator,
  texts: readonly (string | readonly [scope: string, tok: string])[],
) {
  const client = connect(simulator)
  await client.createIndex('memory', { primaryKey: 'id' }).waitTask()
  await client.index('memory').updateSettings(memorySettings).waitTask()
  const documents = texts.map((text, at) => {
    const [scope, tok] = typeof text === 'string' ? ['a', text] : text
    return { id: String(at), scope, tok, ord: at }
  })
  await client.index('memory').addDocuments(documents).waitTask()
  return client.index<{ id: string; tok: string; scope: string; ord: number }>('memory')
}
