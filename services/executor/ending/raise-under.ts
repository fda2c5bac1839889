// The questions under a reply: what its buttons do, as the features say.
import type { Feature, Replied } from '#shared/feature/feature.ts'
import { raise, type Raised } from '#shared/run/question.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { toKind } from '#services/executor/state/features.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

/** What a press may do with an answer, until the next reply or the end of the session. */
export function raiseUnder(
  deps: ExecutorDeps,
  { state, store }: Claim,
  { card, ...replied }: Omit<Replied, 'slice' | 'given'> & { readonly card: string },
): readonly Raised[] {
  const livesMs = Math.max(1, state.session.lastAt + deps.sessionIdleMs - deps.now())
  const offering = deps.features.all.filter(({ under }) => under !== undefined)
  return offering.flatMap((feature) =>
    attempt(deps, feature, [], () => {
      const given = givenBy(state, feature)
      const asked = feature.under?.({ ...replied, given, slice: sliceOf(state, feature) })
      const how = { owner: replied.asker, admins: true, about: replied.about, card, livesMs }
      return asked ? [raise(store.newQuestionId(), asked, { ...how, kind: toKind(feature, asked.question) })] : []
    }),
  )
}

const givenBy = ({ context = [] }: Pick<ConversationState, 'context'>, { name }: Feature): readonly string[] =>
  context.flatMap((part) => (part.name.startsWith(`${name}.`) ? [part.reason] : []))

/** A feature that fails now must not cost the answer: the operator is told, and it is left out. */
function attempt<T>(deps: ExecutorDeps, { name }: Feature, otherwise: T, work: () => T): T {
  try {
    return work()
  } catch (error) {
    deps.onFeatureFailed(name, error)
    return otherwise
  }
}
