// When an event was in its mailbox, and when its answer was in the outbox, as the processes of the fleet tell it. What a process did
// not get to tell before it was killed, another tells when it does the same again: times are upper bounds.
import type { HoldNews } from './holds.ts'

export type Moments = {
  hear(news: HoldNews): void
  /** ms since 1970, by event id. */
  readonly storedAtMs: ReadonlyMap<string, number>
  readonly dueAtMs: ReadonlyMap<string, number>
}

export function createMoments(): Moments {
  const storedAtMs = new Map<string, number>()
  const dueAtMs = new Map<string, number>()
  const note = (moments: Map<string, number>, id: string): void => {
    if (!moments.has(id)) moments.set(id, Date.now())
  }
  return {
    storedAtMs,
    dueAtMs,
    hear({ stored, due = [] }) {
      if (stored !== undefined) note(storedAtMs, stored)
      for (const id of due) note(dueAtMs, id)
    },
  }
}
