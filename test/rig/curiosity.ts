// What a process of the role `curiosity` runs, for a fleet of this process, and two quiet minutes that are over at once.
import { openFleetPorts } from '#infra/processes/open-fleet-ports.ts'
import { startReaders } from '#infra/processes/readers.ts'
import { openCuriosityPorts } from '#infra/processes/curiosity-ports.ts'
import { partitionPrefix, partitions } from '#queues/partition.ts'
import type { Ask } from '#shared/model/ask.ts'
import { curiosityCapability } from '#services/curiosity/curiosity.ts'
import type { Fleet } from './fleet.ts'

/** Without `ask` no model reads turns: a test whose model has planned answers would lose one. */
export function startCuriosity({ runtime }: Fleet, { ask }: { readonly ask?: Ask } = {}): AsyncDisposable {
  const fleet = openFleetPorts(runtime)
  const feature = curiosityCapability.create({
    ...fleet,
    memory: runtime.memory,
    ...openCuriosityPorts(runtime, fleet),
    ...(ask ? { ask } : {}),
  })
  const part = startReaders(runtime, feature ? [feature] : [], 'curiosity')
  return { [Symbol.asyncDispose]: async () => part.stop(0) }
}

/** What waits for two quiet minutes has waited for them. */
export async function passQuietMinutes({ runtime: { redis } }: Fleet): Promise<number> {
  let passed = 0
  for (let partition = 0; partition < partitions; partition += 1) {
    const key = `${partitionPrefix(partition)}jobs:curiosity`
    const due = (await redis.zrange(key, '0', '-1')).filter((job) => /^curiosity\.(?:moment|invite) /.test(job))
    for (const job of due) passed += await redis.zadd(key, 'CH', 1, job)
  }
  return passed
}
