// The executor's view of a claimed conversation's mailbox: what waits, who said stop, and what is new. Reads only.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { QueuedEvent, Stops, Waiting } from '#shared/run/step.ts'
import type { RunStore } from './run-store.ts'

export type Mailbox = {
  waiting(): readonly QueuedEvent[]
  /** Waiting events other than these. */
  waitingBeside(seqs: readonly number[]): readonly QueuedEvent[]
  taken(seqs: readonly number[]): readonly QueuedEvent[]
  stops(): Stops
  /** Highest seq of a stop that holds for this person; 0 without one. */
  stopSeq(principal: string): number
  /** Whether no turn is to be begun, since its answer could not be sent in time. Looks again before it says so. */
  isCongested(): Promise<boolean>
  find(seq: number): ChatEvent | undefined
  /** Who these events are, of those that are known. */
  known(seqs: readonly number[]): readonly { readonly seq: number; readonly id: string }[]
  /** Forgets consumed events. */
  drop(seqs: readonly number[]): void
  /** A later event was routed: the next refresh reads it. */
  noticeRouted(routedSeq: number): void
  /** Reads anew if something may have changed. */
  refresh(): Promise<void>
  /** Calls back after each reading. Returns what ends that. */
  onNews(callback: () => void): () => void
  close(): void
}

export function createMailbox(
  store: RunStore,
  claimed: Omit<Waiting, 'events'> & { readonly pending: readonly QueuedEvent[] },
  full: number,
): Mailbox {
  let waiting = claimed.pending
  let stops = claimed.stops
  let congested = claimed.isCongested
  let seenSeq = claimed.routedSeq
  let stale = waiting.length >= full
  const listeners = new Set<() => void>()
  const read = oneAtATime(async () => {
    stale = false
    const answer = await store.pending(0).catch((error: unknown) => {
      stale = true
      throw error
    })
    waiting = answer.events
    stops = answer.stops
    congested = answer.isCongested
    seenSeq = Math.max(seenSeq, answer.routedSeq)
    if (waiting.length >= full) stale = true
    listeners.forEach((listener) => listener())
  })
  const unsubscribe = store.onNews(() => {
    stale = true
    read().catch(() => {})
  })
  return {
    waiting: () => waiting,
    waitingBeside: (seqs) => waiting.filter((item) => !seqs.includes(item.seq)),
    taken: (seqs) => waiting.filter((item) => seqs.includes(item.seq)),
    stops: () => stops,
    stopSeq: (principal) => Math.max(stops[principal] ?? 0, stops['*'] ?? 0),
    async isCongested() {
      if (congested) await read()
      return congested
    },
    find: (seq) => waiting.find((item) => item.seq === seq)?.event,
    known: (seqs) => waiting.filter((item) => seqs.includes(item.seq)).map(({ seq, event }) => ({ seq, id: event.id })),
    drop(seqs) {
      waiting = waiting.filter((item) => !seqs.includes(item.seq))
    },
    noticeRouted(routedSeq) {
      if (routedSeq > seenSeq) stale = true
    },
    async refresh() {
      if (stale) await read()
    },
    onNews(callback) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
    close: unsubscribe,
  }
}

/** Does its work one time after another, and once more for all that ask meanwhile. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= last.then(() => {
      next = undefined
      return work()
    })
    last = next.catch(() => {})
    return next
  }
}
