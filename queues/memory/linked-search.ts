// Search in the scopes of linked accounts: the index has the records of all of them in the scope that they share.
import type { FoundEntry, MemoryIndex } from '#shared/memory/entry.ts'
import type { MemoryScope } from '#shared/memory/record.ts'
import type { RedisClient } from '#queues/connection.ts'
import { createPlaces, toFindLead } from './place.ts'

export function createLinkedSearch(redis: RedisClient, index: MemoryIndex): MemoryIndex {
  const places = createPlaces(toFindLead(redis))
  async function place(scopes: readonly MemoryScope[]) {
    const found = await Promise.all(scopes.map(places.find))
    const asked = new Map(found.map(({ at, scope }) => [at, scope]))
    const toAsked = (one: FoundEntry): FoundEntry => {
      const scope = asked.get(one.entry.scope) ?? one.entry.scope
      return { ...one, entry: { ...one.entry, scope } }
    }
    return { scopes: found.map(({ at }) => at), toAsked }
  }
  const { findNear } = index
  return {
    async find(query, signal) {
      const { scopes, toAsked } = await place(query.scopes)
      return (await index.find({ ...query, scopes }, signal)).map(toAsked)
    },
    ...(findNear && {
      async findNear(query, signal) {
        const { scopes, toAsked } = await place(query.scopes)
        const near = await findNear.call(index, { ...query, scopes }, signal)
        return { ...near, found: near.found.map(toAsked) }
      },
    }),
  }
}
