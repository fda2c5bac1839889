// Linked accounts on Redis: all accounts of a person share one scope. Only who belongs together and what parts with whom is decided here.
import { account, type Account, type Accounts, type Linking } from '#shared/memory/accounts.ts'
import { mostAccounts, ofLinked, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { Parted } from './move-records.ts'
import { toRecord, type Memory } from './open-memory.ts'
import { callAt, createPlaces, raw, toFindLead } from './place.ts'
import { unpoint } from './pointers.ts'
import { scopePrefix } from './scope-key.ts'
import { openSharedScopes, type SharedDeps, type SharedKind, type SharedScopes } from './shared-scopes.ts'
import { mostRecords } from './write-record.ts'

/** The texts by which people are asked: linked accounts share one. */
export type SharedDesks = {
  /** All that is known by both is known by the second one afterwards, and the first is gone. Safe to repeat. */
  join(from: string, to: string): Promise<void>
  /** The second one knows what the first does, too. Safe to repeat. */
  copy(from: string, to: string): Promise<void>
}

export type AccountsDeps = SharedDeps & { readonly desks: SharedDesks }

export function createAccounts(deps: AccountsDeps): Accounts {
  const scopes = openSharedScopes(deps, toKind(deps))
  const read = async (shared: MemoryScope): Promise<readonly Account[]> =>
    (await scopes.read(shared)).map((json) => readStored('linked account', account, json))
  const findShared = async (principal: PrincipalId): Promise<MemoryScope | undefined> =>
    await scopes.find(ofPerson(principal))
  const enter = async (one: Account, shared: MemoryScope): Promise<boolean> =>
    await scopes.enter(ofPerson(one.principal), shared, JSON.stringify(one))
  /** Parts the last account of a shared scope from it. Somebody may come in while that one leaves, so it looks again. */
  async function dissolve(shared: MemoryScope): Promise<void> {
    for (let tries = 0; tries < mostAccounts; tries++) {
      const [last, ...more] = await read(shared)
      if (!last || more.length > 0) return
      await scopes.leave(ofPerson(last.principal), shared)
    }
  }
  /** Where one left, another one may be alone. */
  async function goOn(principal: PrincipalId): Promise<void> {
    for (const { own, shared } of await scopes.goOn(ofPerson(principal)))
      if ((await scopes.find(own)) !== shared) await dissolve(shared)
  }
  return {
    async find(principal) {
      const shared = await findShared(principal)
      const all = shared === undefined ? [] : await read(shared)
      return all.length > 1 ? all : []
    },
    async link(one, other, id) {
      for (const { principal } of [one, other]) await scopes.goOn(ofPerson(principal))
      const [own, others] = [await findShared(one.principal), await findShared(other.principal)]
      if (own !== undefined && others !== undefined && own !== others) return 'both-linked'
      const shared = own ?? others ?? ofLinked(id)
      const refused = await refuse(scopes, await read(shared), { shared, joins: [one, other] })
      if (refused) return refused
      if ((await enter(one, shared)) && (await enter(other, shared))) return 'linked'
      await dissolve(shared)
      const isElsewhere = [await findShared(one.principal), await findShared(other.principal)].some(Boolean)
      return isElsewhere ? 'both-linked' : 'ended'
    },
    async unlink(principal) {
      await goOn(principal)
      const shared = await findShared(principal)
      if (shared === undefined) return
      await scopes.leave(ofPerson(principal), shared)
      await dissolve(shared)
    },
    goOn,
    finish: () => scopes.finish(dissolve),
  }
}

/** Both scopes of a person are shared: the records kept for them, and the questions that wait for them. */
function toKind({ desks, redis }: AccountsDeps): SharedKind {
  return {
    movingKey: 'fl:{accounts}:moving',
    toPairs: (own, shared) => [
      [own, shared],
      [toAsk(own), toAsk(shared)],
    ],
    part: (record, own) => partRecord(record, toName(own)),
    async begin({ own, shared, joins }, memory) {
      await (joins ? memory.bars.copy(own, shared) : memory.bars.copy(shared, own))
      if (!joins) await takeApart(memory, redis, shared)
    },
    async end({ own, shared, joins }, count) {
      const [person, desk] = [toName(own), toName(shared)]
      if (joins) await desks.join(person, desk)
      else await (count === 0 ? desks.join(desk, person) : desks.copy(desk, person))
    },
  }
}

const toName = (scope: MemoryScope): string => scope.slice('user:'.length)
const toAsk = (scope: MemoryScope): MemoryScope => `ask:${toName(scope)}`

/** The text by which a person is asked is that of all their linked accounts. */
export function createDeskNames(redis: RedisClient): (principal: PrincipalId) => Promise<string> {
  const places = createPlaces(toFindLead(redis))
  return async (principal) => toName((await places.find(ofPerson(principal))).at)
}

/** Where there is no room for both. */
async function refuse(
  { memory }: SharedScopes,
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
function partRecord(record: MemoryRecord, principal: PrincipalId): Parted | undefined {
  const { alsoBy = [], ...rest } = record
  const said = [record.speaker, ...alsoBy]
  if (!said.includes(principal)) return undefined
  const [speaker, ...others] = said.filter((one) => one !== principal)
  const toSources = (of: readonly PrincipalId[]): MemoryRecord['from'] => findSources(record, of)
  if (speaker === undefined) return { goes: { ...rest, speaker: principal, from: toSources([principal]) } }
  return {
    goes: { ...rest, speaker: principal, from: toSources([principal]) },
    stays: { ...rest, speaker, ...(others.length > 0 && { alsoBy: others }), from: toSources([speaker, ...others]) },
  }
}

/** Takes apart what was merged from records of several accounts, so that no account keeps the words of another one. */
async function takeApart(memory: Memory, redis: RedisClient, shared: MemoryScope): Promise<void> {
  const all = Object.values(await fromStore(redis.hgetall(`${scopePrefix(shared)}mr:${shared}`))).map(toRecord)
  const ofSeveral = all.filter(({ merged = [], alsoBy = [] }) => merged.length > 0 && alsoBy.length > 0)
  if (ofSeveral.length === 0) return
  const place = { scope: shared, at: shared, via: raw }
  await callAt(
    memory.call,
    'memoryDrop',
    place,
    ofSeveral.map(({ id }) => `@${id}`),
  )
  for (const record of ofSeveral) await unpoint(memory.call, shared, record)
}

/** The messages on the channels of these accounts. They do not see the messages of other accounts any more. */
function findSources({ from }: MemoryRecord, of: readonly PrincipalId[]): MemoryRecord['from'] {
  const channels = new Set(of.map(toChannel))
  return from.filter(({ conversation }) => channels.has(toChannel(conversation)))
}
const toChannel = (id: string): string => id.slice(0, id.indexOf(':'))
