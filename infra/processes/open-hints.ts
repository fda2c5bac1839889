// Hints of a process: that somebody is to look at a conversation. They go to a worker of this very process while it has room, else to the queue.
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import { isTask } from '#shared/chat/address.ts'
import type { Settings } from '#infra/config/settings.ts'
import type { Connections } from './open-connections.ts'

/** Answers whether it took the conversation or the task on. */
type LocalWorker = (address: string) => boolean
export type LocalWorkers = { inbound?: LocalWorker; execute?: LocalWorker; tasks?: LocalWorker }

export type HintWays = {
  /** Go to a worker of this process if there is one with room, else to the queue. */
  readonly hints: Hints
  /** Where workers of this process take hints past the queue. */
  readonly local: LocalWorkers
}

export function openHints(
  { producer, clock }: Pick<Connections, 'producer' | 'clock'>,
  { queueShards }: Pick<Settings, 'queueShards'>,
): HintWays {
  const queued = createHints(producer, clock.now, queueShards)
  const local: LocalWorkers = {}
  const execute: Hints['execute'] = async (address, wakes) => {
    const take = isTask(address) ? local.tasks : local.execute
    if (!take?.(address)) await queued.execute(address, wakes)
  }
  const hints: Hints = {
    ...queued,
    async inbound(address, wakes) {
      // What came for a task needs no router.
      if (isTask(address)) await execute(address, wakes)
      else if (!local.inbound?.(address)) await queued.inbound(address, wakes)
    },
    execute,
  }
  return { hints, local }
}
