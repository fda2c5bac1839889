// The day's log on Redis, in the conversation's partition.
import { logEntry, type MemoryLog } from '#shared/memory/log.ts'
import { readStored } from '#shared/stored-json.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { list, text } from '#queues/reply.ts'
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
  }
}
