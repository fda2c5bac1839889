// Puts away conversations that have been silent for long, so that what a fleet keeps is bounded by who talks to it. Any process may run
// it beside others: each conversation is put away by one unit, which leaves alone whatever has work.
import { setTimeout as sleep } from 'node:timers/promises'
import { partitions } from '#queues/partition.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'

export type PutAwayDeps = {
  readonly kernel: Pick<Kernel, 'archive'>
  /** After so long without anything new a conversation is put away. */
  readonly idleMs: number
  /** How often it looks. */
  readonly everyMs: number
}

/** Of a partition at once: a unit holds Redis up while it runs. */
const page = 100

/** Goes on until `signal` aborts. A pass that Redis does not answer is made up for by the next. */
export async function runPutAway(deps: PutAwayDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(deps.everyMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    if (!signal.aborted) await putAwayIdle(deps, signal).catch(() => {})
  }
}

/** One pass over all partitions. */
async function putAwayIdle({ kernel, idleMs }: PutAwayDeps, signal: AbortSignal): Promise<void> {
  for (let partition = 0; partition < partitions; partition++) {
    while (!signal.aborted && (await kernel.archive(partition, idleMs, page)) === page);
  }
}
