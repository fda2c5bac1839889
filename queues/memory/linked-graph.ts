// The graph of linked accounts: what was found in what each of them said stays with that account, and is walked together.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Accounts } from '#shared/memory/accounts.ts'
import { toEntityKey } from '#shared/memory/entity-key.ts'
import type { GraphEntity, MemoryGraph, WalkedItem } from '#shared/memory/graph.ts'
import { ofPerson } from '#shared/memory/record.ts'

export const createLinkedGraph = (graph: MemoryGraph, accounts: Pick<Accounts, 'find'>): MemoryGraph => ({
  ...graph,
  async walk(scope, from) {
    if (from.length === 0 || !scope.startsWith('user:')) return await graph.walk(scope, from)
    const asker = scope.slice('user:'.length)
    const others = (await accounts.find(asker)).flatMap(({ principal }) => (principal === asker ? [] : [principal]))
    const each = await Promise.all([
      graph.walk(scope, from),
      ...others.map(async (other) => {
        const walked = await graph.walk(
          ofPerson(other),
          from.map((key) => (key === toSelf(asker) ? toSelf(other) : key)),
        )
        return walked.map((one) => toAsker(one, other, asker))
      }),
    ])
    return others.length === 0 ? each.flat() : each.flat().toSorted((a, b) => a.hop - b.hop)
  },
})

const toSelf = (principal: PrincipalId): string => toEntityKey({ name: '', principal })

/** All accounts of a person are that person. */
function toAsker({ item, hop }: WalkedItem, other: PrincipalId, asker: PrincipalId): WalkedItem {
  const toEntity = (entity: GraphEntity): GraphEntity =>
    entity.principal === other ? { ...entity, principal: asker } : entity
  const common = { speaker: item.speaker === other ? asker : item.speaker, entity: toEntity(item.entity) }
  return { item: item.kind === 'fact' ? { ...item, ...common } : { ...item, ...common, to: toEntity(item.to) }, hop }
}
