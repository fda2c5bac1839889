// What the files of this folder work with: the units, how texts are compared, and records as they stand in Redis.
import { BotError } from '#shared/errors.ts'
import { memoryRecord, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import type { Comparing } from '#shared/memory/store.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'
import { createBars, type Bars } from './bars.ts'
import { createPlaces, toFindLead, type Places } from './place.ts'
import { scopePrefix } from './scope-key.ts'

export type Memory = {
  readonly call: CallUnit
  readonly comparing: Comparing
  readonly places: Places
  readonly bars: Bars
  /** In the order of the numbers; those that are not there are left out. */
  find(scope: MemoryScope, numbers: readonly number[]): Promise<readonly MemoryRecord[]>
  /** How many there are. */
  count(scope: MemoryScope): Promise<number>
  /** Those that have these ids. */
  findBy(scope: MemoryScope, ids: readonly string[]): Promise<readonly MemoryRecord[]>
  /** As it stands there. */
  findJson(scope: MemoryScope, number: number): Promise<string | undefined>
  /** Members of a sorted set up to a score. */
  findUpTo(key: string, score: number, most: number): Promise<readonly string[]>
}

export function openMemory(redis: RedisClient, call: CallUnit, comparing: Comparing): Memory {
  async function find(scope: MemoryScope, numbers: readonly (number | string)[]): Promise<readonly MemoryRecord[]> {
    if (numbers.length === 0) return []
    const found = await fromStore(redis.hmget(toRecords(scope), ...numbers.map(String)))
    return found.flatMap((json) => (json ? [toRecord(json)] : []))
  }
  return {
    call,
    comparing,
    places: createPlaces(toFindLead(redis)),
    bars: createBars(redis, comparing),
    find,
    async findBy(scope, ids) {
      if (ids.length === 0) return []
      const numbers = await fromStore(redis.hmget(`${scopePrefix(scope)}mi:${scope}`, ...ids.map((id) => `@${id}`)))
      return await find(
        scope,
        numbers.flatMap((number) => number ?? []),
      )
    },
    count: (scope) => fromStore(redis.hlen(toRecords(scope))),
    findJson: async (scope, number) => (await fromStore(redis.hget(toRecords(scope), String(number)))) ?? undefined,
    findUpTo: (key, score, most) => fromStore(redis.zrangebyscore(key, '-inf', score, 'LIMIT', 0, most)),
  }
}

const toRecords = (scope: MemoryScope): string => `${scopePrefix(scope)}mr:${scope}`

export const toRecord = (json: string): MemoryRecord => readStored('record of memory', memoryRecord, json)

/** How often a writer tries again, where others write to the same records. */
export const mostTries = 20
export const toBusy = (scope: MemoryScope): BotError =>
  new BotError('store-unavailable', `Records of ${scope} change all the time. Try again.`)

/** `fades` of a unit: when it was said where nobody confirmed it, else nothing. */
export const toFades = ({ status, saidAt }: Pick<MemoryRecord, 'status' | 'saidAt'>): string =>
  status === 'unconfirmed' ? String(saidAt) : ''
