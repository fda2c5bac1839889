// Holds back what a person is still writing, so that it is routed together and forms one turn (burst.ts says what belongs together).
// Ordinary direct messages, commands and all else never wait. Only time is kept here, in memory and without a lease: an event that
// waits stays unrouted and due in Redis, so if this process dies, the sweeper has another one look, and the wait begins anew there.
//
// seen -800 ms without more of that person-> ready;  seen -2.4 s-> ready, whatever comes;  anything else of that person-> ready.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import { findBursts, mayGoOn } from '#services/router/burst.ts'

export type Gathering = {
  /** How many of these unrouted events, from the first on, may be routed now. When fewer than all, it has them looked at again. */
  ready(conversation: ConversationId, events: readonly QueuedEvent[]): number
  /** Has nothing looked at again. Returns the conversations in which something was still held back. */
  close(): readonly ConversationId[]
}

export type GatheringDeps = {
  /** ms, never going back. */
  now(): number
  /** Has a conversation looked at again. */
  again(conversation: ConversationId): void
  /** Calls back after `ms`; returns what ends that. */
  later(ms: number, callback: () => void): () => void
}

const quietMs = 800
const mostMs = 2400

export function createGathering(deps: GatheringDeps): Gathering {
  /** When this process saw an event first, by conversation and seq. */
  const seen = new Map<ConversationId, { readonly atMs: ReadonlyMap<number, number>; readonly end: () => void }>()
  return {
    ready(conversation, events) {
      const known = seen.get(conversation)
      known?.end()
      seen.delete(conversation)
      const nowMs = deps.now()
      const atMs = events.map(({ seq }) => known?.atMs.get(seq) ?? nowMs)
      const untilMs = toTimes(events, atMs)
      const count = untilMs.findIndex((ms) => ms > nowMs)
      if (count < 0) return events.length
      const end = deps.later((untilMs[count] ?? nowMs) - nowMs, () => deps.again(conversation))
      seen.set(conversation, { atMs: new Map(events.map(({ seq }, index) => [seq, atMs[index] ?? nowMs])), end })
      return count
    },
    close() {
      for (const { end } of seen.values()) end()
      const held = [...seen.keys()]
      seen.clear()
      return held
    },
  }
}

/** When each event may be routed. What one person writes in one go is not torn by others who still write in between. */
function toTimes(events: readonly QueuedEvent[], atMs: readonly number[]): number[] {
  const bursts = findBursts(events.map(({ event }) => event))
  const lastOf = new Map(events.map(({ event }, index) => [event.principal, index]))
  const times = [...atMs]
  for (const burst of bursts) {
    const ms = burst.map((index) => atMs[index] ?? 0)
    const members = burst.flatMap((index) => events[index] ?? [])
    const [end = 0] = burst.slice(-1)
    const isOpen = lastOf.get(members[0]?.event.principal ?? '') === end && members.some(({ event }) => mayGoOn(event))
    if (!isOpen) continue
    for (const index of burst) times[index] = Math.min(Math.max(...ms) + quietMs, Math.min(...ms) + mostMs)
  }
  const alone = [...times]
  for (const burst of bursts) {
    const [first = 0, end = first] = [burst[0], burst.at(-1)]
    if (first === end) continue
    const between = Math.max(...alone.slice(first, end + 1))
    for (const index of burst) times[index] = Math.min(between, (atMs[first] ?? 0) + mostMs)
  }
  return times
}
