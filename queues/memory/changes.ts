// What changed in the scopes of memory, for who keeps an index of them: a stream in each partition, read by cursor.
import { z } from 'zod'
import { memoryRecord, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitions } from '#queues/partition.ts'
import { fromStore } from '#queues/store-failure.ts'
import { memoryPrefix, scopePrefix } from './scope-key.ts'

export type Change = { readonly scope: MemoryScope; readonly number: number }

export type MemoryChanges = {
  /** The name of the newest change of a partition. */
  newest(partition: number): Promise<string | undefined>
  /** The same of each. */
  last(): Promise<readonly (string | undefined)[]>
  /** Those behind this one, in order, and no newer than `until`; undefined where some of them are not kept any more. */
  read(
    partition: number,
    after: string,
    most: number,
    until?: string,
  ): Promise<{ readonly changes: readonly Change[]; readonly last: string } | undefined>
  /** How far an index has read, by its name; undefined where it has not begun. */
  findPlace(partition: number, index: string): Promise<string | undefined>
  pass(partition: number, index: string, place: string): Promise<void>
  scopes(partition: number): Promise<readonly MemoryScope[]>
  /** All records of a scope, in pages. */
  readScope(scope: MemoryScope): AsyncIterable<readonly MemoryRecord[]>
  find(scope: MemoryScope, numbers: readonly number[]): Promise<readonly MemoryRecord[]>
}

const toRecord = (json: string): MemoryRecord => readStored('record of memory', memoryRecord, json)
const toRecords = (scope: MemoryScope): string => `${scopePrefix(scope)}mr:${scope}`
const names = z.array(z.tuple([z.string(), z.array(z.string())]))

export function createMemoryChanges(redis: RedisClient): MemoryChanges {
  const toStream = (partition: number): string => `${memoryPrefix(partition)}changed`
  const toPlaces = (partition: number): string => `${memoryPrefix(partition)}indexed`
  const newest = async (partition: number): Promise<string | undefined> =>
    (await fromStore(redis.xrevrange(toStream(partition), '+', '-', 'COUNT', 1)))[0]?.[0]
  return {
    newest,
    last: () => Promise.all(Array.from({ length: partitions }, (_, partition) => newest(partition))),
    async read(partition, after, most, until = '+') {
      const [oldest] = await fromStore(redis.xrange(toStream(partition), '-', '+', 'COUNT', 1))
      if (oldest && isBefore(after, oldest[0])) return undefined
      const found = names.parse(await fromStore(redis.xrange(toStream(partition), `(${after}`, until, 'COUNT', most)))
      const changes = found.map(([, [, line = '']]) => {
        const at = line.lastIndexOf(' ')
        return { scope: line.slice(0, at), number: Number(line.slice(at + 1)) }
      })
      return { changes, last: found.at(-1)?.[0] ?? after }
    },
    findPlace: async (partition, index) => (await fromStore(redis.hget(toPlaces(partition), index))) ?? undefined,
    async pass(partition, index, place) {
      await fromStore(redis.hset(toPlaces(partition), index, place))
    },
    scopes: async (partition) => await fromStore(redis.hkeys(`${memoryPrefix(partition)}scopes`)),
    async *readScope(scope) {
      for (let cursor = '0'; ;) {
        const [next, flat] = await fromStore(redis.hscan(toRecords(scope), cursor, 'COUNT', 200))
        yield flat.flatMap((json, at) => (at % 2 === 1 ? [toRecord(json)] : []))
        if (next === '0') return
        cursor = next
      }
    },
    async find(scope, numbers) {
      const found = await fromStore(redis.hmget(toRecords(scope), ...numbers.map(String)))
      return found.flatMap((json) => (json ? [toRecord(json)] : []))
    },
  }
}

/**
 * Changes for an index that is kept behind another one: `last` is how far that one is, and nothing newer is read. So whatever that one writes, this one
 * writes after it. `identify` names the other.
 */
export function behind(changes: MemoryChanges, identify: () => Promise<string>): MemoryChanges {
  let passed: readonly (string | undefined)[] = []
  return {
    ...changes,
    async last() {
      const name = await identify()
      const all = Array.from({ length: partitions }, (_, partition) => changes.findPlace(partition, name))
      return (passed = await Promise.all(all))
    },
    read: async (partition, after, most) => await changes.read(partition, after, most, passed[partition] ?? after),
  }
}

/** Names of a stream's entries, `<ms>-<n>`. */
export function isBefore(a: string, b: string): boolean {
  const [aMs = 0, aN = 0] = a.split('-').map(Number)
  const [bMs = 0, bN = 0] = b.split('-').map(Number)
  return aMs < bMs || (aMs === bMs && aN < bN)
}
