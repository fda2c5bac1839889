// What a fleet of a fault test remembers, as its Redis has it, and how far its readers and its search have come.
import { createMemoryChanges } from '#queues/memory/changes.ts'
import { createRedisLog } from '#queues/memory/redis-log.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { scopePrefix } from '#queues/memory/scope-key.ts'
import { partitions } from '#queues/partition.ts'
import { createReaderJobs } from '#queues/records/reader-jobs.ts'
import { createUnits } from '#queues/units.ts'
import { comparing } from '#services/memory/comparing.ts'
import { graphItem, type GraphItem } from '#shared/memory/graph.ts'
import type { LogEntry } from '#shared/memory/log.ts'
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import type { startSimulated } from '#test/rig/meilisearch.ts'
import type { Fleet } from './fleet.ts'

const readers = ['memory.episodes', 'memory.notice', 'memory.entities', 'memory.memory-life']

export type FleetMemory = {
  readonly store: MemoryStore
  /** All records of a scope, by their numbers. */
  readAll(scope: MemoryScope): Promise<readonly MemoryRecord[]>
  /** What was found of people and things there. */
  readFound(scope: MemoryScope): Promise<readonly GraphItem[]>
  readLog(conversation: string): Promise<readonly LogEntry[]>
  /** How many records there are in all scopes. */
  count(): Promise<number>
  /** How many lines of records no reader of memory has passed yet, counted by partition and reader; and how many of its jobs are left. */
  behind(): Promise<{ readonly places: number; readonly jobs: number }>
}

export function openMemoryOf({ client, kernel }: Fleet): FleetMemory {
  const call = createUnits(client, { patienceMs: 60_000 })
  const changes = createMemoryChanges(client)
  const jobs = createReaderJobs(client, call)
  const log = createRedisLog(call)
  const readAll = async (scope: MemoryScope): Promise<readonly MemoryRecord[]> => {
    const all: MemoryRecord[] = []
    for await (const page of changes.readScope(scope)) all.push(...page)
    return all.toSorted((a, b) => a.number - b.number)
  }
  return {
    store: createRedisMemory(client, call, comparing),
    readAll,
    async readFound(scope) {
      const stored = await client.hgetall(`${scopePrefix(scope)}gi:${scope}`)
      return Object.values(stored).map((one) => graphItem.parse(JSON.parse(one.slice(one.indexOf('{')))))
    },
    readLog: async (conversation) => await log.read(conversation, { from: 0, until: Date.now() + 1, most: 2000 }),
    async count() {
      const scopes = await Promise.all(Array.from({ length: partitions }, (_, at) => changes.scopes(at)))
      const all = await Promise.all(scopes.flat().map(readAll))
      return all.reduce((sum, { length }) => sum + length, 0)
    },
    async behind() {
      const last = await kernel.lastRecords()
      const open = await Promise.all(
        last.map(async (newest, partition) => {
          const places = await Promise.all(readers.map((reader) => kernel.findPlace(partition, reader, 'test')))
          return newest === undefined ? 0 : places.filter(({ after }) => after !== newest).length
        }),
      )
      const { count } = await jobs.look('reflection')
      return { places: open.reduce((sum, one) => sum + one, 0), jobs: count }
    },
  }
}

type Simulated = Awaited<ReturnType<typeof startSimulated>>

/** By which a fleet finds the simulated server. */
export const toSearchEnv = ({ url, keys: { reader, writer, operator } }: Simulated['settings']) => ({
  MEILISEARCH_URL: url,
  MEILISEARCH_KEYS: `reader=${reader},writer=${writer},operator=${operator}`,
})

/** The server has so many records; beside them stands the name of the whole. */
export const countFound = ({ simulator }: Simulated): number => Math.max(0, (simulator.count('memory') ?? 0) - 1)
