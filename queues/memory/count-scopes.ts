// How much is kept for whom, in numbers.
import type { MemoryScope } from '#shared/memory/record.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitions } from '#queues/partition.ts'
import { fromStore } from '#queues/store-failure.ts'
import { memoryPrefix } from './scope-key.ts'

/** How many records each scope has; those without any are left out. Throws BotError `store-unavailable`. */
export async function countScopes(redis: RedisClient): Promise<ReadonlyMap<MemoryScope, number>> {
  const all = Array.from({ length: partitions }, (_, partition) => redis.hgetall(`${memoryPrefix(partition)}scopes`))
  const found = (await fromStore(Promise.all(all))).flatMap((counts) => Object.entries(counts))
  return new Map(found.map(([scope, count]) => [scope, Number(count)]))
}
