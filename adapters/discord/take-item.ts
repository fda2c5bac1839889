// One event of a shard is stored, however often that must be tried.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackOff } from '#queues/fleet/back-off.ts'
import type { Seen } from '#queues/fleet/gateway-session.ts'
import { BotError, toReason } from '#shared/errors.ts'

/** Where an event stands: its number in its session. */
export type Position = { readonly sessionId: string; readonly sequence: number }

export type Work = {
  /** Items of one lane are taken one after the other; one without a lane waits for all before it, and all wait for it. */
  readonly lane: string | undefined
  /** Another lane, whose items, as far as they came before this one, are taken before it. */
  readonly behind?: string | undefined
  /** Stores it. Throws BotError when it must be tried again. Returns what has been seen by it, by channel. */
  take(): Promise<Seen | undefined>
}

export type Item = Position & Work & { seen?: Seen; isStored: boolean; before?: Promise<void> | undefined }

export type TakeItemDeps = {
  readonly backOff: BackOff
  readonly say: (text: string) => void
  readonly count: (reason: string) => void
}

export type TakingDeps = TakeItemDeps & {
  rest(over: Promise<void>): Promise<void>
  pause(text: string, signal: AbortSignal): Promise<void>
}

/** False when the signal aborted before it was stored. */
export async function takeItem(deps: TakingDeps, item: Item, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    try {
      const seen = await item.take()
      if (seen) item.seen = seen
      deps.backOff.reset()
      return true
    } catch (error) {
      if (!(error instanceof BotError) || error.retry === 'never') {
        // One broken conversation must not keep the whole channel waiting for ever.
        const why = toReason(error)
        deps.count('refused')
        deps.say(`An event of Discord could not be stored and was left out: ${why}`)
        return true
      }
      if (signal.aborted) return false
      // Where Discord asks for patience it is with one channel; a store that is away is so for all.
      const isForLane = error.code === 'platform' && item.lane !== undefined
      const waitMs = Math.max(error.retry.afterMs, toGrowing(tries))
      if (isForLane) await deps.rest(sleep(waitMs, undefined, { signal }).catch(() => {}))
      else await deps.pause(`Events of Discord wait, since they cannot be stored: ${error.message}`, signal)
      if (signal.aborted) return false
    }
  }
}

/** From half a second to half a minute. */
const toGrowing = (tries: number): number => Math.min(500 * 2 ** tries, 30_000)
