// Memory search by meaning: the vectors of entries are made behind their writing, and the nearest to a question are found by them.
import type { Entry, MemoryIndex, MemoryIndexWriter, Near } from '#shared/memory/entry.ts'
import { BotError } from '#shared/errors.ts'
import { toDocument, type DocumentVector, type SearchDocument } from './document.ts'
import type { NearEntry, SearchEngine } from './engine.ts'
import type { Meaning } from './meaning.ts'
import { refuseUnscoped, toQueryTokens } from './rank.ts'

/** What both writing and looking share. */
export type NearIndex = Required<Pick<MemoryIndex, 'findNear'>> & {
  /** Puts entries with their vectors. Rejects with BotError `model` where the embedding model is away: nothing is put then. */
  readonly vectors: MemoryIndexWriter
}

const mostNear = 20
/** Entries whose vectors are made together. */
const atOnce = 100
const mostLately = 1000
const embedMs = 30_000

export function createNearIndex(engine: SearchEngine, meaning: Meaning): NearIndex {
  const find = createVectorFinder(engine, meaning)
  return {
    async findNear({ scopes, text }, signal) {
      refuseUnscoped({ scopes })
      const { weight } = meaning
      // What says nothing but stop words is near to nothing.
      if (toQueryTokens(text).length === 0) return { weight, found: [] }
      const { values, floor } = await meaning.ask(text, signal)
      const sought = { scopes, model: meaning.model, values, most: mostNear }
      return { weight, found: toFound(await engine.proposeNear(sought, signal), { meaning, scopes, floor }) }
    },
    vectors: {
      async put(entries) {
        for (let from = 0; from < entries.length; from += atOnce)
          await engine.put(await find.toDocuments(entries.slice(from, from + atOnce)))
      },
      async drop(keys) {
        find.forget()
        await engine.drop(keys)
      },
    },
  }
}

type Looked = { readonly meaning: Meaning; readonly scopes: readonly string[]; readonly floor: number }

/** Scores between what is unrelated and the nearest. A vector of another text or model says nothing. */
function toFound(proposed: readonly NearEntry[], { meaning, scopes, floor }: Looked): Near['found'] {
  const near = proposed.filter(
    ({ entry, mark, cosine }) => cosine > floor && scopes.includes(entry.scope) && mark === meaning.toMark(entry.text),
  )
  const most = near.reduce((sofar, { cosine }) => Math.max(sofar, cosine), floor)
  return near
    .map(({ entry, cosine }) => ({ entry, score: (cosine - floor) / (most - floor) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostNear)
}

/** Equal texts cost one call: their vectors stand in the index, and for a while here. */
function createVectorFinder(engine: SearchEngine, meaning: Meaning) {
  const lately = new Map<string, Float32Array>()

  async function find(texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Float32Array>> {
    const found = new Map(lately)
    const unknown = (): readonly string[] => [...texts.keys()].filter((mark) => !found.has(mark))
    for (const [mark, values] of (await engine.findVectors?.(unknown())) ?? []) found.set(mark, values)
    const missing = unknown()
    if (missing.length === 0) return found
    const made = await meaning.embed(
      missing.map((mark) => texts.get(mark) ?? ''),
      AbortSignal.timeout(embedMs),
    )
    if (made.length !== missing.length) throw new BotError('model', 'The embedding model gave too few vectors.')
    if (lately.size + made.length > mostLately) lately.clear()
    for (const [at, mark] of missing.entries()) {
      const values = made[at]
      if (!values) continue
      found.set(mark, values)
      lately.set(mark, values)
    }
    return found
  }

  return {
    async toDocuments(entries: readonly Entry[]): Promise<readonly SearchDocument[]> {
      const marked = entries.map((entry) => ({ entry, mark: meaning.toMark(entry.text) }))
      const values = await find(new Map(marked.map(({ entry, mark }) => [mark, entry.text])))
      return marked.map(({ entry, mark }) => {
        const own = values.get(mark)
        const vector: DocumentVector | undefined = own && { model: meaning.model, mark, values: own }
        return { ...toDocument(entry), ...(vector && { vector }) }
      })
    },
    /** A vector does not outlive the text that it was made of. */
    forget: (): void => lately.clear(),
  }
}
