// What was found of people and things, drawn: the entities that have most to do with others, each with its place on a plane.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { toEntityKey } from '#shared/memory/entity-key.ts'
import type { GraphEntity, GraphItem, MemoryGraph } from '#shared/memory/graph.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { onOneLine } from './words.ts'

/** As the page gets it. Places are in units of which a node's circle takes about 30, around 0. */
export type DrawnGraph = {
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
  /** There are more entities or relations than are drawn. */
  readonly isPart: boolean
}
type DrawnNode = {
  readonly key: string
  readonly name: string
  readonly type: GraphEntity['type']
  /** It is who looks. */
  readonly isSelf: boolean
  readonly x: number
  readonly y: number
  /** The newest first. */
  readonly facts: readonly Said[]
}
/** From and to are keys of nodes. */
type DrawnEdge = Said & { readonly from: string; readonly to: string }
type Said = { readonly id: string; readonly says: string; readonly isConfirmed: boolean; readonly saidAt: number }

/** Places nodes by what lies between them, in the order of the keys. */
export type PlaceNodes = (
  keys: readonly string[],
  edges: readonly { readonly from: string; readonly to: string }[],
) => readonly { readonly x: number; readonly y: number }[]

export type GraphPagePorts = {
  readonly graph: Pick<MemoryGraph, 'readAll' | 'take' | 'confirm'>
  readonly placeNodes: PlaceNodes
}

/** More than that nobody can look at; and placing them takes its time, which grows with their number. */
const [mostNodes, mostEdges, mostFacts] = [120, 300, 20]

export async function drawGraph({ graph, placeNodes }: GraphPagePorts, principal: PrincipalId): Promise<DrawnGraph> {
  const items = (await graph.readAll(ofPerson(principal))).toSorted((a, b) => b.saidAt - a.saidAt)
  const entities = new Map<string, { readonly entity: GraphEntity; count: number }>()
  for (const entity of items.flatMap(entitiesOf)) {
    const known = entities.get(toEntityKey(entity))
    if (known) known.count += 1
    else entities.set(toEntityKey(entity), { entity, count: 1 })
  }
  const chosen = [...entities].toSorted(([, a], [, b]) => b.count - a.count).slice(0, mostNodes)
  const there = new Set(chosen.map(([key]) => key))
  const relations = items.flatMap((item) => (item.kind === 'relation' ? [toEdge(item)] : []))
  const edges = relations.filter(({ from, to }) => there.has(from) && there.has(to)).slice(0, mostEdges)
  const facts = Map.groupBy(
    items.flatMap((item) => (item.kind === 'fact' ? [item] : [])),
    ({ entity }) => toEntityKey(entity),
  )
  const places = placeNodes([...there], edges)
  const nodes = chosen.map(([key, { entity }], nth): DrawnNode => ({
    key,
    name: onOneLine(entity.name),
    type: entity.type,
    isSelf: entity.principal === principal,
    x: places[nth]?.x ?? 0,
    y: places[nth]?.y ?? 0,
    facts: (facts.get(key) ?? []).slice(0, mostFacts).map((item) => toSaid(item, item.value)),
  }))
  return { nodes, edges, isPart: entities.size > nodes.length || relations.length > edges.length }
}

const entitiesOf = (item: GraphItem): readonly GraphEntity[] =>
  item.kind === 'fact' ? [item.entity] : [item.entity, item.to]

const toSaid = ({ id, key, status, saidAt }: GraphItem, value: string): Said => ({
  id,
  says: onOneLine(`${key} ${value}`),
  isConfirmed: status === 'confirmed',
  saidAt,
})

const toEdge = (item: Extract<GraphItem, { kind: 'relation' }>): DrawnEdge => ({
  ...toSaid(item, item.to.name),
  from: toEntityKey(item.entity),
  to: toEntityKey(item.to),
})
