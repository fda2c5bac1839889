// The store of memory in memory: what the tests of the executor work with. It passes the same tests as the one on Redis.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { MemoryRecord, MemoryScope, NewRecord } from '#shared/memory/record.ts'
import type { Comparing, MemoryStore, Written } from '#shared/memory/store.ts'
import { toLikeness } from '#queues/memory/like.ts'
import { mergeRepeat } from '#queues/memory/merge-repeat.ts'
import { settle, settleChanged, toConflict, toReplacedBy } from '#queues/memory/settle.ts'
import { comparing as byWords } from '#services/memory/comparing.ts'

type Scope = {
  readonly name: MemoryScope
  readonly records: Map<number, MemoryRecord>
  readonly ids: Map<string, number>
  readonly gone: Set<string>
  /** When the term of each is over that nobody confirmed. */
  readonly terms: Map<number, number>
  last: number
  version: number
}

const mostRecords = 5000
const mostAtOnce = 200
const dayMs = 86_400_000

/** `now`: as Redis' clock. */
export function createMemoryStore(comparing: Comparing = byWords, now: () => number = Date.now): MemoryStore {
  const scopes = new Map<MemoryScope, Scope>()
  const forgotten = new Set<string>()
  const open = (name: MemoryScope): Scope => {
    const scope = scopes.get(name) ?? {
      name,
      records: new Map(),
      ids: new Map(),
      gone: new Set(),
      terms: new Map(),
      last: 0,
      version: 0,
    }
    scopes.set(name, scope)
    return scope
  }
  const put = (scope: Scope, record: MemoryRecord): MemoryRecord => {
    const { number, id, status, saidAt } = record
    scope.records.set(number, record)
    scope.ids.set(id, number)
    if (status === 'confirmed') scope.terms.delete(number)
    else scope.terms.set(number, Math.max(Math.min(saidAt, now()), now() - 7 * dayMs) + 30 * dayMs)
    scope.version += 1
    return record
  }
  const take = (scope: Scope, record: MemoryRecord): void => {
    scope.records.delete(record.number)
    scope.ids.delete(record.id)
    scope.terms.delete(record.number)
    scope.gone.add(record.id)
    scope.version += 1
    for (const other of scope.records.values()) {
      if (other.supersededBy !== record.number) continue
      const { validTo: _until, supersededBy: _by, ...rest } = other
      const { validTo, supersededBy } = record
      const heir = validTo === undefined || supersededBy === undefined ? {} : { validTo, supersededBy }
      scope.records.set(other.number, { ...rest, ...heir })
    }
  }
  const compared = new WeakMap<NewRecord, Compared>()
  const compare = (record: NewRecord, at: MemoryScope): Compared => {
    const before = compared.get(record)
    if (before) return before
    const { words, slot } = toLikeness(comparing, record, at)
    const made = { words: new Set(words.match(/.{4}/g)), slot }
    compared.set(record, made)
    return made
  }
  const toMates = (scope: Scope, record: NewRecord, but?: number): readonly MemoryRecord[] => {
    const { slot } = compare(record, scope.name)
    if (slot === '') return []
    return [...scope.records.values()].filter((one) => one.number !== but && compare(one, scope.name).slot === slot)
  }
  const replace = (scope: Scope, replaced: readonly MemoryRecord[], by: MemoryRecord): readonly MemoryRecord[] =>
    replaced.map((one) => put(scope, toReplacedBy(one, by, by.number)))
  const change = (
    scope: Scope,
    number: number,
    to: (record: MemoryRecord) => MemoryRecord | undefined,
  ): MemoryRecord | undefined => {
    const before = scope.records.get(number)
    const wanted = before && to(before)
    if (!before || !wanted) return undefined
    const { after, replaces } = settleChanged(comparing, [before, wanted], toMates(scope, wanted, number))
    replace(scope, replaces, after)
    return put(scope, after)
  }
  const name = (conversation: ConversationId, message: string): string => `${conversation} ${message}`
  const isForgotten = ({ from }: NewRecord): boolean =>
    from.some(({ conversation, messages }) => messages.some((id) => forgotten.has(name(conversation, id))))

  function write(at: MemoryScope, record: NewRecord): Written {
    const scope = open(at)
    if (isForgotten(record)) return { kind: 'gone' }
    const same = scope.records.get(scope.ids.get(record.id) ?? 0)
    if (same) return toSame(scope, same)
    if (scope.gone.has(record.id)) return { kind: 'gone' }
    const mates = toMates(scope, record)
    const like = findLike((one) => compare(one, at), [...scope.records.values()], record)
    const settled = settle(comparing, record, { like, mates })
    if (settled.kind === 'repeat') {
      const merged = change(scope, settled.of.number, (before) => mergeRepeat(before, record))
      return merged ? { kind: 'repeat', record: merged, replaced: [] } : { kind: 'gone' }
    }
    if (scope.records.size >= mostRecords) return { kind: 'full' }
    scope.last += 1
    const { behind, against, replaces } = settled
    const made: MemoryRecord = { v: 1, scope: at, ...record, number: scope.last, uses: 0 }
    const written = put(scope, behind ? toReplacedBy(made, behind, behind.number) : made)
    const replaced = replace(scope, replaces, written)
    return against ? { kind: 'conflict', record: written, against } : { kind: 'new', record: written, replaced }
  }
  function toSame(scope: Scope, record: MemoryRecord): Written {
    const mates = toMates(scope, record, record.number)
    const against = toConflict(comparing, record, mates)
    if (against) return { kind: 'conflict', record, against }
    return { kind: 'same', record, replaced: mates.filter((one) => one.supersededBy === record.number) }
  }

  return {
    write: async (at, record) => write(at, record),
    async read(at, known) {
      const { records, version } = open(at)
      if (known === String(version)) return 'same'
      const newest = [...records.values()].toSorted((a, b) => b.number - a.number)
      return { version: String(version), count: records.size, records: newest.slice(0, mostAtOnce) }
    },
    findBy: async (at, ids) => [...open(at).records.values()].filter(({ id }) => ids.includes(id)),
    find: async (at, numbers) => numbers.flatMap((number) => open(at).records.get(number) ?? []),
    change: async (at, number, to) => change(open(at), number, to),
    async merge(at, numbers, { id, join }) {
      const scope = open(at)
      const there = scope.records.get(scope.ids.get(id) ?? 0)
      if (there) return { kind: 'merged', record: there }
      const records = numbers.flatMap((number) => scope.records.get(number) ?? [])
      const joined = records.length === numbers.length && !scope.gone.has(id) ? join(records) : undefined
      if (!joined || isForgotten({ ...joined, id })) return { kind: 'changed' }
      if (scope.records.size >= mostRecords) return { kind: 'full' }
      scope.last += 1
      const made = { v: 1, scope: at, ...joined, id, merged: records.map((one) => one.id), number: scope.last } as const
      const record = put(scope, made)
      replace(scope, records, record)
      return { kind: 'merged', record }
    },
    async drop(at, which, how) {
      const { ids, records, gone } = open(at)
      const found = which.flatMap((one) => records.get(typeof one === 'number' ? one : (ids.get(one) ?? 0)) ?? [])
      for (const one of which) if (typeof one === 'string') gone.add(one)
      const under = how === 'apart' ? [] : findUnder(open(at).records, found)
      for (const { number } of found) {
        const record = open(at).records.get(number)
        if (record) take(open(at), record)
      }
      for (const { number } of under) {
        const record = open(at).records.get(number)
        if (record) take(open(at), record)
      }
      return found.length
    },
    async use(at, numbers, atMs) {
      const { records } = open(at)
      for (const number of numbers) {
        const record = records.get(number)
        if (!record || record.lastUsedAt === atMs) continue
        const lastUsedAt = Math.max(atMs, record.lastUsedAt ?? 0)
        records.set(number, { ...record, uses: record.uses + 1, lastUsedAt })
      }
    },
    async fade(nowMs) {
      let count = 0
      for (const scope of scopes.values())
        for (const [number, term] of scope.terms) {
          const record = scope.records.get(number)
          if (!record || term > Math.min(nowMs, now())) continue
          take(scope, record)
          count += 1
        }
      return count
    },
    async forget(conversation, messages) {
      if (messages !== 'all') for (const id of messages) forgotten.add(name(conversation, id))
      let count = 0
      for (const scope of scopes.values())
        for (const { number } of scope.records.values()) {
          const record = scope.records.get(number)
          const isOf = record?.from.some(
            (one) =>
              one.conversation === conversation &&
              (messages === 'all' || one.messages.some((id) => messages.includes(id))),
          )
          if (!record || !isOf) continue
          take(scope, record)
          count += 1
        }
      return count
    },
  }
}

function findUnder(records: Scope['records'], above: readonly MemoryRecord[]): readonly MemoryRecord[] {
  const below = [...records.values()].filter(({ id, supersededBy }) =>
    above.some((one) => one.number === supersededBy && one.merged?.includes(id)),
  )
  return below.length === 0 ? [] : [...below, ...findUnder(records, below)]
}

type Compared = { readonly words: ReadonlySet<string>; readonly slot: string }

/** At least four in five of all words of both are in both; the likest first, at most eight. */
function findLike(
  compare: (record: NewRecord) => Compared,
  records: readonly MemoryRecord[],
  record: NewRecord,
): readonly MemoryRecord[] {
  const own = compare(record).words
  const found = records.flatMap((one) => {
    const { words } = compare(one)
    let shared = 0
    for (const word of words) if (own.has(word)) shared += 1
    const share = shared / (own.size + words.size - shared)
    return share >= 0.8 ? [{ one, share }] : []
  })
  const likest = found.toSorted((a, b) => b.share - a.share || b.one.number - a.one.number)
  return likest.slice(0, 8).map(({ one }) => one)
}
