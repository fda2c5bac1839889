// Puts away conversations that have been silent for long, and gives up records whose time is over, so that what a fleet keeps is bounded by
// who talks to it. Any process may run it beside others: each conversation is put away by one unit, which leaves alone whatever has work.
import { setTimeout as sleep } from 'node:timers/promises'
import { partitions } from '#queues/partition.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { tellUnlessAway } from './tell-unless-away.ts'

export type PutAwayDeps = {
  readonly kernel: Pick<Kernel, 'archive' | 'giveUpRecords'>
  /** After so long without anything new a conversation is put away. */
  readonly idleMs: number
  /** So long records are kept. */
  readonly recordsMs: number
  /** How often it looks. */
  readonly everyMs: number
  /** Told of a partition that cannot be read. The text is the same for all, so that it can be said once. */
  onTrouble(what: string, error: unknown): void
}

/** Of a partition at once: a unit holds Redis up while it runs. */
const page = 100

/** Goes on until `signal` aborts. What Redis does not answer is made up for by the next pass. */
export async function runPutAway(deps: PutAwayDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(deps.everyMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    if (!signal.aborted) await putAwayIdle(deps, signal)
  }
}

/** One pass over all partitions; one that fails keeps no other from its turn. */
export async function putAwayIdle(deps: PutAwayDeps, signal: AbortSignal): Promise<void> {
  const { kernel, idleMs, recordsMs } = deps
  for (let partition = 0; partition < partitions; partition++) {
    // First records: what is over is no reason to keep a conversation in mind.
    await orTold(deps, async () => {
      while (!signal.aborted && (await kernel.giveUpRecords(partition, recordsMs)) > 0);
    })
    await orTold(deps, async () => {
      while (!signal.aborted && (await kernel.archive(partition, idleMs, page)) === page);
    })
  }
}

async function orTold({ onTrouble }: PutAwayDeps, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) =>
    tellUnlessAway(onTrouble, 'Silent conversations of a partition cannot be put away. See flotilla doctor.', error),
  )
}
