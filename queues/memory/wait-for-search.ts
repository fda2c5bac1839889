// Whether the index of memory has passed what changed in a scope, for whoever tells people that something is gone.
import { setTimeout as sleep } from 'node:timers/promises'
import type { MemoryScope } from '#shared/memory/record.ts'
import type { RedisClient } from '#queues/connection.ts'
import { createMemoryChanges, isBefore } from './changes.ts'
import { createPlaces, toFindLead } from './place.ts'
import { toMemoryPartition } from './scope-key.ts'

const mostMs = 3000
const everyMs = 50

/**
 * Waits until the index has all that changed in the scope before the call, three seconds at most; false: it has not, or it does not answer. An index that
 * has not begun has nothing.
 */
export type IsIndexed = (scope: MemoryScope) => Promise<boolean>

/** `identify` names the index; it throws where that is away. */
export function createSearchWait(redis: RedisClient, identify: () => Promise<string>): IsIndexed {
  const changes = createMemoryChanges(redis)
  const places = createPlaces(toFindLead(redis))
  return async (scope) => {
    const { at } = await places.find(scope)
    const partition = toMemoryPartition(at)
    const newest = await changes.newest(partition)
    if (newest === undefined) return true
    const tooLate = sleep(mostMs, undefined, { ref: false })
    const name = await Promise.race([identify().catch(() => undefined), tooLate])
    if (name === undefined) return false
    for (let waitedMs = 0; waitedMs <= mostMs; waitedMs += everyMs) {
      const passed = await changes.findPlace(partition, name)
      if (passed === undefined || !isBefore(passed, newest)) return true
      await sleep(everyMs)
    }
    return false
  }
}
