// Readers of the records on Redis: how far each has read, and who began with what comes next.
import type { RedisClient } from '#queues/connection.ts'
import { toLetterArgs } from '#queues/letters/letter-args.ts'
import { partitionPrefix } from '#queues/partition.ts'
import { integer, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'
import type { Records } from './records.ts'

export function createRedisReaders(
  redis: RedisClient,
  call: CallUnit,
): Pick<Records, 'findPlace' | 'startReading' | 'passRecord'> {
  return {
    async findPlace(partition, reader, by) {
      const fields = [reader, `${reader}/starts`, `${reader}/by`]
      const [after, starts, begunBy] = await fromStore(redis.hmget(`${partitionPrefix(partition)}readers`, ...fields))
      const own = begunBy?.split(' ').includes(by) ? 1 : 0
      return { after: after ?? '0-0', starts: Math.max(0, Number(starts ?? 0) - own) }
    },

    async startReading(partition, reader, by) {
      const [after, starts] = list(await call('start', partitionPrefix(partition), ['', reader, by]))
      return { after: text(after), starts: integer(starts) }
    },

    async passRecord({ partition, reader, before, name, goesOn, by = '', setAside, from, letters = [], job }) {
      const step = [reader, before, name, goesOn ? 1 : 0, goesOn ? by : '', setAside ? '1' : '0']
      const wanted = job ? [job.worker, Math.round(job.inMs)] : ['', '']
      const args = [from ?? '', ...step, ...wanted, ...letters.flatMap(toLetterArgs)]
      return (await call('pass', partitionPrefix(partition), args)) === 'OK' ? 'OK' : 'BEHIND'
    },
  }
}
