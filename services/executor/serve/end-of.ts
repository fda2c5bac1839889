// What becomes of what was thrown while its process lives. That is no crash: trying again would not help, so nothing is left to be tried again.
import { isHopeless } from '#shared/errors.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import { setAside } from './set-aside.ts'
import type { Served, Serving } from '#services/executor/step/serving.ts'

type Handler = (error: unknown) => Promise<Served | undefined>

/**
 * Applies an event another time, with what the store said, when it takes none of what the event came to. Not where a turn has begun: that is
 * stored.
 */
export const tellInstead =
  (serving: Serving, signal: AbortSignal, tell: (refused: Error) => Promise<Served | undefined>): Handler =>
  async (error) => {
    if (signal.aborted || !isHopeless(error) || serving.open()) throw error
    serving.revert()
    return await tell(error)
  }

/** Sets the turn aside, or the first of these events. What is no fault of theirs is thrown on, and what cannot even be set aside. */
export const endOf =
  (serving: Serving, events: readonly QueuedEvent[], signal: AbortSignal): Handler =>
  async (error) => {
    if (signal.aborted || !isHopeless(error)) throw error
    serving.revert()
    const set = await setAside(serving, serving.open(), events)
    serving.deps.onFeatureFailed('executor', error)
    return set
  }
