// A worker role of this process: takes hints from its queue, and past the queue from this very process while it has room.
import type { QueueKind } from '#queues/jobs/queue-names.ts'
import { createCrowd, type HintHandler } from '#queues/workers/crowd.ts'
import { createHintWorkers } from '#queues/workers/hint-worker.ts'
import type { Part } from './part.ts'
import type { LocalWorkers } from './open-hints.ts'
import type { Runtime } from './runtime.ts'

export type HintRole = {
  readonly name: string
  readonly queue: QueueKind
  readonly local: keyof LocalWorkers
  readonly concurrency: number
  readonly handler: HintHandler
  readonly onTrouble: (what: string, error?: unknown) => void
}

export function startHintPart(runtime: Runtime, role: HintRole): Part {
  const { name, queue, local, concurrency, handler, onTrouble } = role
  const { hints, settings } = runtime
  const onLeft = async (conversation: string): Promise<void> => await hints[local](conversation)
  const named: HintHandler = (conversation, signal) =>
    runtime.underway.during(`${name} of ${conversation}`, () => handler(conversation, signal))
  const crowd = createCrowd({ handler: named, onLeft, onTrouble })
  const connection = runtime.workerConnection()
  const worker = createHintWorkers(queue, settings.queueShards, { connection, concurrency, crowd, hints, onTrouble })
  runtime.local[local] = crowd.openEntrance(concurrency).offer
  return {
    name,
    async stop(graceMs) {
      delete runtime.local[local]
      await Promise.all([worker.stop(), crowd.stop(graceMs)])
    },
  }
}
