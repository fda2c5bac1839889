// Keeps the index of memory up to date, in one process of the fleet at a time.
import { createMemoryChanges } from '#queues/memory/changes.ts'
import { indexMemory } from '#queues/workers/follow-memory.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'

const everyMs = 1000

export function startMemoryIndex(runtime: Runtime): Part {
  const { call, liveness, redis, memoryIndex, log } = runtime
  const stopping = new AbortController()
  const onTrouble = onceAMinute((what, error) => log.warn(error === undefined ? {} : { err: error }, what))
  const changes = createMemoryChanges(redis)
  const running = indexMemory(
    { call, liveness, changes, index: memoryIndex, identify: () => memoryIndex.identify(), onTrouble, everyMs },
    stopping.signal,
  )
  return {
    name: 'memory-index',
    async stop() {
      stopping.abort()
      await running
    },
  }
}
