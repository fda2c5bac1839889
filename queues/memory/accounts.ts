// Linked accounts on Redis. Who belongs together says the scope that they share, by a field for each account; all else follows from that and is safe to
// repeat: where the scope of an account leads, and where its records stand. A list names those that are on the way, until they are through.
import { account, type Account, type Accounts, type Linking } from '#shared/memory/accounts.ts'
import { mostAccounts, ofLinked, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Comparing } from '#shared/memory/store.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'
import { moveRecords, type Parted } from './move-records.ts'
import { openMemory, type Memory } from './open-memory.ts'
import { scopePrefix } from './scope-key.ts'
import { mostRecords } from './write-record.ts'

const movingKey = 'fl:{accounts}:moving'
const fields = (scope: MemoryScope): string => `${scopePrefix(scope)}mc:${scope}`

export function createAccounts(redis: RedisClient, call: CallUnit, comparing: Comparing): Accounts {
  const memory = openMemory(redis, call, comparing)
  const { places } = memory

  const findShared = async (principal: PrincipalId): Promise<MemoryScope | undefined> => {
    const { scope, at } = await places.find(ofPerson(principal))
    return at === scope ? undefined : at
  }
  const findMoving = async (): Promise<readonly (readonly [PrincipalId, MemoryScope])[]> =>
    Object.entries(await fromStore(redis.hgetall(movingKey)))
  async function read(shared: MemoryScope): Promise<readonly Account[]> {
    const found = Object.entries(await fromStore(redis.hgetall(fields(shared))))
    return found
      .flatMap(([field, json]) => (field.startsWith('of ') ? [readStored('linked account', account, json)] : []))
      .toSorted((a, b) => (a.principal < b.principal ? -1 : 1))
  }
  const lead = (scope: MemoryScope, args: readonly string[]): Promise<unknown> =>
    call('memoryLead', scopePrefix(scope), [scope, ...args])

  /** Has the scope of an account lead where it belongs, and its records stand there. */
  async function settle(principal: PrincipalId, shared: MemoryScope, takesAll = false): Promise<void> {
    const own = ofPerson(principal)
    const isIn = (await fromStore(redis.hexists(fields(shared), `of ${own}`))) === 1
    if (isIn) {
      await moveRecords(memory, redis, { from: own, to: shared, part: (record) => ({ goes: record }) })
    } else {
      if ((await findShared(principal)) === shared) await lead(own, ['to', ''])
      await moveRecords(memory, redis, {
        from: shared,
        to: own,
        part: (record) => partRecord(record, principal, takesAll),
      })
    }
    await fromStore(redis.hdel(movingKey, principal))
  }

  /** Whether it could: it may have been linked with others meanwhile. */
  async function enter(one: Account, shared: MemoryScope): Promise<boolean> {
    const own = ofPerson(one.principal)
    await fromStore(redis.hset(movingKey, one.principal, shared))
    const isFree = text(await lead(own, ['to', shared])) === shared
    if (isFree) await lead(shared, ['of', own, JSON.stringify(one)])
    await settle(one.principal, shared)
    return isFree
  }
  async function leave(principal: PrincipalId, shared: MemoryScope, takesAll = false): Promise<void> {
    await fromStore(redis.hset(movingKey, principal, shared))
    await lead(shared, ['of', ofPerson(principal), ''])
    await settle(principal, shared, takesAll)
  }

  /** Whoever is left alone is linked with nobody. */
  async function dissolve(shared: MemoryScope): Promise<void> {
    const [last, ...more] = await read(shared)
    if (!last || more.length > 0) return
    // Others may be on their way out: what they said is theirs.
    for (const [principal, to] of await findMoving())
      if (to === shared && principal !== last.principal) await settle(principal, shared)
    await leave(last.principal, shared, true)
  }

  return {
    async find(principal) {
      const shared = await findShared(principal)
      const all = shared === undefined ? [] : await read(shared)
      return all.length > 1 ? all : []
    },
    async link(one, other, id) {
      const [own, others] = [await findShared(one.principal), await findShared(other.principal)]
      if (own !== undefined && others !== undefined && own !== others) return 'both-linked'
      const shared = own ?? others ?? ofLinked(id)
      const refused = await refuse(memory, await read(shared), { shared, joins: [one, other] })
      if (refused) return refused
      const isDone = (await enter(one, shared)) && (await enter(other, shared))
      if (isDone) return 'linked'
      await dissolve(shared)
      return 'both-linked'
    },
    async unlink(principal) {
      const shared = await findShared(principal)
      if (shared === undefined) return
      const others = (await read(shared)).filter((one) => one.principal !== principal)
      await leave(principal, shared, others.length === 0)
      await dissolve(shared)
    },
    async finish() {
      for (const [principal, shared] of await findMoving()) {
        await settle(principal, shared)
        await dissolve(shared)
      }
    },
  }
}

/** Where there is no room for both. */
async function refuse(
  memory: Memory,
  linked: readonly Account[],
  { shared, joins }: { readonly shared: MemoryScope; readonly joins: readonly Account[] },
): Promise<Exclude<Linking, 'linked'> | undefined> {
  const known = new Set(linked.map(({ principal }) => principal))
  const added = joins.filter(({ principal }) => !known.has(principal))
  if (known.size + added.length > mostAccounts) return 'too-many'
  const counts = await Promise.all([shared, ...added.map((one) => ofPerson(one.principal))].map(memory.count))
  return counts.reduce((sum, count) => sum + count, 0) > mostRecords ? 'full' : undefined
}

/** What this account said goes with it; what others said, too, stays with them as theirs. */
function partRecord(record: MemoryRecord, principal: PrincipalId, takesAll: boolean): Parted | undefined {
  const { alsoBy = [], ...rest } = record
  const said = [record.speaker, ...alsoBy]
  if (takesAll) return { goes: { ...rest, speaker: principal } }
  if (!said.includes(principal)) return undefined
  const [speaker, ...others] = said.filter((one) => one !== principal)
  const goes = { ...rest, speaker: principal }
  if (speaker === undefined) return { goes }
  return { goes, stays: { ...rest, speaker, ...(others.length > 0 && { alsoBy: others }) } }
}
