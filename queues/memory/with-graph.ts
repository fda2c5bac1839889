// A record that is forgotten for good takes along what a model found of people and things, as far as the record says it: in its own messages, and in others
// where that would not be found any more. Whoever looks at the graph would read it there still.
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import type { GraphItem, MemoryGraph } from '#shared/memory/graph.ts'
import type { Comparing, MemoryStore, Which } from '#shared/memory/store.ts'
import type { GraphBars } from './redis-graph.ts'

type GraphDeps = {
  readonly comparing: Pick<Comparing, 'read'>
  readonly bars: Pick<GraphBars, 'leaveOut'>
}

export function withGraph(
  memory: MemoryStore,
  graph: Pick<MemoryGraph, 'readAll' | 'take'>,
  { comparing, bars }: GraphDeps,
): MemoryStore {
  async function findGone(scope: MemoryScope, which: readonly Which[]): Promise<readonly MemoryRecord[]> {
    const named = [
      ...(await memory.find(
        scope,
        which.filter((one) => typeof one === 'number'),
      )),
      ...(await memory.findBy(
        scope,
        which.filter((one) => typeof one === 'string'),
      )),
    ]
    const under = await memory.findBy(
      scope,
      named.flatMap(({ merged = [] }) => merged),
    )
    return [...named, ...under]
  }
  return {
    ...memory,
    async drop(scope, which, how) {
      if (how !== 'for-good') return await memory.drop(scope, which, how)
      // First: where the process dies in between, the record is there still, and the same is done again.
      const [gone, items] = [await findGone(scope, which), await graph.readAll(scope)]
      const derived = items.filter((item) => gone.some((record) => isOf(comparing, record, item)))
      await graph.take(scope, toIds(derived))
      const count = await memory.drop(scope, which, how)
      // What is found from now on is barred.
      const others = items.filter((item) => !derived.includes(item))
      const left = new Set(await bars.leaveOut(scope, others))
      await graph.take(scope, toIds(others.filter((item) => !left.has(item))))
      return count
    },
  }
}

const toIds = (items: readonly GraphItem[]): readonly string[] => items.map(({ id }) => id)

/** Whether the item comes of a message of the record, and says nothing that the record does not. */
function isOf(comparing: Pick<Comparing, 'read'>, record: MemoryRecord, item: GraphItem): boolean {
  const known = new Set(record.from.flatMap(toNames))
  if (!item.from.flatMap(toNames).some((name) => known.has(name))) return false
  const words = new Set(comparing.read(record).words)
  return toTexts(item).every((text) => comparing.read({ text }).words.every((word) => words.has(word)))
}

const toNames = ({ conversation, messages }: MemoryRecord['from'][number]): readonly string[] =>
  messages.map((message) => `${conversation} ${message}`)

/** What it names. Who spoke of themselves is not named; the key is the model's own word. */
function toTexts(item: GraphItem): readonly string[] {
  const ends = item.kind === 'fact' ? [item.entity] : [item.entity, item.to]
  const names = ends.flatMap(({ name, principal }) => (principal === undefined ? [name] : []))
  return item.kind === 'fact' ? [...names, item.value] : names
}
