// Items of the graph of memory as a reader finds them.
import type { GraphBatch, GraphEntity, NewGraphItem } from '#shared/memory/graph.ts'

type Shared = Partial<Pick<NewGraphItem, 'confidence' | 'speaker' | 'name' | 'saidAt'>>
type Fact = Extract<NewGraphItem, { kind: 'fact' }>
type Relation = Extract<NewGraphItem, { kind: 'relation' }>

const saidAt = Date.now() - 60_000
const entity = (name: string): GraphEntity => ({ name, type: 'concept' })
const common = { confidence: 0.9, speaker: 'web:ann', saidAt } as const

export const factOf = (name: string, key: string, value: string, more: Shared = {}): Fact => ({
  ...common,
  ...more,
  kind: 'fact',
  entity: entity(name),
  key,
  value,
})
export const relationOf = (name: string, key: string, to: string, more: Shared = {}): Relation => ({
  ...common,
  ...more,
  kind: 'relation',
  entity: entity(name),
  key,
  to: entity(to),
})

let counted = 0
export function foundIn(
  { conversation, messages }: GraphBatch['from'][number],
  items: readonly NewGraphItem[],
  id = `graph-${(counted += 1)}`,
): GraphBatch {
  return { id, from: [{ conversation, messages }], items }
}
