// Hints of a process: that somebody is to look at a conversation. They go to a worker of this very process while it has room, else to the queue.
import { isTask } from '#shared/chat/address.ts'
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import type { Settings } from '#infra/config/settings.ts'
import type { Connections } from './open-connections.ts'

/** Answers whether it took the conversation on. */
export type LocalWorkers = { inbound?: (conversation: string) => boolean; execute?: (conversation: string) => boolean }

export type HintWays = {
  /** Go to a worker of this process if there is one with room, else to the queue. */
  readonly hints: Hints
  /** Where workers of this process take hints past the queue. */
  readonly local: LocalWorkers
}

export function openHints({ producer, clock }: Connections, { queueShards }: Pick<Settings, 'queueShards'>): HintWays {
  const queued = createHints(producer, clock.now, queueShards)
  const local: LocalWorkers = {}
  const execute: Hints['execute'] = async (address, wakes) =>
    local.execute?.(address) ? undefined : await queued.execute(address, wakes)
  const inbound: Hints['inbound'] = async (conversation, wakes) =>
    local.inbound?.(conversation) ? undefined : await queued.inbound(conversation, wakes)
  const hints: Hints = {
    ...queued,
    // What came for a task needs no router.
    inbound: async (address, wakes) => await (isTask(address) ? execute : inbound)(address, wakes),
    execute,
  }
  return { hints, local }
}
