// How long one search takes among a hundred thousand records in a thousand scopes, and how long these take to be written while searches go on.
import type { Entry, MemoryIndex, MemoryIndexWriter } from '#shared/memory/entry.ts'
import { percentile, round } from './figures.ts'

type Size = { readonly records: number; readonly scopes: number; readonly queries: number }

/** One in fifty scopes is that of a busy group: it holds two fifths of the records among them. */
const oneBusyIn = 50
const busyShare = 0.4
const words = 20_000
const entryWords = 16
const batch = 1000

export async function measureSearch(index: MemoryIndex & MemoryIndexWriter, size: Size): Promise<object> {
  const random = createRandom(7)
  const entries = makeEntries(size, random)
  const startedMs = performance.now()
  const beside: number[] = []
  for (let from = 0; from < entries.length; from += batch) {
    const writing = index.put(entries.slice(from, from + batch))
    beside.push(await measureOne(index, size, random))
    await writing
  }
  const reindexS = (performance.now() - startedMs) / 1000
  const times: number[] = []
  for (let i = 0; i < size.queries; i++) times.push(await measureOne(index, size, random))
  return {
    records: entries.length,
    scopes: size.scopes,
    queryP50Ms: percentile(times, 50),
    queryP99Ms: percentile(times, 99),
    queryMostMs: round(Math.max(...times)),
    reindexS: round(reindexS),
    whileWritingP50Ms: percentile(beside, 50),
  }
}

/** Every other search is made in a busy scope. */
async function measureOne(index: MemoryIndex, { scopes }: Size, random: () => number): Promise<number> {
  const busy = Math.ceil(scopes / oneBusyIn)
  const at = random() < 0.5 ? Math.floor(random() * busy) : Math.floor(random() * scopes)
  const text = `what did ${makeText(random, 6)}?`
  const startedMs = performance.now()
  await index.find({ scopes: [toScope(at), 'global'], text, limit: 5 }, new AbortController().signal)
  return performance.now() - startedMs
}

const toScope = (at: number): string => `user:web:u${at}`

function makeEntries({ records, scopes }: Size, random: () => number): readonly Entry[] {
  const busy = Math.ceil(scopes / oneBusyIn)
  const places = new Map<number, number>()
  return Array.from({ length: records }, (_, i) => {
    const scope = random() < busyShare ? i % busy : i % scopes
    const place = places.get(scope) ?? 0
    places.set(scope, place + 1)
    return {
      scope: toScope(scope),
      id: `e${i}`,
      kind: 'episode',
      text: makeText(random, entryWords),
      speaker: `Ann${scope % 7}`,
      atMs: Date.UTC(2026, 0, 1) + i * 60_000,
      session: `s${Math.floor(place / 20)}`,
      ordinal: place % 20,
    }
  })
}

/** Few words stand everywhere and most are rare, as in what people write. */
function makeText(random: () => number, length: number): string {
  return Array.from({ length }, () => `w${Math.floor(words ** random()).toString(36)}k`).join(' ')
}

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
