// Records of memory on Redis. A pointer from each message to what is made of it stands in the conversation's partition before the record is written, and
// each record in that of its scope, so that a message that is forgotten takes along all of them, also those of writers that come late.
import { BotError } from '#shared/errors.ts'
import { memoryRecord, type MemoryRecord, type MemoryScope, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore, ScopeRead, Written } from '#shared/memory/store.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit } from '#queues/units.ts'
import { forgetMemory } from './forget-memory.ts'
import { mergeRepeat } from './merge-repeat.ts'
import { pointTo, unpoint } from './point-to.ts'
import { hashWords, scopePrefix } from './scope-key.ts'

/** As many records of one scope are read at once; of more, the newest. */
const mostAtOnce = 200
const mostRecords = 5000
const mostTries = 20

export function createRedisMemory(redis: RedisClient, call: CallUnit): MemoryStore {
  const store: MemoryStore = {
    async write(scope, record) {
      if (!(await pointTo(call, scope, record))) return { kind: 'gone' }
      const [before, behind] = splitAtNumber(scope, record)
      const args = [scope, record.id, hashWords(record), mostRecords, before, behind]
      const [kind, number] = list(await call('memoryWrite', scopePrefix(scope), args)).map(text)
      if (kind === 'FULL') return { kind: 'full' }
      if (kind === 'GONE') return { kind: 'gone' }
      return await toWritten(store, { scope, record, kind: toKind(kind), number: integer(number) })
    },

    async read(scope, known) {
      const answer = list(await call('memoryRead', scopePrefix(scope), [scope, known ?? '-', mostAtOnce]))
      return answer.length === 1 ? 'same' : toScopeRead(answer)
    },

    async find(scope, numbers) {
      if (numbers.length === 0) return []
      const found = await fromStore(redis.hmget(toRecords(scope), ...numbers.map(String)))
      return found.flatMap((json) => (json ? [toRecord(json)] : []))
    },

    async change(scope, number, change) {
      for (let tries = 0; tries < mostTries; tries++) {
        const json = await fromStore(redis.hget(toRecords(scope), String(number)))
        const changed = json ? change(toRecord(json)) : undefined
        if (!json || !changed) return undefined
        const args = [scope, number, json, JSON.stringify(changed), hashWords(changed)]
        if (integer(await call('memoryChange', scopePrefix(scope), args)) === 1) return changed
      }
      throw new BotError('store-unavailable', `Record ${number} of ${scope} changes all the time. Try again.`)
    },

    async drop(scope, numbers) {
      const gone = await store.find(scope, numbers)
      const names = numbers.map((number) => `#${number}`)
      const count = integer(await call('memoryDrop', scopePrefix(scope), [scope, ...names]))
      for (const record of gone) await unpoint(call, scope, record)
      return count
    },

    forget: (conversation, messages) => forgetMemory(call, conversation, messages),
  }
  return store
}

const toRecords = (scope: MemoryScope): string => `${scopePrefix(scope)}mr:${scope}`
const toRecord = (json: string): MemoryRecord => readStored('record of memory', memoryRecord, json)
const toKind = (kind: string | undefined): 'new' | 'same' | 'repeat' =>
  kind === 'NEW' ? 'new' : kind === 'SAME' ? 'same' : 'repeat'

function toScopeRead([version, count, found]: readonly unknown[]): ScopeRead {
  const records = groups(list(found), 2).map(([, json]) => toRecord(text(json)))
  return { version: text(version), count: integer(count), records: records.toSorted((a, b) => b.number - a.number) }
}

/** The unit alone knows the number that a new record has. */
function splitAtNumber(scope: MemoryScope, record: NewRecord): readonly [string, string] {
  const json = JSON.stringify({ v: 1, scope, ...record, uses: 0 })
  return [`${json.slice(0, -1)},"number":`, '}']
}

type Placed = { readonly scope: MemoryScope; readonly record: NewRecord; readonly number: number }

async function toWritten(
  store: MemoryStore,
  { scope, record, kind, number }: Placed & { readonly kind: 'new' | 'same' | 'repeat' },
): Promise<Written> {
  if (kind === 'repeat') {
    const merged = await store.change(scope, number, (before) => mergeRepeat(before, record))
    // It went meanwhile, and is written anew.
    return merged ? { kind, record: merged } : await store.write(scope, record)
  }
  const [found] = await store.find(scope, [number])
  return found ? { kind, record: found } : { kind: 'gone' }
}
