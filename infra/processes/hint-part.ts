// A worker role of this process: takes hints from its queue, and past the queue from this very process while it has room.
import type { QueueKind } from '#queues/jobs/queue-names.ts'
import { createCrowd, type Entrance, type HintHandler } from '#queues/workers/crowd.ts'
import { createHintWorkers } from '#queues/workers/hint-worker.ts'
import type { Part } from './part.ts'
import type { LocalWorkers } from './open-hints.ts'
import type { Runtime } from './runtime.ts'

export type HintRole = {
  readonly name: string
  readonly queue: QueueKind
  readonly local: Exclude<keyof LocalWorkers, 'tasks'>
  /** Where tasks wait, which share the places with conversations. */
  readonly tasks?: QueueKind
  /** Of all shards together; each has room for one at least. */
  readonly concurrency: number
  readonly handler: HintHandler
  readonly onTrouble: (what: string, error?: unknown) => void
}

export function startHintPart(runtime: Runtime, role: HintRole): Part {
  const { name, queue, local, tasks, concurrency, handler, onTrouble } = role
  const { hints, settings } = runtime
  const shards = settings.queueShards
  const onLeft = async (address: string): Promise<void> => await hints[local](address)
  const named: HintHandler = (address, signal, mustLeave) =>
    runtime.underway.during(`${name} of ${address}`, () => handler(address, signal, mustLeave))
  const crowd = createCrowd({ handler: named, onLeft, onTrouble, most: concurrency })
  const options = { connection: runtime.workerConnection(), hints, onTrouble }
  const openEntrance = (): Entrance => crowd.openEntrance(Math.ceil(concurrency / shards))
  const workers = [createHintWorkers(queue, shards, { ...options, openEntrance })]
  if (tasks) workers.push(createHintWorkers(tasks, shards, { ...options, openEntrance: crowd.openTaskEntrance }))
  runtime.local[local] = crowd.openEntrance(concurrency).offer
  if (tasks) runtime.local.tasks = crowd.openTaskEntrance().offer
  return {
    name,
    async stop(graceMs) {
      delete runtime.local[local]
      if (tasks) delete runtime.local.tasks
      await Promise.all([...workers.map((worker) => worker.stop()), crowd.stop(graceMs)])
    },
  }
}
