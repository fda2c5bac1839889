// The readers of memory for a fleet of this process: what a process of the role `reflection` runs besides the index.
import { openAsk } from '#infra/processes/asking.ts'
import { loadModel } from '#infra/processes/model.ts'
import { openFleetPorts } from '#infra/processes/open-fleet-ports.ts'
import { openMemoryPorts } from '#infra/processes/memory-ports.ts'
import { startReaders } from '#infra/processes/readers.ts'
import { partitionPrefix, partitions } from '#queues/partition.ts'
import { memoryCapability } from '#services/memory/memory.ts'
import type { Fleet } from './fleet.ts'

const readers = [
  'memory.episodes',
  'memory.notice',
  'memory.anchors',
  'memory.entities',
  'memory.memory-life',
  'memory.skill-outcomes',
  'memory.consolidation',
]

export async function startReflection({ runtime }: Fleet): Promise<AsyncDisposable> {
  const ask = openAsk(runtime, await loadModel(runtime.settings))
  const feature = memoryCapability.create({
    ...openFleetPorts(runtime),
    ...openMemoryPorts(runtime),
    ask,
    desks: runtime.desks,
  })
  const part = startReaders(runtime, feature ? [feature] : [], 'reflection')
  return { [Symbol.asyncDispose]: async () => part.stop(0) }
}

/** What a reader waits for has come; with a conversation behind its name, what it waits for there. How many did. */
export async function passHours({ runtime: { redis } }: Fleet, reader: string): Promise<number> {
  let passed = 0
  for (let partition = 0; partition < partitions; partition += 1) {
    const key = `${partitionPrefix(partition)}jobs:reflection`
    const due = (await redis.zrange(key, '0', '-1')).filter((job) => job.startsWith(`${reader} `))
    for (const job of due) passed += await redis.zadd(key, 'CH', 1, job)
  }
  return passed
}

/** Whether all records of turns have been read. */
export async function hasReadAll({ runtime: { kernel } }: Fleet): Promise<boolean> {
  const last = await kernel.lastRecords()
  const places = await Promise.all(
    last.flatMap((newest, partition) =>
      newest === undefined
        ? []
        : readers.map(async (reader) => (await kernel.findPlace(partition, reader, 'test')).after === newest),
    ),
  )
  return places.every(Boolean)
}
