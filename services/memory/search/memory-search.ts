// Memory search over any engine: small scopes are ranked whole; of larger ones the engine proposes candidates, and the neighbours of the best join them.
import { BotError } from '#shared/errors.ts'
import type { Entry, FoundEntry, MemoryIndex, MemoryIndexWriter, MemoryQuery } from '#shared/memory/entry.ts'
import { toDocument, type SearchDocument } from './document.ts'
import type { EntryKey, Places, SearchEngine } from './engine.ts'
import { scanPostings } from './postings.ts'
import { prepareDocuments, type Prepared } from './prepare.ts'
import { rank, refuseUnscoped, toQueryTokens } from './rank.ts'
import { recipe } from './recipe.ts'
import { chooseTokens, scoreDocuments, toWeights, type Counts } from './score.ts'

/** Scopes that hold no more together are read whole: one call, and nothing is missed. */
const mostWhole = 200
const mostCandidates = 200
/** Neighbours of so many are asked for: of 200 they add nothing. */
const mostWithNeighbours = 20
/** What candidates are proposed by: the rarest tokens, as long as entries hold them no more often than that together. */
const fewest = 3
const mostHeld = 1500
const steps = [-1, 1, 2]
const mostScopes = 20
const mostIdChars = 120
/** So many are made ready before others have their turn. */
const atOnce = 100

export function createMemoryIndex(engine: SearchEngine): MemoryIndex & MemoryIndexWriter {
  return {
    async find(query, signal) {
      refuseUnscoped(query)
      const scopes = [...new Set(query.scopes)].slice(0, mostScopes)
      const tokens = toQueryTokens(query.text)
      if (tokens.length === 0) return []
      const counts = await engine.count(scopes, tokens, signal)
      if (counts.entries === 0) return []
      if (counts.entries > mostWhole)
        return await findAmongMany(engine, { ...query, scopes }, { tokens, counts, signal })
      const all = await engine.readAll(scopes, mostWhole, signal)
      return rank(prepare(all, scopes), query, { tokens })
    },
    async put(entries) {
      const byKey = new Map<string, Entry>()
      for (const entry of entries) {
        refuseId(entry)
        byKey.set(toKey(entry), entry)
      }
      const distinct = [...byKey.values()]
      const together = engine.together ?? atOnce
      for (let from = 0; from < distinct.length; from += together) {
        await engine.put(await toDocuments(distinct.slice(from, from + together)))
        await nextTurn()
      }
    },
    drop: async (entries) => await engine.drop(entries.map(({ scope, id }) => ({ scope, id }))),
  }
}

const nextTurn = async (): Promise<void> =>
  await new Promise((goOn) => {
    setImmediate(goOn)
  })

async function toDocuments(entries: readonly Entry[]): Promise<readonly SearchDocument[]> {
  const documents: SearchDocument[] = []
  for (let from = 0; from < entries.length; from += atOnce) {
    if (from > 0) await nextTurn()
    documents.push(...entries.slice(from, from + atOnce).map((entry) => toDocument(entry)))
  }
  return documents
}

const toKey = ({ scope, id }: EntryKey): string => JSON.stringify([scope, id])

function refuseId({ id }: Entry): void {
  if (id.length > 0 && id.length <= mostIdChars) return
  throw new BotError(
    'internal',
    `An entry of the memory index has an id of ${id.length} characters. Give it 1 to ${mostIdChars}.`,
  )
}

type Search = { readonly tokens: readonly string[]; readonly counts: Counts; readonly signal: AbortSignal }

async function findAmongMany(
  engine: SearchEngine,
  query: MemoryQuery,
  { tokens, counts, signal }: Search,
): Promise<readonly FoundEntry[]> {
  const { scopes } = query
  const weights = chooseTokens(tokens, counts)
  const nearest = query.near?.found.map(({ entry }) => toDocument(entry)) ?? []
  if (weights.size === 0) return rank(prepare(nearest, scopes), query, { counts, tokens: [] })
  const words = withoutCommon(weights, counts)
  const proposed = [...nearest, ...(await engine.propose({ scopes, weights: words, most: mostCandidates }, signal))]
  const candidates = prepare(proposed, scopes)
  const places = findPlaces(candidates, counts, [...weights.keys()])
  const beside = places.length > 0 ? await engine.readPlaces(places, signal) : []
  const prepared = beside.length > 0 ? prepare([...proposed, ...beside], scopes) : candidates
  return rank(prepared, query, { counts, tokens: [...weights.keys()] })
}

/** The rarest of them: candidates hold one of these, and all tokens then count in the ranking. An engine takes its time by how many hold them. */
function withoutCommon(weights: ReadonlyMap<string, number>, { having }: Counts): ReadonlyMap<string, number> {
  let held = 0
  return new Map(
    [...weights].filter(([token], at) => {
      held += having.get(token) ?? 0
      return at < fewest || held <= mostHeld
    }),
  )
}

/** Nothing of another scope passes, whatever an engine says, and each stands there once. */
function prepare(documents: readonly SearchDocument[], scopes: readonly string[]): Prepared {
  const byKey = new Map(documents.map((one) => [toKey(one.entry), one] as const))
  return prepareDocuments(
    [...byKey.values()].filter(({ entry }) => scopes.includes(entry.scope)),
    scanPostings,
  )
}

/** Where the best may have neighbours that are not among the candidates. */
function findPlaces(candidates: Prepared, counts: Counts, tokens: readonly string[]): readonly Places[] {
  const pool = { prepared: candidates, counts, recipe }
  const scores = scoreDocuments(pool, toWeights(pool, tokens))
  const best = [...scores.keys()].toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const wanted = new Map<string, { scope: string; session: string; ordinals: Set<number> }>()
  for (const at of best.slice(0, mostWithNeighbours)) {
    const { scope, session, ordinal } = candidates.documents[at]?.entry ?? {}
    if (scope === undefined || session === undefined || ordinal === undefined) continue
    const known = candidates.ordinals[candidates.sessions[at] ?? -1]
    const key = JSON.stringify([scope, session])
    const places = wanted.get(key) ?? { scope, session, ordinals: new Set() }
    for (const step of steps)
      if (ordinal + step >= 0 && !known?.has(ordinal + step)) places.ordinals.add(ordinal + step)
    if (places.ordinals.size > 0) wanted.set(key, places)
  }
  return [...wanted.values()].map(({ scope, session, ordinals }) => ({ scope, session, ordinals: [...ordinals] }))
}
