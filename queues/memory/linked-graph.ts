// The graph of linked accounts, and of chats of one project: what was found in what was said in each of them stays with it, and is walked together.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Accounts } from '#shared/memory/accounts.ts'
import { toEntityKey } from '#shared/memory/entity-key.ts'
import type { GraphEntity, GraphItem, MemoryGraph } from '#shared/memory/graph.ts'
import type { Projects } from '#shared/memory/projects.ts'
import { ofPerson, type MemoryScope } from '#shared/memory/record.ts'

type Linked = { readonly accounts: Pick<Accounts, 'find'>; readonly projects: Pick<Projects, 'find'> }
/** `principal`: of a linked account. */
type Other = { readonly scope: MemoryScope; readonly principal?: PrincipalId }

export function createLinkedGraph(graph: MemoryGraph, { accounts, projects }: Linked): MemoryGraph {
  /** The other scopes that are walked together with this one. `asker`: whose scope it is. */
  async function findOthers(
    scope: MemoryScope,
  ): Promise<{ readonly asker: string; readonly others: readonly Other[] }> {
    const [, kind, asker = ''] = /^(user|chat):(.*)$/.exec(scope) ?? []
    if (kind === 'chat') {
      const { chats = [] } = (await projects.find(asker)) ?? {}
      return { asker: '', others: chats.flatMap(({ chat }) => (chat === asker ? [] : [{ scope: `chat:${chat}` }])) }
    }
    const all = kind === 'user' ? await accounts.find(asker) : []
    const others = all.filter(({ principal }) => principal !== asker)
    return { asker, others: others.map(({ principal }) => ({ scope: ofPerson(principal), principal })) }
  }
  return {
    ...graph,
    async walk(scope, from) {
      const { asker, others } = from.length === 0 ? { asker: '', others: [] } : await findOthers(scope)
      const own = await graph.walk(scope, from)
      if (others.length === 0) return own
      const walked = others.map(async (other) => {
        const { principal } = other
        const keys = principal ? from.map((key) => (key === toSelf(asker) ? toSelf(principal) : key)) : from
        const found = await graph.walk(other.scope, keys)
        return found.map(({ item, hop }) => ({ item: toAsker(item, other, asker), hop }))
      })
      return [...own, ...(await Promise.all(walked)).flat()].toSorted((a, b) => a.hop - b.hop)
    },
    async confirm(scope, id, by) {
      const { others } = await findOthers(scope)
      for (const one of [{ scope }, ...others]) if (await graph.confirm(one.scope, id, by)) return true
      return false
    },
    async readAll(scope) {
      const { asker, others } = await findOthers(scope)
      const read = others.map(async (other) =>
        (await graph.readAll(other.scope)).map((item) => toAsker(item, other, asker)),
      )
      return [...(await graph.readAll(scope)), ...(await Promise.all(read)).flat()]
    },
    async take(scope, ids) {
      const { others } = await findOthers(scope)
      const each = await Promise.all([{ scope }, ...others].map((one) => graph.take(one.scope, ids)))
      return each.reduce((sum, count) => sum + count, 0)
    },
  }
}

const toSelf = (principal: PrincipalId): string => toEntityKey({ name: '', principal })

/** All accounts of a person are that person. */
function toAsker(item: GraphItem, { principal: other }: Other, asker: PrincipalId): GraphItem {
  if (other === undefined) return item
  const toEntity = (entity: GraphEntity): GraphEntity =>
    entity.principal === other ? { ...entity, principal: asker } : entity
  const common = { speaker: item.speaker === other ? asker : item.speaker, entity: toEntity(item.entity) }
  return item.kind === 'fact' ? { ...item, ...common } : { ...item, ...common, to: toEntity(item.to) }
}
