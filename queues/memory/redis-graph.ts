// What was found of people and things, on Redis, in the partition of its scope. The same pointers lead from messages to it as lead to records, so that it
// goes with them. Names of keys hold no words: an entity stands there by a digest.
import { createHash } from 'node:crypto'
import { BotError } from '#shared/errors.ts'
import { toEntityKey } from '#shared/memory/entity-key.ts'
import {
  graphCounts,
  graphItem,
  type EntityKey,
  type GraphBatch,
  type GraphEntity,
  type GraphItem,
  type GraphSpeaker,
  type MemoryGraph,
  type NewGraphItem,
} from '#shared/memory/graph.ts'
import type { MemoryScope, NewRecord } from '#shared/memory/record.ts'
import type { Comparing } from '#shared/memory/store.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, partitions, toPartition } from '#queues/partition.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'
import { createBars } from './bars.ts'
import { createPlaces, toFindLead } from './place.ts'
import { point, unpoint } from './pointers.ts'
import { memoryPrefix, scopePrefix } from './scope-key.ts'

const [mostItems, mostEntities, mostBytes, mostInBatch] = [4000, 1000, 2_000_000, 64]
const [hops, fanOut, mostWalked, mostStarts] = [2, 25, 300, 2500]
const sweptAtOnce = 200
const together = 3
const lifeMs = 30 * 86_400_000
const mostTries = 20
const countsKey = 'fl:{graph}'

export function createRedisGraph(redis: RedisClient, call: CallUnit, comparing: Comparing): MemoryGraph {
  const barred = createGraphBars(redis, comparing)
  const toItems = (scope: MemoryScope): string => `${scopePrefix(scope)}gi:${scope}`
  return {
    async write(scope, batch) {
      refuseLarge(batch)
      const pointed = await point(call, scope, batch)
      if (pointed !== 'pointed') return pointed === 'full' ? { kind: 'written', count: 0 } : { kind: 'gone' }
      const may = await barred.leaveOut(scope, batch.items)
      const items = may.flatMap((item, n) => toArgs(item, toStored(batch, item, n)))
      const args = [scope, batch.id, mostItems, mostEntities, mostBytes, ...items]
      const [answer, ...emptied] = list(await call('graphWrite', scopePrefix(scope), args))
      if (answer === 'GONE') return { kind: 'gone' }
      await Promise.all(emptied.map((json) => unpointBatch(call, scope, text(json))))
      const count = integer(answer)
      if (count === 0) await unpoint(call, scope, batch)
      return { kind: 'written', count }
    },

    async walk(scope, from) {
      if (from.length === 0) return []
      const starts = from.slice(0, mostStarts).map(digest)
      const answer = await call('graphWalk', scopePrefix(scope), [scope, hops, fanOut, mostWalked, ...starts])
      return groups(list(answer), 2).map(([hop, json]) => ({ item: toItem(text(json)), hop: integer(hop) }))
    },

    readAll: async (scope) =>
      Object.values(await fromStore(redis.hgetall(toItems(scope)))).map((stored) => toItem(toJson(stored))),

    async take(scope, ids) {
      if (ids.length === 0) return 0
      const found = await fromStore(redis.hmget(toItems(scope), ...ids))
      const told = found.flatMap((stored) => (stored ? [toItem(toJson(stored))] : []))
      // First: what is found in between is barred already.
      await barred.add(scope, told)
      const [taken, ...emptied] = list(await call('graphTake', scopePrefix(scope), [scope, ...ids]))
      await Promise.all(emptied.map((json) => unpointBatch(call, scope, text(json))))
      return integer(taken)
    },

    async confirm(scope, id, by) {
      for (let tries = 0; tries < mostTries; tries++) {
        const stored = await fromStore(redis.hget(toItems(scope), id))
        if (!stored) return false
        const json = toJson(stored)
        const confirmed: GraphItem = { ...toItem(json), status: 'confirmed', confirmedBy: by }
        const args = [scope, id, json, JSON.stringify(confirmed)]
        if (integer(await call('graphConfirm', scopePrefix(scope), args)) === 1) return true
      }
      throw new BotError('store-unavailable', `Item ${id} of ${scope} changes all the time. Try again.`)
    },

    sweep: (signal) => sweep(call, signal),
    ...createLines(call),
    ...createCounts(redis),
  }
}

async function sweep(call: CallUnit, signal: AbortSignal): Promise<number> {
  let all = 0
  for (let partition = 0; partition < partitions; partition++)
    for (let gone = sweptAtOnce; gone === sweptAtOnce; all += gone) {
      signal.throwIfAborted()
      const [count, ...emptied] = list(await call('graphSweep', memoryPrefix(partition), ['-', sweptAtOnce]))
      gone = integer(count)
      for (const [scope, json] of groups(emptied, 2)) await unpointBatch(call, text(scope), text(json))
    }
  return all
}

export type GraphBars = {
  /** These are not to be found any more. */
  add(scope: MemoryScope, items: readonly NewGraphItem[]): Promise<void>
  /** All but the ones that say what somebody had forgotten. */
  leaveOut<T extends NewGraphItem>(scope: MemoryScope, items: readonly T[]): Promise<readonly T[]>
}

/** What somebody had forgotten is found no more. */
export function createGraphBars(redis: RedisClient, comparing: Comparing): GraphBars {
  const bars = createBars(redis, comparing)
  const places = createPlaces(toFindLead(redis))
  return {
    async add(scope, items) {
      await bars.add(await places.find(scope), items.map(toTold))
    },
    async leaveOut(scope, items) {
      const place = await places.find(scope)
      const told = items.map((item) => ({ ...toTold(item), item }))
      const barred = new Set((await bars.findBarred(place, told)).map(({ item }) => item))
      return items.filter((item) => !barred.has(item))
    },
  }
}

/** As its speaker says it. */
function toTold(item: NewGraphItem): Pick<NewRecord, 'text' | 'speaker' | 'name'> {
  const { entity, speaker, name, key } = item
  const toName = ({ name: shown, principal }: GraphEntity): string => (principal === speaker ? 'I' : shown)
  const told = `${toName(entity)} ${key} ${item.kind === 'fact' ? item.value : toName(item.to)}`
  return { text: told, speaker, ...(name !== undefined && { name }) }
}

/** Whose lines are looked at when. */
function createLines(call: CallUnit): Pick<MemoryGraph, 'note' | 'claim'> {
  const ofSpeaker = ({ conversation, principal }: GraphSpeaker, line: string) =>
    [partitionPrefix(toPartition(conversation)), [conversation, principal, line, together]] as const
  return {
    note: async (who, line) => integer(await call('graphNote', ...ofSpeaker(who, line))) === 1,
    async claim(who, line) {
      const answer = integer(await call('graphClaim', ...ofSpeaker(who, line)))
      return answer === 1 ? 'now' : answer === 0 ? 'later' : 'late'
    },
  }
}

function createCounts(redis: RedisClient): Pick<MemoryGraph, 'count' | 'readCounts'> {
  return {
    async count(what, times = 1) {
      if (times > 0) await fromStore(redis.hincrby(countsKey, what, times))
    },

    async readCounts() {
      const found = await fromStore(redis.hgetall(countsKey))
      return new Map(graphCounts.map((what) => [what, Number(found[what] ?? 0)]))
    },
  }
}

const toItem = (json: string): GraphItem => readStored('item of the graph', graphItem, json)
/** Two entities stand before it. */
const toJson = (stored: string): string => stored.replace(/^\S+ \S+ /, '')
const digest = (key: EntityKey): string => createHash('sha1').update(key).digest('hex').slice(0, 16)

/** Nothing is left of it in its scope. */
async function unpointBatch(call: CallUnit, scope: MemoryScope, json: string): Promise<void> {
  const { id, from } = toItem(json)
  await unpoint(call, scope, { id: id.replace(/\/\d+$/, ''), from })
}

function refuseLarge({ id, items }: GraphBatch): void {
  if (items.length > mostInBatch)
    throw new BotError('internal', `${id} has ${items.length} items. Write at most ${mostInBatch} at once.`)
}

const toStored = (batch: GraphBatch, item: NewGraphItem, n: number): GraphItem => ({
  ...item,
  v: 1,
  id: `${batch.id}/${n}`,
  status: 'unconfirmed',
  from: batch.from.map(({ conversation, messages }) => ({ conversation, messages: [...messages] })),
})

function toArgs(item: NewGraphItem, stored: GraphItem): readonly (string | number)[] {
  const { entity, saidAt, confidence } = item
  const other = item.kind === 'relation' ? digest(toEntityKey(item.to)) : '-'
  // The order of `confidence * exp(-age / life)` stays the same as both grow older, so it is told by one number that does not change.
  const score = Math.round(saidAt + lifeMs * Math.log(Math.max(confidence, 0.01)))
  return [digest(toEntityKey(entity)), other, score, saidAt + lifeMs, JSON.stringify(stored)]
}
