// `records`: how long a thousand records take to be read, whether a partition keeps within its bound after very many turns, and what a record costs
// Redis beside the step that writes it.
import { Redis } from 'ioredis'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Recorded } from '#shared/run/record.ts'
import { connectKernel } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { createUnits } from '#queues/units.ts'
import { recorded } from '#test/rig/records.ts'
import { percentile, round } from './figures.ts'

const reads = 30
const slices = 10
/** In the partition of the first one. */
const crowd = 50

export async function measureRecords(url: string, turns: number) {
  const connection = connectKernel(url)
  const kernel = createRedisKernel(connection, createUnits(connection, { patienceMs: 5000 }))
  const redis = new Redis(url)
  try {
    await redis.flushall()
    const cost = await measureCost(kernel, redis)
    await redis.flushall()
    const place = openPartition(kernel)
    for (let i = 0; i < 1000; i++) await place.end(i, 1000)
    const [whole, paged] = [await measureReads(place, 1000), await measureReads(place, 100)]
    await redis.config('SET', 'slowlog-max-len', '1000', 'slowlog-log-slower-than', '1000')
    await redis.call('SLOWLOG', 'RESET')
    let mostMb = 0
    for (let i = 1000; i < turns; i++) {
      await place.end(i, 7000)
      if (i % 500 === 0) mostMb = Math.max(mostMb, await megabytes(redis, place.partition))
    }
    const { lines, bytes, lost } = await kernel.lookAtRecords(place.partition)
    return {
      read1000Ms: percentile(whole, 50),
      read1000MsP90: percentile(whole, 90),
      read1000MsByHundreds: percentile(paged, 50),
      turns,
      lines,
      lost,
      countedMb: round(bytes / 1048576),
      mostMb,
      longestUnitMs: await longestMs(redis),
      ...cost,
    }
  } finally {
    redis.disconnect()
    connection.disconnect()
  }
}

type Place = { readonly kernel: Kernel; readonly partition: number; end(n: number, chars: number): Promise<void> }

/** Turns in conversations of one partition, each about a message of its own. */
function openPartition(kernel: Kernel): Place {
  const partition = toPartition('web:w0')
  const names: ConversationId[] = []
  for (let i = 0; names.length < crowd; i++) if (toPartition(`web:w${i}`) === partition) names.push(`web:w${i}`)
  return {
    kernel,
    partition,
    end: async (n, chars) => await end(kernel, names[n % crowd] ?? 'web:w0', n, [toRecord(n, chars)]),
  }
}

const toRecord = (n: number, chars: number): Recorded =>
  recorded(`t${n}-1k3x9ab`, [String(n)], { asked: 'a'.repeat(chars / 4), answer: 'b'.repeat((3 * chars) / 4) })

async function end(kernel: Kernel, c: ConversationId, n: number, records: readonly Recorded[]): Promise<void> {
  const claimed = await kernel.claim(c, 'bench', 8000)
  if (claimed.kind !== 'CLAIMED') throw new Error(`A claim ended ${claimed.kind}.`)
  const last = { folds: true, snapshot: 'state', rest: '', progress: true, release: true }
  await kernel.append(c, claimed.epoch, { key: `t${n}/end`, entries: [], ...last, records })
}

async function measureReads({ kernel, partition }: Place, page: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let i = 0; i < reads; i++) {
    const startedAt = performance.now()
    let [after, count] = ['0-0', 0]
    while (count < 1000) {
      const lines = await kernel.readRecords(partition, after, page)
      count += lines.length
      after = lines.at(-1)?.name ?? after
    }
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Of a claim and the step that ends a turn, with its record and without, by turns. */
async function measureCost(kernel: Kernel, redis: Redis) {
  const spent = { without: 0, with: 0 }
  const each = 500
  for (let slice = 0; slice < 2 * slices; slice++) {
    const before = await cpuSeconds(redis)
    for (let i = 0; i < each; i++) {
      const n = slice * each + i
      await end(kernel, `web:c${i}`, n, slice % 2 === 0 ? [] : [toRecord(n, 400)])
    }
    spent[slice % 2 === 0 ? 'without' : 'with'] += (await cpuSeconds(redis)) - before
  }
  const micros = (seconds: number): number => round((seconds * 1e6) / (slices * each))
  return { redisMicrosWithout: micros(spent.without), redisMicrosWith: micros(spent.with) }
}

async function cpuSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu')
  const read = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1])
  return read('used_cpu_user') + read('used_cpu_sys')
}

/** What the partition's records really take. */
async function megabytes(redis: Redis, partition: number): Promise<number> {
  const keys = await redis.keys(`${partitionPrefix(partition)}tr:*`)
  const sizes = await Promise.all(
    [...keys, `${partitionPrefix(partition)}records`].map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)),
  )
  return round(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / 1048576)
}

async function longestMs(redis: Redis): Promise<number> {
  const slow = await redis.call('SLOWLOG', 'GET', '1000')
  const all = Array.isArray(slow)
    ? slow.flatMap((one) => (Array.isArray(one) && !String(one[3]).startsWith('MEMORY') ? [Number(one[2]) / 1000] : []))
    : []
  return round(Math.max(0, ...all))
}
