// What the contract of memory search is tried with: an index, a way to look into its files, and entries.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { openSqliteEngine } from '#infra/search/sqlite-engine.ts'
import { createMeaning, type Meaning } from '#services/memory/search/meaning.ts'
import { createNearIndex, type NearIndex } from '#services/memory/search/near.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import type { Entry, MemoryIndex, MemoryIndexWriter } from '#shared/memory/entry.ts'
import { openMeilisearch } from '#test/rig/meilisearch.ts'
import { createTwinEmbedder, createWholeIndex } from '#test/twins/memory-search.ts'

export type IndexWorld = {
  readonly index: MemoryIndex & MemoryIndexWriter
  /** Of an index that searches by meaning, too: as `findNear` of it, and its writer. */
  readonly near?: NearIndex & { readonly embedder: ReturnType<typeof createTwinEmbedder> }
  /** All bytes that the engine keeps in files. */
  readFiles(): Buffer
  close(): Promise<void>
}
export type OpenIndex = () => Promise<IndexWorld>

/** A world whose `index` writes vectors with each entry, and whose every search counts the meaning. */
export function withMeaning(
  { index, ...world }: IndexWorld,
  toNear: (meaning: Meaning) => NearIndex,
  { embedder = createTwinEmbedder(), weight = 0.7 } = {},
): IndexWorld {
  const near = toNear(createMeaning({ embedder, weight, nowMs: Date.now }))
  return {
    ...world,
    near: { ...near, embedder },
    index: {
      async find(query, signal) {
        return await index.find({ ...query, near: await near.findNear(query, signal) }, signal)
      },
      async put(entries) {
        await index.put(entries)
        await near.vectors.put(entries)
      },
      drop: (keys) => index.drop(keys),
    },
  }
}

export const openWhole: OpenIndex = async () => ({
  index: createWholeIndex(),
  readFiles: () => Buffer.alloc(0),
  close: async () => {},
})

export const openWholeNear: OpenIndex = async () => {
  const embedder = createTwinEmbedder()
  const index = createWholeIndex(createMeaning({ embedder, weight: 0.7, nowMs: Date.now }))
  const { findNear, vectors } = index
  if (!findNear) throw new Error('The twin has no meaning.')
  const world = { index, readFiles: () => Buffer.alloc(0), close: async () => {} }
  return withMeaning(world, () => ({ findNear, vectors }), { embedder })
}

export const openSqlite: OpenIndex = async () => (await openSqliteWorld()).world
export const openSqliteNear: OpenIndex = async () => {
  const { world, engine } = await openSqliteWorld()
  return withMeaning(world, (meaning) => createNearIndex(engine, meaning))
}

async function openSqliteWorld() {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-index-'))
  const engine = openSqliteEngine({ path: path.join(folder, 'index.sqlite'), onNew: () => undefined })
  const world: IndexWorld = {
    index: createMemoryIndex(engine),
    readFiles: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(path.join(folder, name)))),
    async close() {
      engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return { world, engine }
}

/** A simulator, unless MEILISEARCH_URL names a real one: that is asked less often whether it is done. */
async function openMeiliWorld() {
  const { settings, simulator, close } = await openMeilisearch()
  const patience = { firstPollMs: simulator ? 2 : 20 }
  const engine = openMeilisearchEngine(settings, { tell: () => undefined, patience, timeoutMs: 20_000 })
  await engine.prepare()
  const world: IndexWorld = {
    index: createMemoryIndex(engine),
    readFiles: () => Buffer.from(simulator?.readFile('memory') ?? ''),
    close,
  }
  return { world, engine }
}
export const openMeili: OpenIndex = async () => (await openMeiliWorld()).world
export const openMeiliNear: OpenIndex = async () => {
  const { world, engine } = await openMeiliWorld()
  return withMeaning(world, (meaning) => createNearIndex(engine, meaning))
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
