// What the sweeper of the in-memory twin finds.
import { toPartition } from '#queues/partition.ts'
import type { Due } from '#queues/kernel/kernel.ts'
import { isLive, type MemoryConversation, type MemoryState } from './memory-state.ts'

export type FoundDue = Pick<Due, 'what' | 'sinceMs'> & { readonly c: MemoryConversation; readonly lookMs: number }

/** Due for at least `graceMs` without a live lease, the oldest first. */
export function findDue({ nowMs, conversations }: MemoryState, partition: number, graceMs: number): FoundDue[] {
  const atMs = nowMs()
  return [...conversations.values()]
    .filter((c) => toPartition(c.id) === partition)
    .flatMap((c) => [...c.wake].map(([what, due]) => ({ c, what, sinceMs: atMs - due.sinceMs, lookMs: due.lookMs })))
    .filter(({ c, what, sinceMs }) => {
      const lease = what === 'run' ? c.lease : what === 'out' ? c.sender : undefined
      return sinceMs >= graceMs && !isLive(lease, atMs)
    })
    .toSorted((a, b) => b.sinceMs - a.sinceMs)
}

export const toDue = ({ c, what, sinceMs }: FoundDue): Due => ({
  what,
  conversation: c.id,
  sinceMs,
  isDropped: what === 'run' && c.isHeld,
})
