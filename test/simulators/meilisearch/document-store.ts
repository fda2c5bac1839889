// One index: its documents, its words and its filters. What is asked of it is answered from here alone; what changes it comes from tasks.
import { ApiError } from './api-error.ts'
import { addTo, createFacets } from './facets.ts'
import { defaults, merge, type Document, type Settings } from './settings.ts'
import { checkVectors, keepVectors, type Vectors } from './vectors.ts'
import { toWords } from './words.ts'

export type DocumentStore = ReturnType<typeof createDocumentStore>

type Kept = { readonly document: Document; readonly words: readonly string[]; readonly vectors: Vectors }

/** 1–511 bytes of these signs, or a whole number. */
const idForm = /^[\w-]{1,511}$/

export function createDocumentStore(uid: string, givenKey: string | null, now: Date) {
  let primaryKey = givenKey
  let settings: Settings = defaults
  let facets = createFacets(settings.filterableAttributes)
  let words = new Map<string, Set<number>>()
  let updatedAt = now
  let nextAt = 0
  const kept = new Map<number, Kept>()
  const places = new Map<string, number>()

  /** What the data file still has of documents that are gone, until it is compacted. */
  let remains: string[] = []

  const remove = (at: number): void => {
    remains.push(toStored(kept.get(at)))
    for (const word of kept.get(at)?.words ?? []) words.get(word)?.delete(at)
    facets.remove(at)
    kept.delete(at)
  }
  const index = (at: number, one: Omit<Kept, 'words'>): void => {
    const found = toWords(toSearchable(one.document, settings.searchableAttributes))
    kept.set(at, { ...one, words: found })
    for (const word of found) addTo(words, word, at)
    facets.add(at, one.document)
  }
  const rebuild = (): void => {
    facets = createFacets(settings.filterableAttributes)
    words = new Map()
    for (const [at, one] of kept) index(at, one)
  }
  /** In the order in which they came. Throws for an id that cannot be one: nothing is added then. */
  const identify = (documents: readonly Document[]): readonly (readonly [string, Document])[] => {
    primaryKey ??= inferKey(documents[0])
    const key = primaryKey
    return documents.map((document) => [toId(document, key), document])
  }

  return {
    uid,
    createdAt: now,
    updatedAt: () => updatedAt,
    primaryKey: () => primaryKey,
    settings: () => settings,
    facets: () => facets,
    /** Of a word as it was cut and folded. */
    withWord: (word: string): ReadonlySet<number> => words.get(word) ?? new Set(),
    wordsAt: (at: number): readonly string[] => kept.get(at)?.words ?? [],
    documentAt: (at: number): Document => kept.get(at)?.document ?? {},
    vectorsAt: (at: number): Vectors => kept.get(at)?.vectors ?? {},
    placeOf: (id: string): number | undefined => places.get(id),
    size: (): number => kept.size,
    compact: (): void => void (remains = []),
    readFile: (): string => [...remains, ...[...kept.values()].map(toStored)].join('\n'),
    identify,
    /** Throws where a vector is missing or wrong; nothing is changed then. */
    check: (identified: readonly (readonly [string, Document])[]): void => {
      for (const [id, document] of identified) {
        checkVectors(id, document, settings.embedders, kept.get(places.get(id) ?? -1)?.vectors)
      }
    },
    put: (identified: readonly (readonly [string, Document])[], how: 'replace' | 'update'): void => {
      for (const [id, document] of identified) {
        const at = places.get(id) ?? nextAt++
        const before = kept.get(at)
        const { _vectors: given, ...fields } = how === 'update' ? { ...before?.document, ...document } : document
        if (before) remove(at)
        places.set(id, at)
        index(at, { document: fields, vectors: keepVectors(given, before?.vectors) })
      }
      updatedAt = new Date()
    },
    /** How many there were. */
    drop: (ids: readonly string[]): number => {
      let dropped = 0
      for (const id of ids) {
        const at = places.get(id)
        if (at === undefined) continue
        remove(at)
        places.delete(id)
        dropped += 1
      }
      updatedAt = new Date()
      return dropped
    },
    idAt: (at: number): string => (primaryKey === null ? '' : String(kept.get(at)?.document[primaryKey])),
    change: (patch: Readonly<Record<string, unknown>>): void => {
      const changed = merge(settings, patch)
      const added = Object.keys(changed.embedders).filter((name) => !(name in settings.embedders))
      for (const { document, vectors } of added.length > 0 ? kept.values() : []) {
        checkVectors(String(document[primaryKey ?? '']), document, changed.embedders, vectors)
      }
      settings = changed
      rebuild()
      updatedAt = new Date()
    },
  }
}

const toStored = (one: Kept | undefined): string => JSON.stringify({ ...one?.document, _vectors: one?.vectors })

function inferKey(document: Document | undefined): string {
  const candidates = Object.keys(document ?? {}).filter((name) => name.toLowerCase().endsWith('id'))
  const [only] = candidates
  if (only !== undefined && candidates.length === 1) return only
  const code = candidates.length === 0 ? 'no_candidate_found' : 'multiple_candidates_found'
  throw new ApiError(400, `index_primary_key_${code}`, 'The primary key inference failed.')
}

function toId(document: Document, key: string): string {
  const id = document[key]
  if (id === undefined) {
    const message = `Document doesn't have a \`${key}\` attribute: \`${JSON.stringify(document).slice(0, 200)}\`.`
    throw new ApiError(400, 'missing_document_id', message)
  }
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id)
  if (typeof id === 'string' && idForm.test(id)) return id
  const message = `Document identifier \`${JSON.stringify(id)}\` is invalid. A document identifier can be of type integer or string, only composed of alphanumeric characters (a-z A-Z 0-9), hyphens (-) and underscores (_), and can not be more than 511 bytes.`
  throw new ApiError(400, 'invalid_document_id', message)
}

function toSearchable(document: Document, attributes: readonly string[]): string {
  const names = attributes.includes('*') ? Object.keys(document) : attributes
  return names.map((name) => toText(document[name])).join(' . ')
}

function toText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.values(value).map(toText).join(' . ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
