// The graph of linked accounts: what was found in what each of them said stays with that account, and is walked together.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Accounts } from '#shared/memory/accounts.ts'
import { toEntityKey } from '#shared/memory/entity-key.ts'
import type { GraphEntity, GraphItem, MemoryGraph } from '#shared/memory/graph.ts'
import { ofPerson, type MemoryScope } from '#shared/memory/record.ts'

export function createLinkedGraph(graph: MemoryGraph, accounts: Pick<Accounts, 'find'>): MemoryGraph {
  /** Whose scope it is, and their other accounts. */
  async function findAccounts(scope: MemoryScope) {
    if (!scope.startsWith('user:')) return { asker: '', others: [] }
    const asker = scope.slice('user:'.length)
    const all = await accounts.find(asker)
    return { asker, others: all.flatMap(({ principal }) => (principal === asker ? [] : [principal])) }
  }
  return {
    ...graph,
    async walk(scope, from) {
      const { asker, others } = from.length === 0 ? { asker: '', others: [] } : await findAccounts(scope)
      const own = await graph.walk(scope, from)
      if (others.length === 0) return own
      const walked = others.map(async (other) => {
        const keys = from.map((key) => (key === toSelf(asker) ? toSelf(other) : key))
        const found = await graph.walk(ofPerson(other), keys)
        return found.map(({ item, hop }) => ({ item: toAsker(item, other, asker), hop }))
      })
      return [...own, ...(await Promise.all(walked)).flat()].toSorted((a, b) => a.hop - b.hop)
    },
    async confirm(scope, id, by) {
      const { others } = await findAccounts(scope)
      for (const one of [scope, ...others.map(ofPerson)]) if (await graph.confirm(one, id, by)) return true
      return false
    },
    async readAll(scope) {
      const { asker, others } = await findAccounts(scope)
      const read = others.map(async (other) =>
        (await graph.readAll(ofPerson(other))).map((item) => toAsker(item, other, asker)),
      )
      return [...(await graph.readAll(scope)), ...(await Promise.all(read)).flat()]
    },
    async take(scope, ids) {
      const { others } = await findAccounts(scope)
      const each = await Promise.all([scope, ...others.map(ofPerson)].map((one) => graph.take(one, ids)))
      return each.reduce((sum, count) => sum + count, 0)
    },
  }
}

const toSelf = (principal: PrincipalId): string => toEntityKey({ name: '', principal })

/** All accounts of a person are that person. */
function toAsker(item: GraphItem, other: PrincipalId, asker: PrincipalId): GraphItem {
  const toEntity = (entity: GraphEntity): GraphEntity =>
    entity.principal === other ? { ...entity, principal: asker } : entity
  const common = { speaker: item.speaker === other ? asker : item.speaker, entity: toEntity(item.entity) }
  return item.kind === 'fact' ? { ...item, ...common } : { ...item, ...common, to: toEntity(item.to) }
}
