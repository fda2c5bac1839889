// What the contract of memory search is tried with: an index, a way to look into its files, and entries.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { openSqliteEngine } from '#infra/search/sqlite-engine.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import type { Entry, MemoryIndex, MemoryIndexWriter } from '#shared/memory/entry.ts'
import { openMeilisearch } from '#test/rig/meilisearch.ts'
import { createWholeIndex } from '#test/twins/memory-search.ts'

export type IndexWorld = {
  readonly index: MemoryIndex & MemoryIndexWriter
  /** All bytes that the engine keeps in files. */
  readFiles(): Buffer
  close(): Promise<void>
}
export type OpenIndex = () => Promise<IndexWorld>

export const openWhole: OpenIndex = async () => ({
  index: createWholeIndex(),
  readFiles: () => Buffer.alloc(0),
  close: async () => {},
})

export const openSqlite: OpenIndex = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-index-'))
  const engine = openSqliteEngine({ path: path.join(folder, 'index.sqlite'), onNew: () => undefined })
  return {
    index: createMemoryIndex(engine),
    readFiles: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(path.join(folder, name)))),
    async close() {
      engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A simulator, unless MEILISEARCH_URL names a real one: that is asked less often whether it is done. */
export const openMeili: OpenIndex = async () => {
  const { settings, simulator, close } = await openMeilisearch()
  const patience = { firstPollMs: simulator ? 2 : 20 }
  const engine = openMeilisearchEngine(settings, { tell: () => undefined, patience, timeoutMs: 20_000 })
  await engine.prepare()
  return {
    index: createMemoryIndex(engine),
    readFiles: () => Buffer.from(simulator?.readFile('memory') ?? ''),
    close,
  }
}

export const ann = 'user:web:ann'
export const bob = 'user:web:bob'
const dayMs = 86_400_000
export const todayMs = Date.UTC(2026, 5, 1)

let made = 0
/** A fact of Ann's, unless it says otherwise. */
export const entry = (text: string, other: Partial<Entry> = {}): Entry => ({
  scope: ann,
  id: `r${++made}`,
  kind: 'fact',
  text,
  speaker: 'Ann',
  atMs: todayMs - dayMs,
  ...other,
})

/** The texts that are found, best first. */
export async function find(
  index: MemoryIndex,
  text: string,
  { scopes = [ann], limit = 5 }: { readonly scopes?: readonly string[]; readonly limit?: number } = {},
): Promise<readonly string[]> {
  const found = await index.find({ scopes, text, limit }, new AbortController().signal)
  return found.map((one) => one.entry.text)
}

const subjects = 'garden kitchen boat bicycle violin server invoice passport balcony lantern'.split(' ')
const deeds = 'painted repaired bought sold cleaned lost found borrowed measured photographed'.split(' ')
const places = 'Lyon Oslo Kyoto Quito Dakar Perth Turin Bergen Accra Lima'.split(' ')
const syllables = 'ka lo mi ra ten sol ver ban du rei'.split(' ')
/** Ten thousand names; each stands in the text of few entries. */
const toName = (n: number): string => [1, 10, 100].map((by) => syllables[Math.floor((n * 7) / by) % 10] ?? '').join('')
/** Talk in a scope: what is said first and third shares words with much else, what is answered with little. */
export const talk = (scope: string, count: number): readonly Entry[] =>
  Array.from({ length: count }, (_, i) => {
    const [subject, deed] = [subjects[i % 10] ?? '', deeds[Math.floor(i / 10) % 10] ?? '']
    const place = places[Math.floor(i / 7) % 10] ?? ''
    return entry(i % 3 === 1 ? `That was number ${i}.` : `I ${deed} the ${subject} in ${place}, with ${toName(i)}.`, {
      scope,
      id: `t${i}`,
      kind: 'episode',
      speaker: i % 2 === 0 ? 'Ann' : 'Bob',
      atMs: todayMs - (count - i) * 60_000,
      session: `s${Math.floor(i / 25)}`,
      ordinal: i % 25,
    })
  })
export const questions: readonly string[] = subjects.flatMap((subject, i) => [
  `Who ${deeds[i] ?? ''} the ${subject} in ${places[(i * 3) % 10] ?? ''}?`,
  `What happened to the ${subject}?`,
  `When was Bob in ${places[i] ?? ''} with ${toName(i * 31)}?`,
  `What did ${toName(i * 17)} and ${toName(i * 53)} do?`,
])
