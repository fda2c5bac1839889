// Spares a turn the wait for a server that fails anyway.
//   closed: all pass; five failures in a row open it, and one that says Retry-After does at once
//   open: all are refused for ten seconds, or as long as the server asked for
//   half open: one passes; it closes with its success and opens again with its failure
import { BotError } from '#shared/errors.ts'
import { toRetryMs, toUnavailable } from './meilisearch-client.ts'

export type Breaker = {
  /** Throws BotError `store-unavailable` where it is open. Each call that passed ends by one of the three below. */
  pass(): void
  succeeded(): void
  /** Says what the failure is to be told as. */
  failed(error: unknown): BotError
  /** The caller went away: that says nothing of the server. */
  left(): void
}

const mostFailures = 5
const openMs = 10_000

export function createBreaker(nowMs: () => number): Breaker {
  let failures = 0
  let untilMs = 0
  let isTried = false
  return {
    pass() {
      if (untilMs === 0) return
      const leftMs = untilMs - nowMs()
      if (leftMs > 0 || isTried) {
        const told = 'Meilisearch failed several times, or asked for a pause. It is asked again in a moment.'
        throw new BotError('store-unavailable', told, { retry: { afterMs: Math.max(leftMs, 1000) } })
      }
      isTried = true
    },
    succeeded() {
      failures = 0
      untilMs = 0
      isTried = false
    },
    failed(error) {
      failures += 1
      const pauseMs = toRetryMs(error) ?? (isTried || failures >= mostFailures ? openMs : undefined)
      if (pauseMs !== undefined) untilMs = nowMs() + pauseMs
      isTried = false
      return toUnavailable(error, pauseMs)
    },
    left() {
      isTried = false
    },
  }
}
