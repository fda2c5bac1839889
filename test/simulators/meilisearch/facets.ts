// What filters ask of the documents of one index: the values of each filterable attribute.
import { toFilterValue } from './words.ts'

export type Facet = {
  equal(value: string): ReadonlySet<number>
  startsWith(value: string): ReadonlySet<number>
  numbers(fits: (value: number) => boolean): ReadonlySet<number>
  exists(): ReadonlySet<number>
  isNull(): ReadonlySet<number>
  isEmpty(): ReadonlySet<number>
}

export type Facets = {
  /** Of every document. */
  all(): ReadonlySet<number>
  find(attribute: string): Facet | undefined
  names(): string
}

type Stored = {
  readonly texts: Map<string, Set<number>>
  readonly numbers: Map<number, Set<number>>
  readonly present: Set<number>
  readonly nulls: Set<number>
  readonly empties: Set<number>
}

const none: ReadonlySet<number> = new Set()

export function createFacets(attributes: readonly string[]) {
  const stored = new Map(attributes.map((name) => [name, createStored()]))
  const all = new Set<number>()
  return {
    add: (at: number, document: Readonly<Record<string, unknown>>): void => {
      all.add(at)
      for (const [name, facet] of stored) if (name in document) put(facet, at, document[name])
    },
    remove: (at: number): void => {
      all.delete(at)
      for (const facet of stored.values()) take(facet, at)
    },
    all: () => all,
    find: (name: string) => toFacet(stored.get(name)),
    names: () => attributes.map((name) => `\`${name}\``).join(', '),
  }
}

const createStored = (): Stored => ({
  texts: new Map(),
  numbers: new Map(),
  present: new Set(),
  nulls: new Set(),
  empties: new Set(),
})

function put(facet: Stored, at: number, value: unknown): void {
  facet.present.add(at)
  if (value === null) facet.nulls.add(at)
  else if (value === '' || (typeof value === 'object' && Object.keys(value).length === 0)) facet.empties.add(at)
  for (const one of Array.isArray(value) ? value : [value]) {
    if (typeof one === 'number') addTo(facet.numbers, one, at)
    const text = typeof one === 'object' ? undefined : toFilterValue(String(one))
    if (text !== undefined) addTo(facet.texts, text, at)
  }
}

function take(facet: Stored, at: number): void {
  for (const sets of [facet.texts, facet.numbers]) for (const set of sets.values()) set.delete(at)
  for (const set of [facet.present, facet.nulls, facet.empties]) set.delete(at)
}

export function addTo<K>(sets: Map<K, Set<number>>, key: K, at: number): void {
  const set = sets.get(key)
  if (set) set.add(at)
  else sets.set(key, new Set([at]))
}

function toFacet(facet: Stored | undefined): Facet | undefined {
  if (!facet) return undefined
  const gather = <K>(sets: ReadonlyMap<K, ReadonlySet<number>>, fits: (key: K) => boolean): ReadonlySet<number> =>
    new Set([...sets].flatMap(([key, set]) => (fits(key) ? [...set] : [])))
  return {
    equal: (value) => facet.texts.get(toFilterValue(value) ?? '\0') ?? none,
    startsWith: (value) => {
      const begin = toFilterValue(value)
      return begin === undefined ? none : gather(facet.texts, (text) => text.startsWith(begin))
    },
    numbers: (fits) => gather(facet.numbers, fits),
    exists: () => facet.present,
    isNull: () => facet.nulls,
    isEmpty: () => facet.empties,
  }
}
