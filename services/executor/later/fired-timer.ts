// A timer that fired: its feature says what is done, as for whom it was armed.
import type { TimerEvent } from '#shared/chat/event.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/claim.ts'
import type { ExecutorDeps } from '#services/executor/deps.ts'
import { attempt, nothing, toAt, type Applied } from '#services/executor/effects/applied.ts'
import { toAsking } from '#services/executor/effects/asking.ts'
import { carry } from '#services/executor/effects/carry.ts'
import { toLanguage } from '#services/executor/state/state.ts'

/** One of a feature that this fleet has no more says nothing. */
export async function applyTimer(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event }: { item: QueuedEvent; event: TimerEvent },
): Promise<Applied> {
  const known = deps.features.findTimer(event.timer)
  if (!known) return nothing(claim.state, 'timer')
  const at = toAt({ feature: known.feature, item, language: toLanguage(claim.state, '') })
  const asking = await toAsking(deps, claim, at)
  return await attempt(deps, claim, at, async () => {
    const effects = await known.found.due({ ...asking, event })
    return { ...carry(deps, claim, effects, at), what: event.kind }
  })
}
