// The index of memory as the settings say: Meilisearch, or a file of the data folder. A process opens it when it first needs it; the file is for the
// processes of one machine.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '#infra/config/settings.ts'
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { openSqliteEngine } from '#infra/search/sqlite-engine.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import { toDocument } from '#services/memory/search/document.ts'
import type { SearchEngine } from '#services/memory/search/engine.ts'
import type { MemoryIndex, MemoryIndexWriter } from '#shared/memory/entry.ts'

export type OpenIndex = MemoryIndex &
  MemoryIndexWriter & {
    /** A name that stands in the index itself: it is another one once the index is emptied. */
    identify(): Promise<string>
    close(): void
  }

type Opened = { readonly engine: SearchEngine; prepare(): Promise<unknown>; close(): void }
type Tell = (what: string, error?: unknown) => void
type Where = Pick<Settings, 'meilisearch' | 'dataFolder'>

export const fileName = 'memory.sqlite'
/** No scope of people is called so. */
const ownScope = 'index'

export function openMemoryIndex(where: Where, tell: Tell): OpenIndex {
  let opened: Opened | undefined
  const open = (): Opened => (opened ??= openEngine(where, tell))
  const index = (): MemoryIndex & MemoryIndexWriter => createMemoryIndex(open().engine)
  return {
    find: (query, signal) => index().find(query, signal),
    put: (entries) => index().put(entries),
    drop: (entries) => index().drop(entries),
    async identify() {
      const { engine, prepare } = open()
      const [known] = await engine.readAll([ownScope], 1, AbortSignal.timeout(5000)).catch(async () => {
        // It may be missing, and is made then; what else is wrong shows again.
        await prepare()
        return await engine.readAll([ownScope], 1, AbortSignal.timeout(5000))
      })
      if (known) return known.entry.text
      const name = randomUUID()
      await engine.put([toDocument({ scope: ownScope, id: 'name', kind: 'note', text: name, atMs: 0 })])
      return name
    },
    close: () => opened?.close(),
  }
}

function openEngine({ meilisearch, dataFolder }: Where, tell: Tell): Opened {
  if (!meilisearch) {
    const file = path.join(dataFolder, fileName)
    // That there is none yet is no news.
    let isFirst = !existsSync(file)
    const onNew = (reason: string): void => {
      if (!isFirst) tell(reason)
      isFirst = false
    }
    const engine = openSqliteEngine({ path: file, onNew })
    return { engine, prepare: async () => {}, close: () => engine.close() }
  }
  const engine = openMeilisearchEngine(meilisearch, { tell: (news) => tell(JSON.stringify(news)) })
  return { engine, prepare: () => engine.prepare(), close: () => {} }
}
