// The memory index in memory: all entries, ranked whole; by meaning, too, where there is one.
import { dot, type Embedder, type Meaning } from '#services/memory/search/meaning.ts'
import { rankWhole, refuseUnscoped, toQueryTokens } from '#services/memory/search/rank.ts'
import type { Entry, MemoryIndex, MemoryIndexWriter, Near } from '#shared/memory/entry.ts'
import { toVector } from '#test/simulators/model/embeddings.ts'

type Whole = MemoryIndex & MemoryIndexWriter & { readonly vectors: MemoryIndexWriter }

export function createWholeIndex(meaning?: Meaning): Whole {
  const entries = new Map<string, Entry>()
  const vectors = new Map<string, { readonly text: string; readonly values: Float32Array }>()
  const toKey = ({ scope, id }: { readonly scope: string; readonly id: string }): string => JSON.stringify([scope, id])
  const put = async (all: readonly Entry[]): Promise<void> => {
    for (const entry of all) entries.set(toKey(entry), entry)
  }
  const drop = async (keys: readonly Pick<Entry, 'scope' | 'id'>[]): Promise<void> => {
    for (const key of keys) {
      entries.delete(toKey(key))
      vectors.delete(toKey(key))
    }
  }
  async function findNear({ weight, ask }: Meaning, text: string, signal: AbortSignal): Promise<Near> {
    if (toQueryTokens(text).length === 0) return { weight, found: [] }
    const { values, floor } = await ask(text, signal)
    const all = [...entries.values()].flatMap((entry) => {
      const own = vectors.get(toKey(entry))
      const cosine = own?.text === entry.text ? dot(values, own.values) : 0
      return cosine > floor ? [{ entry, cosine }] : []
    })
    const most = Math.max(floor, ...all.map(({ cosine }) => cosine))
    const found = all.map(({ entry, cosine }) => ({ entry, score: (cosine - floor) / (most - floor) }))
    return { weight, found }
  }
  return {
    async find(query, signal) {
      signal.throwIfAborted()
      return rankWhole([...entries.values()], query)
    },
    ...(meaning && {
      async findNear({ scopes, text }, signal) {
        refuseUnscoped({ scopes })
        const { weight, found } = await findNear(meaning, text, signal)
        const own = found.filter(({ entry }) => scopes.includes(entry.scope)).toSorted((a, b) => b.score - a.score)
        const most = own[0]?.score ?? 1
        return { weight, found: own.slice(0, 20).map((one) => ({ ...one, score: one.score / most })) }
      },
    }),
    put,
    drop,
    vectors: {
      async put(all) {
        await put(all)
        const made =
          (await meaning?.embed(
            all.map(({ text }) => text),
            new AbortController().signal,
          )) ?? []
        for (const [at, entry] of all.entries()) {
          const values = made[at]
          if (values) vectors.set(toKey(entry), { text: entry.text, values })
        }
      },
      drop,
    },
  }
}

/** Vectors as the simulated endpoint makes them, and what was asked for. */
export function createTwinEmbedder(dimensions = 1024): Embedder & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    model: `twin-${dimensions}`,
    asked,
    async embed(texts) {
      asked.push(...texts)
      return texts.map((text) => Float32Array.from(toVector(text, dimensions)))
    },
  }
}
