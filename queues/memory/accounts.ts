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
import { callAt, createPlaces, Moved, raw, toFindLead, toMoving, type Mover, type Place } from './place.ts'
import { scopePrefix } from './scope-key.ts'
import { mostRecords } from './write-record.ts'

const movingKey = 'fl:{accounts}:moving'
/** After so long, ms, the process that moved an account is taken for dead, and another one goes on. */
const lostMs = 60_000
const fields = (scope: MemoryScope): string => `${scopePrefix(scope)}mc:${scope}`

/** The texts by which people are asked: linked accounts share one. */
export type SharedDesks = {
  /** All that is known by both is known by the second one afterwards, and the first is gone. Safe to repeat. */
  join(from: string, to: string): Promise<void>
  /** The second one knows what the first does, too. Safe to repeat. */
  copy(from: string, to: string): Promise<void>
}

export type AccountsDeps = {
  readonly redis: RedisClient
  readonly call: CallUnit
  readonly comparing: Comparing
  readonly desks: SharedDesks
}

/** Both scopes of a person are shared: the records kept for them, and the questions that wait for them. */
const kinds = ['user:', 'ask:'] as const

type Moving = { readonly principal: PrincipalId; readonly shared: MemoryScope; readonly sinceMs: number }

export function createAccounts(deps: AccountsDeps): Accounts {
  const work = createWork(deps)
  const { memory, findShared, read, settle, enter, leave, dissolve } = work
  /** A process may have died on the way: what it left would be taken for done. */
  async function goOn(principal: PrincipalId): Promise<void> {
    for (const one of await findMoving(deps.redis)) if (one.principal === principal) await settle(principal, one.shared)
  }
  return {
    async find(principal) {
      const shared = await findShared(principal)
      const all = shared === undefined ? [] : await read(shared)
      return all.length > 1 ? all : []
    },
    async link(one, other, id) {
      for (const { principal } of [one, other]) await goOn(principal)
      const [own, others] = [await findShared(one.principal), await findShared(other.principal)]
      if (own !== undefined && others !== undefined && own !== others) return 'both-linked'
      const shared = own ?? others ?? ofLinked(id)
      const refused = await refuse(memory, await read(shared), { shared, joins: [one, other] })
      if (refused) return refused
      if ((await enter(one, shared)) && (await enter(other, shared))) return 'linked'
      await dissolve(shared)
      return 'both-linked'
    },
    async unlink(principal) {
      await goOn(principal)
      const shared = await findShared(principal)
      if (shared === undefined) return
      await leave(principal, shared)
      await dissolve(shared)
    },
    finish: () => finish(deps, work),
  }
}

/** Each is safe to repeat. */
function createWork(deps: AccountsDeps) {
  const { redis, call, comparing } = deps
  const memory = openMemory(redis, call, comparing)
  const common = { ...deps, memory, lead: createLead(call) }
  const settle = async (principal: PrincipalId, shared: MemoryScope): Promise<void> =>
    await settleAccount(common, { principal, shared })

  const findShared = async (principal: PrincipalId): Promise<MemoryScope | undefined> => {
    const { scope, at } = await memory.places.find(ofPerson(principal))
    return at === scope ? undefined : at
  }
  const read = (shared: MemoryScope): Promise<readonly Account[]> => findMembers(redis, shared)
  /** Whether it could: it may have been linked with others meanwhile. */
  async function enter(one: Account, shared: MemoryScope): Promise<boolean> {
    const own = ofPerson(one.principal)
    await noteMoving(redis, one.principal, shared)
    await common.lead(toAny(shared), ['of', own, JSON.stringify(one)])
    await settle(one.principal, shared)
    return (await findShared(one.principal)) === shared
  }
  async function leave(principal: PrincipalId, shared: MemoryScope): Promise<void> {
    await noteMoving(redis, principal, shared)
    await common.lead(toAny(shared), ['of', ofPerson(principal), ''])
    await settle(principal, shared)
  }
  /** Whoever is left alone is linked with nobody; also where somebody came in while the last one left. */
  async function dissolve(shared: MemoryScope): Promise<void> {
    for (let tries = 0; tries < mostAccounts; tries++) {
      const [last, ...more] = await read(shared)
      if (!last || more.length > 0) return
      await leave(last.principal, shared)
    }
  }
  return { memory, findShared, read, settle, enter, leave, dissolve }
}
type Work = ReturnType<typeof createWork>

async function finish({ redis }: AccountsDeps, { settle, dissolve }: Work): Promise<void> {
  const nowMs = await findNow(redis)
  for (const { principal, shared, sinceMs } of await findMoving(redis)) {
    if (nowMs - sinceMs < lostMs) continue
    await settle(principal, shared)
    await dissolve(shared)
  }
}

async function findMembers(redis: RedisClient, shared: MemoryScope): Promise<readonly Account[]> {
  const found = Object.entries(await fromStore(redis.hgetall(fields(shared))))
  return found
    .flatMap(([field, json]) => (field.startsWith('of ') ? [readStored('linked account', account, json)] : []))
    .toSorted((a, b) => (a.principal < b.principal ? -1 : 1))
}

const findNow = async (redis: RedisClient): Promise<number> => Number((await fromStore(redis.time()))[0]) * 1000

async function findMoving(redis: RedisClient): Promise<readonly Moving[]> {
  const found = Object.entries(await fromStore(redis.hgetall(movingKey)))
  return found.map(([field, since]) => {
    const [principal = '', shared = ''] = field.split(' ')
    return { principal, shared, sinceMs: Number(since) }
  })
}
async function noteMoving(redis: RedisClient, principal: PrincipalId, shared: MemoryScope): Promise<void> {
  await fromStore(redis.hset(movingKey, `${principal} ${shared}`, await findNow(redis)))
}

/** Whoever moves what, and wherever it leads. */
const toAny = (scope: MemoryScope): Place => ({ scope, at: scope, via: raw })

type Lead = (place: Place, args: readonly (string | number)[]) => Promise<string>
const createLead =
  (call: CallUnit): Lead =>
  async (place, args) => {
    const answer = await callAt(call, 'memoryLead', place, args)
    return typeof answer === 'number' ? String(answer) : text(answer)
  }

type Settling = Pick<AccountsDeps, 'redis' | 'desks'> & { readonly memory: Memory; readonly lead: Lead }
type Settled = { readonly principal: PrincipalId; readonly shared: MemoryScope }

/**
 * Has the scopes of an account lead where it belongs, and its records stand there. Of several at once the last one does it, as it knows all that the others
 * do: these end where they are.
 */
async function settleAccount(deps: Settling, settled: Settled): Promise<void> {
  const of = ofPerson(settled.principal)
  const turn = Number(await deps.lead(toAny(of), ['turn', of, '']))
  try {
    await settleIn(deps, settled, { of, turn })
  } catch (error) {
    if (!(error instanceof Moved)) throw error
  }
}

async function settleIn(deps: Settling, { principal, shared }: Settled, mover: Mover): Promise<void> {
  const { redis, desks, memory, lead } = deps
  const { of } = mover
  const move = (scope: MemoryScope): Place => toMoving(scope, mover)
  const pairs = kinds.map((kind) => [kind + principal, toScope(kind, shared)] as const)
  for (const scope of pairs.flat()) await lead(toAny(scope), ['turn', of, mover.turn])
  let json = (await fromStore(redis.hget(fields(shared), `of ${of}`))) ?? ''
  // It was linked with others first.
  if (json !== '' && (await lead(move(of), ['to', shared])) !== shared) json = ''
  await (json === '' ? memory.bars.copy(shared, of) : memory.bars.copy(of, shared))
  for (const [own, all] of pairs) {
    await lead(move(all), ['of', own, json])
    if (json !== '') {
      await lead(move(own), ['to', all])
      await moveRecords(memory, redis, { mover, from: own, to: all, part: (record) => ({ goes: record }) })
      continue
    }
    if ((await memory.places.find(own)).at === all) await lead(move(own), ['to', ''])
    const part = (record: MemoryRecord): Parted | undefined => partRecord(record, principal)
    await moveRecords(memory, redis, { mover, from: all, to: own, part })
  }
  // Nobody else does it by now.
  await lead(toAny(of), ['turn', of, mover.turn])
  const desk = shared.slice('user:'.length)
  if (json !== '') await desks.join(principal, desk)
  else
    await ((await findMembers(redis, shared)).length === 0 ? desks.join(desk, principal) : desks.copy(desk, principal))
  await fromStore(redis.hdel(movingKey, `${principal} ${shared}`))
}

/** The text by which a person is asked is that of all their linked accounts. */
export function createDeskNames(redis: RedisClient): (principal: PrincipalId) => Promise<string> {
  const places = createPlaces(toFindLead(redis))
  return async (principal) => (await places.find(ofPerson(principal))).at.slice('user:'.length)
}

const toScope = (kind: (typeof kinds)[number], shared: MemoryScope): MemoryScope => kind + shared.slice('user:'.length)

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
function partRecord(record: MemoryRecord, principal: PrincipalId): Parted | undefined {
  const { alsoBy = [], ...rest } = record
  const said = [record.speaker, ...alsoBy]
  if (!said.includes(principal)) return undefined
  const [speaker, ...others] = said.filter((one) => one !== principal)
  if (speaker === undefined) return { goes: { ...rest, speaker: principal } }
  const toSources = (of: readonly PrincipalId[]): MemoryRecord['from'] => findSources(record, of)
  return {
    goes: { ...rest, speaker: principal, from: toSources([principal]) },
    stays: { ...rest, speaker, ...(others.length > 0 && { alsoBy: others }), from: toSources([speaker, ...others]) },
  }
}

/** Messages on the channels of these accounts: those of others are not theirs to see any more. */
function findSources({ from }: MemoryRecord, of: readonly PrincipalId[]): MemoryRecord['from'] {
  const channels = new Set(of.map(toChannel))
  return from.filter(({ conversation }) => channels.has(toChannel(conversation)))
}
const toChannel = (id: string): string => id.slice(0, id.indexOf(':'))
