// Records of memory on Redis. A pointer from each message to what is made of it stands in the conversation's partition before the record is written, and
// each record in that of its scope, so that a message that is forgotten takes along all of them, also those of writers that come late.
import type { Comparing, MemoryStore, ScopeRead } from '#shared/memory/store.ts'
import type { RedisClient } from '#queues/connection.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'
import { changeRecord } from './change-record.ts'
import { fadeRecords } from './fade-records.ts'
import { forgetMemory } from './forget-memory.ts'
import { openMemory, toRecord } from './open-memory.ts'
import { unpoint } from './pointers.ts'
import { scopePrefix } from './scope-key.ts'
import { writeRecord } from './write-record.ts'

/** As many records of one scope are read at once; of more, the newest. */
const mostAtOnce = 200

export function createRedisMemory(redis: RedisClient, call: CallUnit, comparing: Comparing): MemoryStore {
  const memory = openMemory(redis, call, comparing)
  return {
    write: (scope, record) => writeRecord(memory, scope, record),

    async read(scope, known) {
      const answer = list(await call('memoryRead', scopePrefix(scope), [scope, known ?? '-', mostAtOnce]))
      return answer.length === 1 ? 'same' : toScopeRead(answer)
    },

    find: memory.find,
    change: (scope, number, change) => changeRecord(memory, { scope, number }, change),

    async drop(scope, numbers) {
      const gone = await memory.find(scope, numbers)
      const names = numbers.map((number) => `#${number}`)
      const count = integer(await call('memoryDrop', scopePrefix(scope), [scope, ...names]))
      for (const record of gone) await unpoint(call, scope, record)
      return count
    },

    async use(scope, numbers, atMs) {
      if (numbers.length > 0) await call('memoryUse', scopePrefix(scope), [scope, atMs, ...numbers])
    },

    fade: (nowMs) => fadeRecords(memory, nowMs),
    forget: (conversation, messages) => forgetMemory(call, conversation, messages),
  }
}

function toScopeRead([version, count, found]: readonly unknown[]): ScopeRead {
  const records = groups(list(found), 2).map(([, json]) => toRecord(text(json)))
  return { version: text(version), count: integer(count), records: records.toSorted((a, b) => b.number - a.number) }
}
