// Finds work whose hint was lost or whose worker died, and hints it again. Any process may run one; a lease lets one at a time work.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConversation } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Hints, QueueName } from '#queues/jobs/hints.ts'
import { partitions } from '#queues/kernel/keys.ts'
import type { Due, Kernel } from '#queues/kernel/kernel.ts'

export type SweeperDeps = {
  readonly redis: RedisClient
  readonly kernel: Pick<Kernel, 'due'>
  readonly hints: Pick<Hints, 'sweep'>
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
  for (const due of found) {
    await Promise.all(due.map((item) => deps.hints.sweep(toQueue(item), item.conversation, item.epoch)))
  }
  return found.some((due) => due.length >= fullPage)
}

function toQueue(due: Due): QueueName {
  if (due.what === 'route') return 'inbound'
  if (due.what === 'run') return 'execute'
  return `outbound-${parseConversation(due.conversation).channel}`
}
