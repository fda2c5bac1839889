// What an operator may want to know of the state, and the repairs that are safe: read by doctor, never by the fleet itself.
import { Queue } from 'bullmq'
import { BotError } from '#shared/errors.ts'
import type { RedisClient } from '#queues/connection.ts'
import { queuePrefix, type QueueName } from '#queues/jobs/queue-names.ts'
import { partitionPrefix, partitions, toPartition } from '#queues/partition.ts'
import type { Records, RecordsHealth } from '#queues/records/records.ts'
import type { Due, Kernel } from '#queues/kernel/kernel.ts'
import type { CallUnit } from '#queues/units.ts'

export type ServerFacts = {
  readonly version: string
  readonly appendOnly: boolean
  /** Whether the last write to disk went well. */
  readonly writes: boolean
  readonly evictionPolicy: string
  readonly usedBytes: number
  /** 0 without a limit. */
  readonly maxBytes: number
  /** This machine's clock less Redis' clock, ms. */
  readonly clockOffsetMs: number
}

export type Parked = { readonly conversation: string; readonly reason: string }

export async function inspectServer(redis: RedisClient): Promise<ServerFacts> {
  const info = await redis.info()
  const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? ''
  const askedAtMs = Date.now()
  const [seconds, micros] = await redis.time()
  const roundTripMs = Date.now() - askedAtMs
  const redisMs = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
  return {
    version: field('redis_version'),
    appendOnly: field('aof_enabled') === '1',
    writes: ['aof_last_write_status', 'rdb_last_bgsave_status'].every((name) => field(name) !== 'err'),
    evictionPolicy: field('maxmemory_policy'),
    usedBytes: Number(field('used_memory')),
    maxBytes: Number(field('maxmemory')),
    clockOffsetMs: Math.round(askedAtMs + roundTripMs / 2 - redisMs),
  }
}

/** Conversations out of service, with why. */
export async function findParked(redis: RedisClient): Promise<Parked[]> {
  const found = await Promise.all(
    Array.from({ length: partitions }, (_, partition) => redis.hgetall(`${partitionPrefix(partition)}parked`)),
  )
  return found.flatMap((parked) => Object.entries(parked).map(([conversation, reason]) => ({ conversation, reason })))
}

/** Work that nobody has taken, at most 100 pieces of a partition. `gone`: processes of which nobody has what they held. */
export async function listWaiting(kernel: Pick<Kernel, 'due'>, gone: readonly string[] = []): Promise<readonly Due[]> {
  const all = Array.from({ length: partitions }, (_, partition) => kernel.due(partition, 0, gone))
  return (await Promise.all(all)).flat()
}

/** What waits for its time or its conversation: for how long the first timer is overdue, and the oldest letter on its way, ms. */
export type Late = {
  readonly timerMs: number
  readonly letterMs: number
  /** The conversation that the oldest letter is for. */
  readonly to?: string
}

/** Of each partition as many conversations are looked at for which letters wait. */
const mostTargets = 100

/** A key that cannot be read says nothing: what is done with it tells the operator. */
export async function inspectLate(redis: RedisClient): Promise<Late> {
  const [seconds, micros] = await redis.time()
  const nowMs = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
  const prefixes = Array.from({ length: partitions }, (_, partition) => partitionPrefix(partition))
  const dues = await Promise.all(
    prefixes.map(async (prefix) => {
      const [, due] = await redis.zrange(`${prefix}timers`, '0', '0', 'WITHSCORES').catch(() => [])
      return due === undefined ? 0 : nowMs - Number(due)
    }),
  )
  const letters = await Promise.all(
    prefixes.map(async (prefix) => {
      const targets = await redis.zrange(`${prefix}letters`, '0', String(mostTargets - 1)).catch(() => [])
      const firsts = targets.map(async (to) => {
        const first = await redis.lindex(`${prefix}to:${to}`, 0).catch(() => null)
        // A letter's number is the time of its writing, in microseconds.
        return { to, ms: first === null ? 0 : nowMs - Math.floor(Number.parseInt(first, 10) / 1000) }
      })
      return await Promise.all(firsts)
    }),
  )
  const [oldest] = letters.flat().toSorted((a, b) => b.ms - a.ms)
  return { timerMs: Math.max(0, ...dues), letterMs: oldest?.ms ?? 0, ...(oldest ? { to: oldest.to } : {}) }
}

/** Of all partitions together. `broken`: those where a key of records has a type that is not ours. */
export type AllRecords = RecordsHealth & { readonly broken: readonly number[] }

export async function inspectRecords(kernel: Pick<Records, 'lookAtRecords'>): Promise<AllRecords> {
  const look = async (partition: number): Promise<RecordsHealth | undefined> => {
    try {
      return await kernel.lookAtRecords(partition)
    } catch (error) {
      if (error instanceof BotError && error.code === 'store-corrupt') return undefined
      throw error
    }
  }
  const found = await Promise.all(Array.from({ length: partitions }, (_, partition) => look(partition)))
  const all = found.filter((one) => one !== undefined)
  const broken = found.flatMap((one, partition) => (one === undefined ? [partition] : []))
  const byReader = (
    field: 'aside' | 'dropped' | 'failed' | 'waitsMs',
    add: (one: number, other: number) => number = (one, other) => one + other,
  ): Readonly<Record<string, number>> => {
    const together: Record<string, number> = {}
    for (const one of all)
      for (const [reader, count] of Object.entries(one[field])) together[reader] = add(together[reader] ?? 0, count)
    return together
  }
  const sum = (field: 'lines' | 'bytes' | 'lost'): number => all.reduce((total, one) => total + one[field], 0)
  return {
    lines: sum('lines'),
    bytes: sum('bytes'),
    lost: sum('lost'),
    aside: byReader('aside'),
    dropped: byReader('dropped'),
    failed: byReader('failed'),
    waitsMs: byReader('waitsMs', Math.max),
    broken,
  }
}

/** Hints that no running worker understands and that wait for a newer one, by queue. */
export async function countPutBack(
  redis: RedisClient,
  queues: readonly QueueName[],
): Promise<ReadonlyMap<QueueName, number>> {
  const counts = await Promise.all(queues.map((queue) => redis.zcard(`${queuePrefix(queue)}:${queue}:delayed`)))
  return new Map(queues.map((queue, i) => [queue, counts[i] ?? 0]))
}

/** How many workers are connected for each queue; undefined where Redis does not tell its clients' names. */
export async function countWorkers(
  redis: RedisClient,
  queues: readonly QueueName[],
): Promise<ReadonlyMap<QueueName, number | undefined>> {
  const counts = await Promise.all(
    queues.map(async (name) => {
      const queue = new Queue(name, {
        connection: redis,
        prefix: queuePrefix(name),
        skipMetasUpdate: true,
        skipVersionCheck: true,
      })
      queue.on('error', () => {})
      const workers = await queue.getWorkers().catch(() => undefined)
      await queue.close()
      // Where names are kept back, the library answers with an apology as the only one.
      return workers?.some((one) => one['name']?.startsWith('GCP')) ? undefined : workers?.length
    }),
  )
  return new Map(queues.map((queue, i) => [queue, counts[i]]))
}

/** Rebuilds a missing step index from the journal and puts the conversation back into service. */
export async function repairConversation(
  call: CallUnit,
  kernel: Pick<Kernel, 'unpark'>,
  conversation: string,
): Promise<void> {
  await call('repair', partitionPrefix(toPartition(conversation)), [conversation])
  await kernel.unpark(conversation)
}
