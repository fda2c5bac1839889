// Scopes that several share, on Redis: accounts of one person, chats of one project. The shared scope says who shares it: it has a field for each. All else
// follows from that and is safe to repeat: where the scope of each leads, and where its records stand. A list names those whose records are being moved.
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import type { Comparing } from '#shared/memory/store.ts'
import type { RedisClient } from '#queues/connection.ts'
import { text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'
import { moveRecords, type Parted } from './move-records.ts'
import { openMemory, type Memory } from './open-memory.ts'
import { callAt, Moved, raw, readSharers, toMoving, type Mover, type Place } from './place.ts'
import { scopePrefix } from './scope-key.ts'

/** After so long, ms, the process that moved records is taken for dead, and another one goes on. */
const lostMs = 60_000
const fields = (scope: MemoryScope): string => `${scopePrefix(scope)}mc:${scope}`

/** `own` shares a scope, or does not any more. */
export type Way = { readonly own: MemoryScope; readonly shared: MemoryScope; readonly joins: boolean }

/** What differs between those that share scopes. */
export type SharedKind = {
  /** The hash of those on the way: `<own scope> <shared scope>`. */
  readonly movingKey: string
  /** Scopes that lead elsewhere, with where they lead. The first one is `own`, which leads to `shared`. */
  toPairs(own: MemoryScope, shared: MemoryScope): readonly (readonly [MemoryScope, MemoryScope])[]
  /** Of a shared record, when `own` leaves. */
  part(record: MemoryRecord, own: MemoryScope): Parted | undefined
  /** What is done before the records move, and behind them; `count` share it then. Safe to repeat. */
  begin?(way: Way, memory: Memory): Promise<void>
  end?(way: Way, count: number): Promise<void>
}

export type SharedDeps = { readonly redis: RedisClient; readonly call: CallUnit; readonly comparing: Comparing }

/** The records of `own` are moved to the scope that it shares, or back. */
export type Moving = { readonly own: MemoryScope; readonly shared: MemoryScope; readonly sinceMs: number }

/** All are safe to repeat. */
export type SharedScopes = {
  readonly memory: Memory
  /** Which scope this one shares. */
  find(own: MemoryScope): Promise<MemoryScope | undefined>
  /** What is known of each that shares it, as `enter` had it. */
  read(shared: MemoryScope): Promise<readonly string[]>
  /** False where it shares another one by now. */
  enter(own: MemoryScope, shared: MemoryScope, json: string): Promise<boolean>
  leave(own: MemoryScope, shared: MemoryScope): Promise<void>
  /** Ends what a process began for it, or for those that it shares with, and that may have died: what it left would be taken for done. */
  goOn(own: MemoryScope): Promise<readonly Moving[]>
  /** The same of all that take too long. One that fails holds up no other; what was wrong is thrown in the end. */
  finish(settled?: (shared: MemoryScope) => Promise<void>): Promise<void>
}

export function openSharedScopes({ redis, call, comparing }: SharedDeps, kind: SharedKind): SharedScopes {
  const memory = openMemory(redis, call, comparing)
  const lead = createLead(call)
  const settle = async (own: MemoryScope, shared: MemoryScope): Promise<void> =>
    await settleOne({ redis, memory, lead, kind }, own, shared)
  const find = async (own: MemoryScope): Promise<MemoryScope | undefined> => {
    const { scope, at } = await memory.places.find(own)
    return at === scope ? undefined : at
  }
  const findMoving = async (): Promise<readonly Moving[]> => {
    const found = Object.entries(await fromStore(redis.hgetall(kind.movingKey)))
    return found.map(([field, since]) => {
      const [own = '', shared = ''] = field.split(' ')
      return { own, shared, sinceMs: Number(since) }
    })
  }
  async function change(own: MemoryScope, shared: MemoryScope, json: string): Promise<void> {
    await fromStore(redis.hset(kind.movingKey, `${own} ${shared}`, await findNow(redis)))
    await lead(toAny(shared), ['of', own, json])
    await settle(own, shared)
  }
  return {
    memory,
    find,
    read: async (shared) => [...(await readSharers(redis, shared)).values()],
    async enter(own, shared, json) {
      await change(own, shared, json)
      return (await find(own)) === shared
    },
    leave: (own, shared) => change(own, shared, ''),
    async goOn(own) {
      const moving = await findMoving()
      const shared = moving.length > 0 ? await find(own) : undefined
      const begun = moving.filter((one) => one.own === own || one.shared === shared)
      for (const one of begun) await settle(one.own, one.shared)
      return begun
    },
    async finish(settled) {
      const nowMs = await findNow(redis)
      const lost = (await findMoving()).filter(({ sinceMs }) => nowMs - sinceMs >= lostMs)
      const failures: unknown[] = []
      for (const { own, shared } of lost)
        try {
          await settle(own, shared)
          await settled?.(shared)
        } catch (error) {
          failures.push(error)
        }
      if (failures.length > 0) throw failures[0]
    },
  }
}

const findNow = async (redis: RedisClient): Promise<number> => Number((await fromStore(redis.time()))[0]) * 1000

/** For units that ignore where the scope leads. */
const toAny = (scope: MemoryScope): Place => ({ scope, at: scope, via: raw })

type Lead = (place: Place, args: readonly (string | number)[]) => Promise<string>
const createLead =
  (call: CallUnit): Lead =>
  async (place, args) => {
    const answer = await callAt(call, 'memoryLead', place, args)
    return typeof answer === 'number' ? String(answer) : text(answer)
  }

type Settling = Pick<SharedDeps, 'redis'> & {
  readonly memory: Memory
  readonly lead: Lead
  readonly kind: SharedKind
}

const [mostTurns, waitMs, everyMs] = [3, 3000, 20]

/**
 * Makes the scopes of one sharer lead where they belong, and moves its records there. Of several processes at once the newest does the work. The others wait
 * for it, and take over if it does not end.
 */
async function settleOne(deps: Settling, own: MemoryScope, shared: MemoryScope): Promise<void> {
  for (let turns = 0; turns < mostTurns; turns++) {
    const turn = Number(await deps.lead(toAny(own), ['turn', own, '']))
    try {
      return await settleIn(deps, shared, { of: own, turn })
    } catch (error) {
      if (!(error instanceof Moved)) throw error
    }
    if (await isThrough(deps, `${own} ${shared}`)) return
  }
}

/** Whether nobody moves it any more, after a while. */
async function isThrough({ redis, kind }: Settling, field: string): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += everyMs) {
    if ((await fromStore(redis.hexists(kind.movingKey, field))) === 0) return true
    await sleep(everyMs)
  }
  return false
}

async function settleIn({ redis, memory, lead, kind }: Settling, shared: MemoryScope, mover: Mover): Promise<void> {
  const { of: own } = mover
  const move = (scope: MemoryScope): Place => toMoving(scope, mover)
  const pairs = kind.toPairs(own, shared)
  for (const scope of pairs.flat()) await lead(toAny(scope), ['turn', own, mover.turn])
  let json = (await fromStore(redis.hget(fields(shared), `of ${own}`))) ?? ''
  // It shares another scope already.
  if (json !== '' && (await lead(move(own), ['to', shared])) !== shared) json = ''
  const way: Way = { own, shared, joins: json !== '' }
  await kind.begin?.(way, memory)
  let isWhole = true
  for (const [from, to] of pairs) {
    await lead(move(to), ['of', from, json])
    if (way.joins) await lead(move(from), ['to', to])
    else if ((await memory.places.find(from)).at === to) await lead(move(from), ['to', ''])
    const moving = way.joins
      ? { from, to, part: (record: MemoryRecord) => ({ goes: record }) }
      : { from: to, to: from, part: (record: MemoryRecord) => toOwnParts(kind.part(record, own), own) }
    isWhole = (await moveRecords(memory, redis, { mover, ...moving })) && isWhole
  }
  // No later process has taken over.
  await lead(toAny(own), ['turn', own, mover.turn])
  await kind.end?.(way, (await readSharers(redis, shared)).size)
  // What there was no room for is tried again by the clock.
  if (isWhole) await fromStore(redis.hdel(kind.movingKey, `${own} ${shared}`))
}

/** A copy is a record of its own, and another one once it is said again: what was forgotten in one scope keeps nothing out of the other. */
function toOwnParts(parted: Parted | undefined, own: MemoryScope): Parted | undefined {
  if (!parted?.stays) return parted
  const id = `parted-${hash('sha256', JSON.stringify([own, parted.goes.id, parted.goes.from]), 'hex').slice(0, 24)}`
  return { ...parted, goes: { ...parted.goes, id } }
}
