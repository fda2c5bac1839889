// What a request that carried a row, or a draft, means to the delivery worker.
import type { BegunRow, Outcome } from '#queues/kernel/kernel.ts'
import type { DraftOutcome } from '#queues/workers/channel-adapter.ts'
import type { CallResult, Refused } from '#adapters/calls/call-result.ts'

/** Nothing that anybody must be told, or could change later. */
export const done: Outcome = { kind: 'sent', receipt: '' }

/** What asks for a pause is left alone a little longer than it asks. */
const slackMs = 50
const unclearRetryMs = 1500
const wrongTokenRetryMs = 30_000
const unsentDraftMs = 5000

export type OutcomeWords<T, More> = {
  readonly name: string
  toReceipt(result: T): string
  toRefusal(refused: Refused<More>): Outcome
}

export function toOutcome<T, More>(
  result: CallResult<T, More>,
  { attempts }: Pick<BegunRow, 'attempts'>,
  platform: OutcomeWords<T, More>,
): Outcome {
  const patienceMs = Math.min(1000 * 2 ** Math.min(attempts - 1, 5), 30_000)
  switch (result.kind) {
    case 'ok':
      return { kind: 'sent', receipt: platform.toReceipt(result.value) }
    case 'slow-down': {
      const reason = `${platform.name} asks to slow down`
      return { kind: 'retry', afterMs: result.retryAfterMs + slackMs, reason, slowDown: result.scope }
    }
    case 'not-sent':
      return { kind: 'retry', afterMs: patienceMs, reason: result.reason }
    case 'unclear':
      return { kind: 'unknown', reason: result.reason, afterMs: Math.max(unclearRetryMs, patienceMs) }
    case 'refused':
      return platform.toRefusal(result)
    default:
      return result satisfies never
  }
}

/** A token or an address under repair: the row's expiry bounds how long this goes on. */
export function toRepair(reason: string): Outcome {
  return { kind: 'retry', afterMs: wrongTokenRetryMs, reason }
}

/** `closedAfterMs`: until a refused draft may be tried again. */
export function toDraftOutcome(result: CallResult<unknown>, closedAfterMs: number): DraftOutcome {
  switch (result.kind) {
    case 'ok':
      return { kind: 'shown' }
    case 'slow-down':
      return { kind: 'refused', afterMs: result.retryAfterMs + slackMs, slowDown: result.scope }
    case 'not-sent':
      return { kind: 'refused', afterMs: unsentDraftMs }
    case 'unclear':
      return { kind: 'unclear' }
    case 'refused':
      return { kind: 'refused', afterMs: closedAfterMs }
    default:
      return result satisfies never
  }
}
