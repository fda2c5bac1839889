// The day's log on Redis, in the conversation's partition.
import { dayLine, logEntry, type MemoryLog } from '#shared/memory/log.ts'
import { readStored } from '#shared/stored-json.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { integer, list, text } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'

export function createRedisLog(call: CallUnit): MemoryLog {
  return {
    async add(conversation, entry) {
      const args = [conversation, 'add', entry.at, JSON.stringify(entry), ...entry.messages]
      await call('memoryLog', partitionPrefix(toPartition(conversation)), args)
    },
    async read(conversation, { from, until, most }) {
      const args = [conversation, 'read', from, `(${until}`, most]
      const found = list(await call('memoryLog', partitionPrefix(toPartition(conversation)), args))
      return found.map((json) => readStored('log entry', logEntry, text(json)))
    },
    async addDay(conversation, line) {
      const args = [conversation, 'day', toNoon(line.day), JSON.stringify(line), ...line.messages]
      return integer(await call('memoryLog', partitionPrefix(toPartition(conversation)), args)) === 1
    },
    async readDays(conversation, { from, until }) {
      const args = [conversation, 'days', toNoon(from), toNoon(until)]
      const found = list(await call('memoryLog', partitionPrefix(toPartition(conversation)), args))
      return found.map((json) => readStored('line of a day', dayLine, text(json)))
    },
    async dropDays(conversation, days) {
      if (days.length === 0) return
      await call('memoryLog', partitionPrefix(toPartition(conversation)), [conversation, 'undays', ...days.map(toNoon)])
    },
  }
}

const toNoon = (day: string): number => Date.parse(`${day}T12:00:00Z`)
