// Opens what is kept of what people say: records, and what was found of people and things. A record that is forgotten for good takes its own of that along.
import { createLinkedGraph } from '#queues/memory/linked-graph.ts'
import { createGraphBars, createRedisGraph } from '#queues/memory/redis-graph.ts'
import { createRedisLog } from '#queues/memory/redis-log.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { withGraph } from '#queues/memory/with-graph.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { MemoryGraph } from '#shared/memory/graph.ts'
import type { MemoryLog } from '#shared/memory/log.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import type { Connections } from './open-connections.ts'
import type { SharedStores } from './open-shared-stores.ts'

export type KeptStores = {
  readonly memory: MemoryStore
  readonly graph: MemoryGraph
  readonly memoryLog: MemoryLog
}

export function openKept(
  { redis, call }: Pick<Connections, 'redis' | 'call'>,
  shared: Pick<SharedStores, 'accounts' | 'projects'>,
): KeptStores {
  const graph = createRedisGraph(redis, call, comparing)
  const memory = createRedisMemory(redis, call, comparing)
  return {
    graph,
    memory: withGraph(memory, createLinkedGraph(graph, shared), { comparing, bars: createGraphBars(redis, comparing) }),
    memoryLog: createRedisLog(call),
  }
}
