// The store of memory in memory: what the tests of the executor work with. It passes the same tests as the one on Redis.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { MemoryRecord, MemoryScope, NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { mergeRepeat } from '#queues/memory/merge-repeat.ts'
import { hashWords } from '#queues/memory/scope-key.ts'

type Scope = {
  readonly records: Map<number, MemoryRecord>
  /** By id, and by the hash of the words. */
  readonly ids: Map<string, number>
  readonly words: Map<string, number>
  readonly gone: Set<string>
  last: number
  version: number
}

const mostRecords = 5000
const mostAtOnce = 200

export function createMemoryStore(): MemoryStore {
  const scopes = new Map<MemoryScope, Scope>()
  const forgotten = new Set<string>()
  const open = (name: MemoryScope): Scope => {
    const scope = scopes.get(name) ?? {
      records: new Map(),
      ids: new Map(),
      words: new Map(),
      gone: new Set(),
      last: 0,
      version: 0,
    }
    scopes.set(name, scope)
    return scope
  }
  const put = (scope: Scope, record: MemoryRecord): MemoryRecord => {
    const { number, id } = record
    const before = scope.records.get(number)
    if (before) scope.words.delete(hashWords(before))
    scope.records.set(number, record)
    scope.ids.set(id, number)
    scope.words.set(hashWords(record), number)
    scope.version += 1
    return record
  }
  const take = (scope: Scope, record: MemoryRecord): void => {
    scope.records.delete(record.number)
    scope.ids.delete(record.id)
    scope.words.delete(hashWords(record))
    scope.gone.add(record.id)
    scope.version += 1
  }
  const name = (conversation: ConversationId, message: string): string => `${conversation} ${message}`
  const isForgotten = ({ from }: NewRecord): boolean =>
    from.some(({ conversation, messages }) => messages.some((id) => forgotten.has(name(conversation, id))))
  return {
    async write(at, record) {
      const scope = open(at)
      if (isForgotten(record)) return { kind: 'gone' }
      const find = (number: number | undefined): MemoryRecord | undefined => scope.records.get(number ?? 0)
      const same = find(scope.ids.get(record.id))
      if (same) return { kind: 'same', record: same }
      if (scope.gone.has(record.id)) return { kind: 'gone' }
      const repeated = find(scope.words.get(hashWords(record)))
      if (repeated) return { kind: 'repeat', record: put(scope, mergeRepeat(repeated, record)) }
      if (scope.records.size >= mostRecords) return { kind: 'full' }
      scope.last += 1
      return { kind: 'new', record: put(scope, { v: 1, scope: at, ...record, number: scope.last, uses: 0 }) }
    },
    async read(at, known) {
      const { records, version } = open(at)
      if (known === String(version)) return 'same'
      const newest = [...records.values()].toSorted((a, b) => b.number - a.number)
      return { version: String(version), count: records.size, records: newest.slice(0, mostAtOnce) }
    },
    find: async (at, numbers) => numbers.flatMap((number) => open(at).records.get(number) ?? []),
    async change(at, number, change) {
      const before = open(at).records.get(number)
      const after = before && change(before)
      return after && put(open(at), after)
    },
    async drop(at, numbers) {
      const found = numbers.flatMap((number) => open(at).records.get(number) ?? [])
      for (const record of found) take(open(at), record)
      return found.length
    },
    async forget(conversation, messages) {
      if (messages !== 'all') for (const id of messages) forgotten.add(name(conversation, id))
      let count = 0
      for (const scope of scopes.values())
        for (const record of scope.records.values()) {
          const isOf = record.from.some(
            (one) =>
              one.conversation === conversation &&
              (messages === 'all' || one.messages.some((id) => messages.includes(id))),
          )
          if (!isOf) continue
          take(scope, record)
          count += 1
        }
      return count
    },
  }
}
