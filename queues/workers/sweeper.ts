// Finds work whose hint was lost or whose worker died, and hints it again. Any process may run one; a lease lets one at a time work.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConversation } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Hints, QueueName } from '#queues/jobs/hints.ts'
import { partitions } from '#queues/partition.ts'
import type { Due, Kernel } from '#queues/kernel/kernel.ts'

export type SweeperDeps = {
  readonly redis: RedisClient
  readonly kernel: Pick<Kernel, 'due'>
  readonly hints: Pick<Hints, 'sweep' | 'oldestWaitMs'>
  readonly owner: string
  readonly everyMs: number
  /** Work younger than this has its own hint on the way. */
  readonly graceMs: number
}

const fullPage = 100

/** Sweeps until `signal` aborts. */
export async function runSweeper(deps: SweeperDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const full = await sweepOnce(deps).catch(() => false)
    if (!full) await sleep(deps.everyMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {})
  }
}

/** One pass over all partitions. Returns whether a page was full, so that more is due. */
async function sweepOnce(deps: SweeperDeps): Promise<boolean> {
  const key = 'fl:{sweeper}'
  const taken = await deps.redis.set(key, deps.owner, 'PX', deps.everyMs * 3, 'NX')
  if (taken !== 'OK' && (await deps.redis.get(key)) !== deps.owner) return false
  await deps.redis.pexpire(key, deps.everyMs * 3)
  const found = await Promise.all(
    Array.from({ length: partitions }, (_, partition) => deps.kernel.due(partition, deps.graceMs)),
  )
  const queues = [...new Set(found.flat().map(toQueue))]
  const waits = new Map(
    await Promise.all(queues.map(async (queue) => [queue, await deps.hints.oldestWaitMs(queue)] as const)),
  )
  // A queue is first in, first out: what is due for less time than its oldest hint waits has a hint behind that one.
  const isLost = (due: Due): boolean => due.sinceMs >= deps.graceMs + (waits.get(toQueue(due)) ?? 0)
  let full = false
  for (const due of found) {
    const lost = due.filter(isLost)
    await Promise.all(lost.map((item) => deps.hints.sweep(toQueue(item), item.conversation, item.epoch)))
    full ||= lost.length >= fullPage
  }
  return full
}

function toQueue(due: Due): QueueName {
  if (due.what === 'route') return 'inbound'
  if (due.what === 'run') return 'execute'
  return `outbound-${parseConversation(due.conversation).channel}`
}
