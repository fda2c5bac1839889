// Finds work whose hint was lost or whose worker died, and hints it again. Any process may run one; a lease lets one at a time work.
// However long nobody takes hints, a queue holds no more of them than bounded by the work there is, in the order in which it was due.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConversation } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Hints, QueueName } from '#queues/jobs/hints.ts'
import { partitions } from '#queues/partition.ts'
import type { Due, Kernel } from '#queues/kernel/kernel.ts'

export type SweeperDeps = {
  readonly redis: RedisClient
  readonly kernel: Pick<Kernel, 'sweep'>
  readonly hints: Pick<Hints, 'sweep' | 'look'>
  readonly owner: string
  readonly everyMs: number
  /** Work younger than this has its own hint on the way. */
  readonly graceMs: number
}

const fullPage = 100
/** Work is hinted so soon after it is due, mostly; a hint too many costs little. */
const hintedWithinMs = 500
/** Of each partition in one pass: the rest comes in the next. */
const mostPages = 10
/** A queue with this many hints more than two for each piece of work gets none. Workers that die take hints along for some seconds. */
const spareHints = 1000

/** Sweeps until `signal` aborts. */
export async function runSweeper(deps: SweeperDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sweepOnce(deps).catch(() => {})
    await sleep(deps.everyMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {})
  }
}

/** One pass over all partitions. */
export async function sweepOnce({ redis, kernel, hints, owner, everyMs, graceMs }: SweeperDeps): Promise<void> {
  const key = 'fl:{sweeper}'
  const taken = await redis.set(key, owner, 'PX', everyMs * 3, 'NX')
  if (taken !== 'OK' && (await redis.get(key)) !== owner) return
  await redis.pexpire(key, everyMs * 3)
  const found = await Promise.all(Array.from({ length: partitions }, (_, partition) => collect(partition)))
  const work = found.reduce((sum, one) => sum + one.work, 0)
  const byQueue = Map.groupBy(
    found.flatMap(({ due }) => due),
    toQueue,
  )
  for (const [queue, due] of byQueue) {
    const { count, oldestMs } = await hints.look(queue)
    if (count > work * 2 + spareHints) continue
    // What is due for less time than the next hint waits has its own behind that one.
    const lost = due.filter(({ sinceMs }) => sinceMs >= oldestMs + hintedWithinMs)
    // Each goes before all others, so the oldest comes last.
    const ordered = lost.toSorted((a, b) => a.sinceMs - b.sinceMs)
    await Promise.all(ordered.map(({ conversation, sinceMs }) => hints.sweep(queue, conversation, sinceMs)))
  }

  async function collect(partition: number): Promise<{ work: number; due: readonly Due[] }> {
    const all: Due[] = []
    for (let page = 1; ; page++) {
      const { work: here, due: more } = await kernel.sweep(partition, graceMs)
      all.push(...more)
      if (more.length < fullPage || page === mostPages) return { work: here, due: all }
    }
  }
}

function toQueue(due: Due): QueueName {
  if (due.what === 'route') return 'inbound'
  if (due.what === 'run') return 'execute'
  return `outbound-${parseConversation(due.conversation).channel}`
}
