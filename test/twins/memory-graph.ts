// The graph of memory in memory. It passes the same tests as the one on Redis.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { toEntityKey } from '#shared/memory/entity-key.ts'
import {
  graphCounts,
  type EntityKey,
  type GraphCount,
  type GraphItem,
  type GraphSpeaker,
  type MemoryGraph,
  type WalkedItem,
} from '#shared/memory/graph.ts'
import type { MemoryScope } from '#shared/memory/record.ts'

const [hops, fanOut, mostWalked, mostFactsFar] = [2, 25, 300, 10]
const [mostFacts, mostEdges, mostItems, mostEntities, mostBytes] = [50, 200, 4000, 1000, 2_000_000]
const [lifeMs, together, mostLines] = [30 * 86_400_000, 3, 150]

export type TwinGraph = MemoryGraph & {
  /** As the store of records does: whatever was made of these messages goes. */
  forget(conversation: ConversationId, messages: readonly string[] | 'all'): Promise<void>
}

export function createMemoryGraph(now: () => number = Date.now): TwinGraph {
  const scopes = new Map<MemoryScope, Map<string, GraphItem>>()
  const forgotten = new Set<string>()
  const gone = new Set<string>()
  const counts = new Map<GraphCount, number>()
  const spoken = new Map<string, Map<string, number>>()
  const open = (scope: MemoryScope): Map<string, GraphItem> => {
    const items = scopes.get(scope) ?? new Map<string, GraphItem>()
    scopes.set(scope, items)
    return items
  }
  const linesOf = ({ conversation, principal }: GraphSpeaker): Map<string, number> => {
    const lines = spoken.get(`${conversation} ${principal}`) ?? new Map<string, number>()
    spoken.set(`${conversation} ${principal}`, lines)
    return lines
  }
  return {
    async write(scope, { id, from, items }) {
      const isForgotten = from.some(({ conversation, messages }) =>
        messages.some((one) => forgotten.has(`${conversation} ${one}`)),
      )
      if (isForgotten || gone.has(`${scope} ${id}`)) return { kind: 'gone' }
      const all = open(scope)
      for (const name of all.keys()) if (name.startsWith(`${id}/`)) all.delete(name)
      const kept = items.filter(({ saidAt }) => saidAt + lifeMs > now())
      let count = 0
      for (const [n, item] of items.entries()) {
        if (!kept.includes(item)) continue
        const sources = from.map(({ conversation, messages }) => ({ conversation, messages: [...messages] }))
        all.set(`${id}/${n}`, { ...item, v: 1, id: `${id}/${n}`, status: 'unconfirmed', from: sources })
        count += 1
        makeRoom(all)
      }
      return { kind: 'written', count }
    },
    walk: async (scope, from) => walk([...open(scope).values()].filter(lives(now())), from),
    readAll: async (scope) => [...open(scope).values()],
    async take(scope, ids) {
      const all = open(scope)
      return ids.filter((id) => all.delete(id)).length
    },
    async confirm(scope, id, by) {
      const item = open(scope).get(id)
      if (!item) return false
      open(scope).set(id, { ...item, status: 'confirmed', confirmedBy: by })
      return true
    },
    async sweep() {
      let count = 0
      for (const items of scopes.values())
        for (const item of items.values()) if (!lives(now())(item) && items.delete(item.id)) count += 1
      return count
    },
    async note(who, line) {
      const lines = linesOf(who)
      const number = lines.get(line) ?? Math.max(0, ...lines.values()) + 1
      lines.set(line, number)
      for (const oldest of lines.keys()) if (lines.size > mostLines) lines.delete(oldest)
      return number % together === 0
    },
    async claim(who, line) {
      const lines = linesOf(who)
      const number = lines.get(line)
      if (number === undefined) return lines.size > 0 ? 'late' : 'now'
      if (number % together === 0) return 'now'
      if ([...lines.keys()].at(-1) !== line) return 'later'
      lines.set(line, Math.ceil(number / together) * together)
      return 'now'
    },
    async count(what, times = 1) {
      counts.set(what, (counts.get(what) ?? 0) + times)
    },
    readCounts: async () => new Map(graphCounts.map((what) => [what, counts.get(what) ?? 0])),
    async forget(conversation, messages) {
      if (messages !== 'all') for (const id of messages) forgotten.add(`${conversation} ${id}`)
      for (const [scope, items] of scopes)
        for (const item of items.values()) {
          const isOf = item.from.some(
            (one) =>
              one.conversation === conversation &&
              (messages === 'all' || one.messages.some((id) => messages.includes(id))),
          )
          if (!isOf) continue
          items.delete(item.id)
          gone.add(`${scope} ${item.id.replace(/\/\d+$/, '')}`)
        }
    },
  }
}

const lives =
  (nowMs: number) =>
  ({ status, saidAt }: GraphItem): boolean =>
    status === 'confirmed' || saidAt + lifeMs > nowMs
const score = ({ status, saidAt, confidence }: GraphItem): number =>
  (status === 'confirmed' ? 1e15 : 0) + saidAt + lifeMs * Math.log(Math.max(confidence, 0.01))
const best = (items: readonly GraphItem[], most: number): readonly GraphItem[] =>
  items.toSorted((a, b) => score(b) - score(a)).slice(0, most)
const endsOf = (item: GraphItem): readonly EntityKey[] =>
  item.kind === 'relation' ? [toEntityKey(item.entity), toEntityKey(item.to)] : [toEntityKey(item.entity)]

function makeRoom(all: Map<string, GraphItem>): void {
  const of = (kind: GraphItem['kind'], key: EntityKey): readonly GraphItem[] =>
    [...all.values()].filter((item) => item.kind === kind && endsOf(item).includes(key))
  for (const key of endsOf([...all.values()].at(-1) ?? fail())) {
    for (const item of best(of('fact', key), all.size).slice(mostFacts)) all.delete(item.id)
    for (const item of best(of('relation', key), all.size).slice(mostEdges)) all.delete(item.id)
  }
  const isFull = (): boolean =>
    all.size > mostItems ||
    new Set([...all.values()].flatMap(endsOf)).size > mostEntities ||
    [...all.values()].reduce((sum, item) => sum + JSON.stringify(item).length, 0) > mostBytes
  if (all.size * 500 < mostBytes && all.size < mostEntities / 2) return
  while (isFull()) {
    const first = [...all.values()].toSorted((a, b) => a.saidAt - b.saidAt)[0]
    if (first) all.delete(first.id)
  }
}
function fail(): never {
  throw new Error('It was just written.')
}

function walk(items: readonly GraphItem[], from: readonly EntityKey[]): readonly WalkedItem[] {
  const found = new Map<string, WalkedItem>()
  const known = new Set(items.flatMap(endsOf))
  let front = [...new Set(from)].filter((key) => known.has(key)).slice(0, fanOut)
  const seen = new Set(front)
  const take = (item: GraphItem, hop: number): void => {
    if (!found.has(item.id) && found.size < mostWalked) found.set(item.id, { item, hop })
  }
  for (let hop = 0; hop <= hops; hop += 1) {
    const next: EntityKey[] = []
    for (const key of front) {
      const own = items.filter((item) => endsOf(item).includes(key))
      const facts = own.filter(({ kind }) => kind === 'fact')
      for (const item of best(facts, hop === 0 ? fanOut : mostFactsFar)) take(item, hop)
      if (hop === hops) continue
      const relations = own.filter(({ kind }) => kind === 'relation')
      for (const item of best(relations, fanOut)) {
        take(item, hop)
        for (const other of endsOf(item))
          if (!seen.has(other) && next.length < fanOut) {
            seen.add(other)
            next.push(other)
          }
      }
    }
    front = next
  }
  return [...found.values()]
}
