// A letter that another conversation wrote: its feature says what is done here, as for whom it was written.
import type { LetterEvent } from '#shared/chat/event.ts'
import type { Asking } from '#shared/feature/feature.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { nothing, type Applied } from './applied.ts'
import { leaveUnknown } from '#services/executor/run/leave-unknown.ts'
import { consult } from './consult.ts'

/** One of a feature that this fleet has no more says nothing. */
export async function applyLetter(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event }: { item: QueuedEvent; event: LetterEvent },
): Promise<Applied> {
  const known = deps.features.findLetter(event.letter)
  if (!known) await leaveUnknown(deps, 'letter', event.letter)
  if (!known) return nothing(claim.state, event.kind)
  const { found, feature } = known
  const { refused } = found
  const came = (asking: Asking) => found.came({ ...asking, event })
  const instead = refused ? [(asking: Asking) => refused({ ...asking, event })] : []
  return await consult(deps, claim, { feature, item, event }, came, ...instead)
}
