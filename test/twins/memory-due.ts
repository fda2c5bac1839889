// What the sweeper of the in-memory twin finds.
import { toPartition } from '#queues/partition.ts'
import type { Due } from '#queues/kernel/kernel.ts'
import { toProcess } from '#queues/fleet/process-key.ts'
import { isLive, type MemoryConversation, type MemoryState } from './memory-state.ts'

export type FoundDue = Pick<Due, 'what' | 'sinceMs'> & { readonly c: MemoryConversation; readonly lookMs: number }

/**
 * Due for at least `graceMs` without a live lease, the oldest first; and whose leases others of it has. A lease of a process among the `gone` is
 * none.
 */
export function findDue(
  { nowMs, conversations }: MemoryState,
  partition: number,
  graceMs: number,
  gone: readonly string[] = [],
): { readonly due: FoundDue[]; readonly holders: string[] } {
  const atMs = nowMs()
  const holderOf = ({ c, what }: FoundDue): string | undefined => {
    const lease = what === 'run' ? c.lease : what === 'out' ? c.sender : undefined
    return isLive(lease, atMs) && !gone.includes(toProcess(lease.owner) ?? '') ? lease.owner : undefined
  }
  const old = [...conversations.values()]
    .filter((c) => toPartition(c.id) === partition)
    .flatMap((c) => [...c.wake].map(([what, due]) => ({ c, what, sinceMs: atMs - due.sinceMs, lookMs: due.lookMs })))
    .filter(({ sinceMs }) => sinceMs >= graceMs)
    .toSorted((a, b) => b.sinceMs - a.sinceMs)
  return {
    due: old.filter((one) => holderOf(one) === undefined),
    holders: [...new Set(old.flatMap((one) => toProcess(holderOf(one) ?? '') ?? []))],
  }
}

export const toDue = ({ c, what, sinceMs }: FoundDue): Due => ({
  what,
  conversation: c.id,
  sinceMs,
  isDropped: what === 'run' && c.isHeld,
})
