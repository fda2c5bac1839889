// Keeps the index of memory up to date, in one process of the fleet at a time, and the vectors in it behind that, in one process too: an embedding model
// that is slow or away delays no word and no forgetting.
import { behind, createMemoryChanges } from '#queues/memory/changes.ts'
import { indexMemory } from '#queues/workers/follow-memory.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'

const everyMs = 1000
const trouble =
  'Vectors of memory cannot be made now, so the newest records are found by their words alone. It catches up later.'

export function startMemoryIndex(runtime: Runtime): Part {
  const { call, liveness, redis, memoryIndex, log } = runtime
  const { vectors } = memoryIndex
  const stopping = new AbortController()
  const toTold = () => onceAMinute((what, error) => log.warn(error === undefined ? {} : { err: error }, what))
  const changes = createMemoryChanges(redis)
  const identify = async (): Promise<string> => await memoryIndex.identify()
  const common = { call, liveness, everyMs }
  const words = { ...common, changes, index: memoryIndex, identify, onTrouble: toTold() }
  const running = [
    indexMemory(words, stopping.signal),
    ...(vectors
      ? [
          indexMemory(
            {
              ...common,
              changes: behind(changes, identify),
              index: vectors,
              identify: async () => await vectors.identify(),
              lease: 'memory-vectors',
              onTrouble: toTold(),
              trouble,
            },
            stopping.signal,
          ),
        ]
      : []),
  ]
  return {
    name: 'memory-index',
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
