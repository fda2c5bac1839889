// The memory index in memory: all entries, ranked whole.
import { rankWhole } from '#services/memory/search/rank.ts'
import type { Entry, MemoryIndex, MemoryIndexWriter } from '#shared/memory/entry.ts'

export function createWholeIndex(): MemoryIndex & MemoryIndexWriter {
  const entries = new Map<string, Entry>()
  const toKey = ({ scope, id }: { readonly scope: string; readonly id: string }): string => JSON.stringify([scope, id])
  return {
    async find(query, signal) {
      signal.throwIfAborted()
      return rankWhole([...entries.values()], query)
    },
    async put(all) {
      for (const entry of all) entries.set(toKey(entry), entry)
    },
    async drop(keys) {
      for (const key of keys) entries.delete(toKey(key))
    },
  }
}
