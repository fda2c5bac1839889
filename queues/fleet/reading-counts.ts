// Counts of what became of what a model was asked about ended turns, in all of the fleet. Numbers alone stand here.
import { readingCounts, type ReadingCounts } from '#services/curiosity/reading/counts.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

const key = 'fl:{reading}'

export function createReadingCounts(redis: RedisClient): ReadingCounts {
  return {
    async count(counts) {
      const added = [...counts].filter(([, times]) => times > 0)
      await Promise.all(added.map(async ([what, times]) => await fromStore(redis.hincrby(key, what, times))))
    },
    async read() {
      const found = await fromStore(redis.hgetall(key))
      return new Map(readingCounts.map((what) => [what, Number(found[what] ?? 0)]))
    },
  }
}
