// The hash of who may talk, as it is stored: read in batches from a copy that is kept while it is fresh, and changed by scripts.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { createBatch } from '#queues/batch.ts'
import type { RedisClient } from '#queues/connection.ts'
import { groups } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import { createHashCopy } from './hash-copy.ts'
import type { Signals } from './signals.ts'

export const accessKey = 'fl:{access}'

/** Another version each time, also where a failover lost the last one. */
const setsVersion = `local t = redis.call('TIME')\nredis.call('HSET', KEYS[1], 'version', t[1] .. '.' .. t[2])`

const claimScript = `
local code = redis.call('HGET', KEYS[1], 'code')
if redis.call('HEXISTS', KEYS[1], 'owner:' .. ARGV[1]) == 1 then return 1 end
if not code or code ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'owner:' .. ARGV[1], 'code', 'claimed', '1')
redis.call('HDEL', KEYS[1], 'code')
${setsVersion}
return 1`

const dismissScript = `
if redis.call('HEXISTS', KEYS[1], 'owner:' .. ARGV[1]) == 0 then return 'none' end
local owners = tonumber(ARGV[2])
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 6) == 'owner:' then owners = owners + 1 end
end
if owners < 2 then return 'last' end
redis.call('HDEL', KEYS[1], 'owner:' .. ARGV[1], 'person:' .. ARGV[1])
${setsVersion}
return 'gone'`

/** An empty value takes the field away. */
const putScript = `
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
${setsVersion}
return 1`

const codeScript = `
if redis.call('HEXISTS', KEYS[1], 'claimed') == 1 then return false end
redis.call('HSETNX', KEYS[1], 'code', ARGV[1])
return redis.call('HGET', KEYS[1], 'code')`

export type AccessStore = {
  /** What stands in these five fields. */
  read(fields: readonly string[]): Promise<readonly unknown[]>
  /** An empty value takes the field away. */
  put(field: string, value: string): Promise<void>
  /** Uses the code up, unless the person is an owner already; false for a wrong one. */
  claim(principal: PrincipalId, code: string): Promise<boolean>
  owners(): Promise<readonly PrincipalId[]>
  /** `others`: how many are owners without being stored. */
  dismissOwner(id: PrincipalId, others: number): Promise<'gone' | 'last' | 'none'>
  /** The unused code, made from `fresh` where nobody has used one. */
  code(fresh: string): Promise<string | undefined>
  hasCode(): Promise<boolean>
}

export function createAccessStore(
  redis: RedisClient,
  news: Pick<Signals, 'listen' | 'tellAll'> | undefined,
): AccessStore {
  const copy = createHashCopy(redis, accessKey)
  news?.listen(accessKey, copy.forget)
  const ask = createBatch<readonly string[], readonly unknown[]>(64, async (wanted) => {
    const found = await fromStore(redis.hmget(accessKey, ...wanted.flat()))
    return groups(found, 5)
  })
  const change = async <T>(changing: Promise<T>): Promise<T> => {
    const changed = await fromStore(changing)
    copy.forget()
    news?.tellAll(accessKey)
    return changed
  }
  return {
    async read(wanted) {
      const fields = await copy.read()
      return fields ? wanted.map((field) => fields.get(field)) : await ask(wanted)
    },
    async put(field, value) {
      await change(redis.eval(putScript, 1, accessKey, field, value))
    },
    claim: async (principal, code) => (await change(redis.eval(claimScript, 1, accessKey, principal, code))) === 1,
    async owners() {
      const fields = await fromStore(redis.hkeys(accessKey))
      return fields.flatMap((field) => (field.startsWith('owner:') ? [field.slice('owner:'.length)] : []))
    },
    async dismissOwner(id, others) {
      const outcome = await change(redis.eval(dismissScript, 1, accessKey, id, others))
      return outcome === 'gone' || outcome === 'last' ? outcome : 'none'
    },
    async code(fresh) {
      const code = await fromStore(redis.eval(codeScript, 1, accessKey, fresh))
      return typeof code === 'string' ? code : undefined
    },
    hasCode: async () => (await fromStore(redis.hexists(accessKey, 'code'))) === 1,
  }
}
