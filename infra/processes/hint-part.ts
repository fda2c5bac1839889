// A worker role of this process: takes hints from its queue, and past the queue from this very process while it has room.
import type { QueueKind } from '#queues/jobs/queue-names.ts'
import { createHintWorkers, type HintHandler } from '#queues/workers/hint-worker.ts'
import { createLocalRunner } from '#queues/workers/local-runner.ts'
import type { Part } from './part.ts'
import type { LocalWorkers, Runtime } from './runtime.ts'

export type HintRole = {
  readonly name: string
  readonly queue: QueueKind
  readonly local: keyof LocalWorkers
  readonly concurrency: number
  readonly handler: HintHandler
  readonly onTrouble: (what: string, error?: unknown) => void
}

export function startHintPart(
  runtime: Runtime,
  { name, queue, local, concurrency, handler, onTrouble }: HintRole,
): Part {
  const connection = runtime.workerConnection()
  const { queueShards } = runtime.settings
  const { hints } = runtime
  const worker = createHintWorkers(queue, queueShards, { connection, concurrency, hints, handler, onTrouble })
  const runner = createLocalRunner({ most: concurrency, handler, onTrouble })
  runtime.local[local] = runner.offer
  return {
    name,
    async stop(graceMs) {
      delete runtime.local[local]
      await Promise.all([worker.stop(graceMs), runner.stop(graceMs)])
    },
  }
}
