// Whether the fleet keeps up: measured by the work that waits with nobody at it, not by whether this process answers.
import type { Due, Kernel } from '#queues/kernel/kernel.ts'
import { partitions } from '#queues/partition.ts'
import { within } from './answer.ts'

/** Work older than this means that nobody consumes. */
const maxWaitingMs = 60_000
const timeoutMs = 3000
/** One look serves all askers of a second. */
const freshForMs = 1000

type QueueHealth = { readonly waiting: number; readonly oldestWaitingMs: number }
export type Health = {
  readonly ok: boolean
  readonly oldestWaitingMs: number
  readonly maxWaitingMs: number
  /** By what the work needs next: routing, a turn, delivery. `waiting` counts at most 100 per partition. */
  readonly queues: Readonly<Record<Due['what'], QueueHealth>>
  readonly problem?: string
}

export function createHealth(kernel: Pick<Kernel, 'due'>): () => Promise<Health> {
  let known: { readonly atMs: number; readonly health: Promise<Health> } | undefined
  return () => {
    if (!known || performance.now() - known.atMs > freshForMs) known = { atMs: performance.now(), health: look(kernel) }
    return known.health
  }
}

async function look(kernel: Pick<Kernel, 'due'>): Promise<Health> {
  const all = Promise.all(Array.from({ length: partitions }, (_, partition) => kernel.due(partition, 0)))
  const due = await within(
    all.catch(() => undefined),
    timeoutMs,
  )
  if (!due) return { ...toHealth([]), ok: false, problem: 'Redis cannot be reached.' }
  return toHealth(due.flat())
}

function toHealth(due: readonly Due[]): Health {
  const toQueue = (what: Due['what']): QueueHealth => {
    const ages = due.filter((item) => item.what === what).map((item) => item.sinceMs)
    return { waiting: ages.length, oldestWaitingMs: ages.reduce((oldest, age) => Math.max(oldest, age), 0) }
  }
  const queues = { route: toQueue('route'), run: toQueue('run'), out: toQueue('out') }
  const oldestWaitingMs = Math.max(...Object.values(queues).map((queue) => queue.oldestWaitingMs))
  const ok = oldestWaitingMs <= maxWaitingMs
  const problem = ok ? {} : { problem: `Work has been waiting for ${Math.round(oldestWaitingMs / 1000)} s.` }
  return { ok, oldestWaitingMs, maxWaitingMs, queues, ...problem }
}
