// Whether the fleet keeps up: every role that it needs is run by some process, and no work waits for long with nobody at it. It tells of
// the fleet, not of the process that answers.
import type { MissingRole } from '#queues/fleet/missing-roles.ts'
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
  /** Roles that no process has. */
  readonly missing: readonly string[]
  /** In words, for who reads it. */
  readonly problem?: string
}

export type HealthDeps = {
  readonly kernel: Pick<Kernel, 'due'>
  /** Roles that no process has, of those that are needed by the settings or by what waits. */
  findMissing(due: readonly Due[]): Promise<readonly MissingRole[]>
}

export function createHealth(deps: HealthDeps): () => Promise<Health> {
  let known: { readonly atMs: number; readonly health: Promise<Health> } | undefined
  return () => {
    if (!known || performance.now() - known.atMs > freshForMs) known = { atMs: performance.now(), health: look(deps) }
    return known.health
  }
}

async function look({ kernel, findMissing }: HealthDeps): Promise<Health> {
  const read = async () => {
    const all = Array.from({ length: partitions }, (_, partition) => kernel.due(partition, 0))
    const due = (await Promise.all(all)).flat()
    return { due, missing: await findMissing(due) }
  }
  const found = await within(
    read().catch(() => undefined),
    timeoutMs,
  )
  if (!found) return { ...toHealth([], []), ok: false, problem: 'Redis cannot be reached.' }
  return toHealth(found.due, found.missing)
}

function toHealth(due: readonly Due[], missing: readonly MissingRole[]): Health {
  const toQueue = (what: Due['what']): QueueHealth => {
    const ages = due.filter((item) => item.what === what).map((item) => item.sinceMs)
    return { waiting: ages.length, oldestWaitingMs: ages.reduce((oldest, age) => Math.max(oldest, age), 0) }
  }
  const queues = { route: toQueue('route'), run: toQueue('run'), out: toQueue('out') }
  const oldestWaitingMs = Math.max(...Object.values(queues).map((queue) => queue.oldestWaitingMs))
  const problems = [
    ...missing.map(({ found }) => `${found.slice(0, 1).toUpperCase()}${found.slice(1)}.`),
    ...(oldestWaitingMs > maxWaitingMs ? [`Work has been waiting for ${Math.round(oldestWaitingMs / 1000)} s.`] : []),
  ]
  return {
    ok: problems.length === 0,
    oldestWaitingMs,
    maxWaitingMs,
    queues,
    missing: missing.map(({ role }) => role),
    ...(problems.length > 0 && { problem: problems.join(' ') }),
  }
}
