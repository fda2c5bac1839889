// Asks what waited, once a question that was shown has ended: in the unit that applies its end.
import { joinCaused } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import type { Applied } from './applied.ts'
import { carry } from '#services/executor/step/carry.ts'
import { endShown, nothingAsked, takeNext } from '#services/executor/state/asking.ts'

/** The claim, in which a question is shown no more. */
export function withoutShown(claim: Claim, question: string): Claim {
  const { asking } = claim.state
  const left = asking && endShown(asking, question)
  return left === asking ? claim : { ...claim, state: { ...claim.state, asking: left } }
}

/** `step` names it, and with it the rows of what is asked. */
export function askNext(deps: ExecutorDeps, claim: Claim, applied: Applied, step: string): Applied {
  let done = applied
  for (let n = 0; ; n++) {
    const taken = takeNext(done.state.asking ?? nothingAsked, deps.now())
    if (!taken) return done
    const { next } = taken
    const state = { ...done.state, asking: taken.state }
    const feature = deps.features.all.find(({ name }) => name === next.feature)
    // Of a feature that this process does not have nothing could be done with an answer.
    if (!feature) done = { ...done, state }
    else {
      const { principal, language, about, taint, effect } = next
      const how = { answers: [], mayChoose: false, taint, hasWaited: true }
      const at = { feature, step: `${step}-next${n}`, principal, language, about, ...how }
      const asked = carry(deps, { ...claim, state }, [effect], at)
      done = { ...done, ...joinCaused(done, asked), state: asked.state }
    }
  }
}
