// A letter that another conversation wrote: its feature says what is done here, as for whom it was written.
import { isTask } from '#shared/chat/address.ts'
import type { LetterEvent } from '#shared/chat/event.ts'
import type { Asking } from '#shared/feature/feature.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { nothing, type Applied } from './applied.ts'
import { leaveUnknown } from '#services/executor/run/leave-unknown.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import { report } from '#services/executor/step/report.ts'
import { consult } from './consult.ts'

/** One of a feature that this fleet has no more says nothing. */
export async function applyLetter(
  deps: ExecutorDeps,
  before: Claim,
  { item, event }: { item: QueuedEvent; event: LetterEvent },
): Promise<Applied> {
  const claim = asSpoken(before, event)
  const known = deps.features.findLetter(event.letter)
  if (!known) await leaveUnknown(deps, 'letter', event.letter)
  if (!known) return nothing(claim.state, event.kind)
  const { found, feature } = known
  const { refused } = found
  const came = (asking: Asking) => found.came({ ...asking, event })
  const instead = refused ? [(asking: Asking) => refused({ ...asking, event })] : []
  const done = await consult(deps, claim, { feature, item, event }, came, ...instead)
  if (!event.reports) return done
  const from = [{ conversation: event.from, messages: event.regarding ?? [] }]
  const { principal } = event
  const reported = report({ ...claim, state: done.state }, from, { principal, step: toWorkId('e', item) })
  return { ...done, state: reported.state, letters: [...done.letters, ...reported.letters] }
}

/** A task hears nobody: it speaks as its conversation did that began it. */
const asSpoken = (claim: Claim, { language }: LetterEvent): Claim =>
  isTask(claim.address) && claim.state.heard === undefined && language !== undefined
    ? { ...claim, state: { ...claim.state, heard: language } }
    : claim
