// A timer that fired: its feature says what is done, as for whom it was armed.
import type { TimerEvent } from '#shared/chat/event.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { nothing, type Applied } from './applied.ts'
import { leaveUnknown } from '#services/executor/run/leave-unknown.ts'
import { isCalledOff } from '#services/executor/step/called-off.ts'
import { consult } from './consult.ts'

/** One that was called off after it fired, or is of a feature that this fleet has no more, says nothing. */
export async function applyTimer(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event }: { item: QueuedEvent; event: TimerEvent },
): Promise<Applied> {
  if (isCalledOff(claim.state, event)) return nothing(claim.state, event.kind)
  const known = deps.features.findTimer(event.timer)
  if (!known) await leaveUnknown(deps, 'timer', event.timer)
  if (!known) return nothing(claim.state, event.kind)
  return await consult(deps, claim, { feature: known.feature, item, event }, (asking) =>
    known.found.due({ ...asking, event }),
  )
}
