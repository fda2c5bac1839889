// Records on Redis: written by the units that end work, read without one.
import { isNewer } from '#shared/errors.ts'
import type { RecordLine } from '#shared/run/record.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, partitions } from '#queues/partition.ts'
import { integer } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'
import { readTexts, toLine, toRaw } from './record-lines.ts'
import type { GoneLine, Records, RecordsHealth } from './records.ts'
import { createRedisReaders } from './redis-readers.ts'
import { createRedisTurns } from './redis-turns.ts'

export function createRedisRecords(redis: RedisClient, call: CallUnit): Records {
  return {
    ...createRedisReaders(redis, call),
    ...createRedisTurns(redis),
    async lastRecords() {
      const last = async (partition: number): Promise<string | undefined> => {
        // One that is away or broken holds up no other.
        const [newest] = await redis.xrevrange(toLog(partition), '+', '-', 'COUNT', 1).catch(() => [])
        return newest?.[0]
      }
      return await Promise.all(Array.from({ length: partitions }, (_, partition) => last(partition)))
    },

    async readRecords(partition, after, limit) {
      const found = await fromStore(redis.xrange(toLog(partition), `(${after}`, '+', 'COUNT', limit))
      const lines = found.map(([name, fields]) => toRaw(name, fields))
      const texts = await readTexts(redis, partition, lines)
      const read: (RecordLine | GoneLine)[] = []
      for (const line of lines) {
        try {
          read.push(toLine(line, texts.get(line)))
        } catch (error) {
          if (!isNewer(error)) throw error
          if (read.length === 0) throw error
          break
        }
      }
      return read
    },

    async readRecord(partition, name) {
      const [found] = await fromStore(redis.xrange(toLog(partition), name, name))
      if (!found) return undefined
      const line = toRaw(found[0], found[1])
      return toLine(line, (await readTexts(redis, partition, [line])).get(line))
    },

    async giveUpRecords(partition, olderThanMs) {
      return integer(await call('giveUp', partitionPrefix(partition), ['', olderThanMs]))
    },

    lookAtRecords: (partition) => look(redis, partition),
  }
}

const toLog = (partition: number): string => `${partitionPrefix(partition)}records`

async function look(redis: RedisClient, partition: number): Promise<RecordsHealth> {
  const prefix = partitionPrefix(partition)
  const [lines, counted, readers] = await Promise.all([
    fromStore(redis.xlen(toLog(partition))),
    fromStore(redis.hmget(`${prefix}recorded`, 'bytes', 'lost')),
    fromStore(redis.hgetall(`${prefix}readers`)),
  ])
  const counts = (what: string): Readonly<Record<string, number>> =>
    Object.fromEntries(
      Object.entries(readers).flatMap(([field, count]) =>
        field.endsWith(`/${what}`) ? [[field.slice(0, -what.length - 1), Number(count)] as const] : [],
      ),
    )
  const [bytes, lost] = counted.map((count) => Number(count ?? 0))
  const waitsMs = await findWaits(redis, toLog(partition), readers)
  const jobs = { dropped: counts('dropped'), failed: counts('failed') }
  return { lines, bytes: bytes ?? 0, lost: lost ?? 0, aside: counts('aside'), ...jobs, waitsMs }
}

async function findWaits(
  redis: RedisClient,
  log: string,
  readers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, number>>> {
  const [seconds] = await fromStore(redis.time())
  const ages = Object.entries(readers).map(async ([reader, after]) => {
    if (reader.includes('/')) return []
    const [next] = await fromStore(redis.xrange(log, `(${after}`, '+', 'COUNT', 1))
    return next ? [[reader, Math.max(0, Number(seconds) * 1000 - Number.parseInt(next[0], 10))] as const] : []
  })
  return Object.fromEntries((await Promise.all(ages)).flat())
}
