// The index of memory as the settings say: Meilisearch, or a file of the data folder. A process opens it when it first needs it; the file is for the
// processes of one machine.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '#infra/config/settings.ts'
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { openSqliteEngine } from '#infra/search/sqlite-engine.ts'
import type { Meaning } from '#services/memory/search/meaning.ts'
import { createNearIndex, type NearIndex } from '#services/memory/search/near.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import { toDocument } from '#services/memory/search/document.ts'
import type { SearchEngine } from '#services/memory/search/engine.ts'
import type { MemoryIndex, MemoryIndexWriter } from '#shared/memory/entry.ts'
import { openMeaning, type MeaningSettings } from './open-meaning.ts'

export type OpenIndex = MemoryIndex &
  MemoryIndexWriter & {
    /** A name that stands in the index itself: it is another one once the index is emptied. */
    identify(): Promise<string>
    /** Puts entries with their vectors, where an embedding model is set. Its name is another one where another model made those that are there. */
    readonly vectors?: MemoryIndexWriter & { identify(): Promise<string> }
    close(): void
  }

type Opened = { readonly engine: SearchEngine; prepare(): Promise<unknown>; close(): void }
type Tell = (what: string, error?: unknown) => void
type Where = Pick<Settings, 'meilisearch' | 'dataFolder'> & MeaningSettings

export const fileName = 'memory.sqlite'
/** No scope of people is called so. */
const ownScope = 'index'
const mostOwn = 10

export function openMemoryIndex(where: Where, tell: Tell): OpenIndex {
  let opened: Opened | undefined
  const open = (): Opened => (opened ??= openEngine(where, tell))
  const index = (): MemoryIndex & MemoryIndexWriter => createMemoryIndex(open().engine)
  const meaning = openMeaning(where)
  return {
    find: (query, signal) => index().find(query, signal),
    put: (entries) => index().put(entries),
    drop: (entries) => index().drop(entries),
    identify: () => identify(open(), 'name'),
    ...(meaning && openVectors(meaning, open)),
    close: () => opened?.close(),
  }
}

function openVectors(meaning: Meaning, open: () => Opened) {
  let made: NearIndex | undefined
  const near = (): NearIndex => (made ??= createNearIndex(open().engine, meaning))
  return {
    findNear: (...asked: Parameters<NearIndex['findNear']>) => near().findNear(...asked),
    vectors: {
      put: (...given: Parameters<MemoryIndexWriter['put']>) => near().vectors.put(...given),
      drop: (...given: Parameters<MemoryIndexWriter['drop']>) => near().vectors.drop(...given),
      identify: () => identify(open(), 'vectors', meaning.model),
    },
  } satisfies Pick<OpenIndex, 'findNear' | 'vectors'>
}

/** A name that stands in the index itself, made anew where it begins otherwise. */
async function identify({ engine, prepare }: Opened, id: string, beginning = ''): Promise<string> {
  const readOwn = async () => await engine.readAll([ownScope], mostOwn, AbortSignal.timeout(5000))
  const own = await readOwn().catch(async () => {
    // It may be missing, and is made then; what else is wrong shows again.
    await prepare()
    return await readOwn()
  })
  const known = own.find(({ entry }) => entry.id === id)
  if (known?.entry.text.startsWith(beginning)) return known.entry.text
  const name = `${beginning}${randomUUID()}`
  await engine.put([toDocument({ scope: ownScope, id, kind: 'note', text: name, atMs: 0 })])
  return name
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
