// Where the calls of this process wait for one of the fleet's permits: a line for each role, and for each budget of work in the background,
// first come first served. However many wait,
// one question at a time goes to Redis for all of a line: at once when a permit became free here, and else every `enterEveryMs`.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelBudget, ModelRole } from '#shared/model/model-port.ts'

/** A role, and behind it the budget by which work in the background waits for it. */
export type Lane = ModelRole | `${ModelRole} ${ModelBudget}`

export const toLane = (role: ModelRole, budget: ModelBudget | undefined): Lane =>
  budget === undefined ? role : `${role} ${budget}`
/** What is done in the background is not woken for a permit that came free: it asks again soon enough. */
const isBackground = (lane: Lane): boolean => lane.includes(' ')
export type WaitingCall = { readonly id: string; readonly waitedMs: number }
export type ModelLineState = {
  /** How many of the first have a permit now. */
  readonly granted: number
  /** ms in which nobody of this line may begin; 0 when only permits are missing. */
  readonly waitMs: number
}

export type ModelLines = {
  /** Resolves when the call has a permit; rejects when `signal` aborts, or with what `letIn` threw. */
  wait(lane: Lane, id: string, signal: AbortSignal): Promise<void>
  /** Says that a permit became free in this process. */
  freed(): void
  /** Asks no more. Who waits then, waits for its signal. */
  close(): void
}

export type ModelLineDeps = {
  /** No calls means that nobody of this line waits any more. */
  readonly letIn: (lane: Lane, calls: readonly WaitingCall[]) => Promise<ModelLineState>
  /** Gives back the permit of a call that had stopped waiting by then. */
  readonly giveBack: (lane: Lane, id: string) => void
  readonly enterEveryMs: number
}

type Waiter = { readonly sinceMs: number; readonly enter: () => void; readonly fail: (error: unknown) => void }
type Line = {
  readonly lane: Lane
  readonly waiters: Map<string, Waiter>
  wake: AbortController
  isServed: boolean
}

/** More than one question can be answered for: the rest is asked for at once when all of these got in. */
const mostAtOnce = 64
/** A pause is looked at again this often, so that one that was lifted or lost holds nobody up. */
const longestWaitMs = 1000

export function createModelLines(deps: ModelLineDeps): ModelLines {
  const lines = new Map<Lane, Line>()
  const closed = new AbortController()

  async function serve(line: Line): Promise<void> {
    line.isServed = true
    while (line.waiters.size > 0 && !closed.signal.aborted) {
      const waitMs = await enterFirst(deps, line)
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: line.wake.signal }).catch(() => {})
      if (line.wake.signal.aborted) line.wake = new AbortController()
    }
    line.isServed = false
    // Others need not wait behind who went away.
    if (!closed.signal.aborted) await deps.letIn(line.lane, []).catch(() => {})
  }

  return {
    async wait(lane, id, signal) {
      signal.throwIfAborted()
      const line = lines.get(lane) ?? {
        lane,
        waiters: new Map<string, Waiter>(),
        wake: new AbortController(),
        isServed: false,
      }
      lines.set(lane, line)
      const { promise, resolve: enter, reject: fail } = Promise.withResolvers<void>()
      line.waiters.set(id, { sinceMs: performance.now(), enter, fail })
      const leave = (): void => {
        line.waiters.delete(id)
        fail(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      if (!line.isServed) serve(line).catch((error: unknown) => refuseAll(line, error))
      await promise.finally(() => signal.removeEventListener('abort', leave))
    },
    freed() {
      for (const line of lines.values()) if (!isBackground(line.lane)) line.wake.abort()
    },
    close() {
      closed.abort()
      for (const line of lines.values()) line.wake.abort()
    },
  }
}

/** Who waits must not wait for a line that nobody serves. */
function refuseAll(line: Line, error: unknown): void {
  line.isServed = false
  for (const [id, waiter] of line.waiters) if (line.waiters.delete(id)) waiter.fail(error)
}

/** Resolves with ms until the line is to be asked for again. */
async function enterFirst({ letIn, giveBack, enterEveryMs }: ModelLineDeps, { lane, waiters }: Line): Promise<number> {
  const asked = [...waiters.entries().take(mostAtOnce)]
  const nowMs = performance.now()
  try {
    const calls = asked.map(([id, { sinceMs }]) => ({ id, waitedMs: Math.round(nowMs - sinceMs) }))
    const { granted, waitMs } = await letIn(lane, calls)
    for (const [id, waiter] of asked.slice(0, granted)) {
      if (waiters.delete(id)) waiter.enter()
      else giveBack(lane, id)
    }
    if (granted === asked.length) return 0
    // Jitter keeps processes from asking all at once after a pause.
    return waitMs > 0 ? Math.min(waitMs, longestWaitMs) * (0.5 + Math.random() / 2) : enterEveryMs
  } catch (error) {
    for (const [id, waiter] of asked) if (waiters.delete(id)) waiter.fail(error)
    return enterEveryMs
  }
}
