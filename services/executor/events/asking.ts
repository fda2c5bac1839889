// What a feature is told of the conversation when a command, an answer or an edit of it is applied.
import { hasStream, type PrincipalId } from '#shared/chat/conversation.ts'
import type { Asking, ConversationView } from '#shared/feature/feature.ts'
import { keeper } from '#shared/feature/kept.ts'
import { BotError } from '#shared/errors.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { toTaskNumber } from '#services/executor/run/task-number.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { findArtifact } from '#services/executor/run/find-artifact.ts'
import { readOriginals } from '#services/executor/compaction/originals.ts'
import { aboutHistory, toTranscript, visibleTo } from '#services/executor/state/history-item.ts'
import { nothingAsked, toOpen } from '#services/executor/state/asking.ts'
import type { At } from '#services/executor/step/carry.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { covers } from '#services/executor/state/summary.ts'
import { sliceOf } from '#services/executor/state/slices.ts'

/** Shown to a feature for one person. Throws when the store that knows the owners is gone. */
export async function toAsking(
  deps: ExecutorDeps,
  claim: Claim,
  {
    feature,
    principal,
    language,
    about,
    taint = [],
  }: Pick<At, 'feature' | 'principal' | 'language' | 'about' | 'taint'>,
): Promise<Asking> {
  const { conversation, state } = claim
  return {
    conversation,
    ...toTaskNumber(claim),
    principal,
    language,
    about,
    keep: keeper({ by: principal, taint, about }),
    owner: await deps.isOwner(principal, conversation),
    slice: sliceOf(state, feature),
    state: toView(deps, claim, principal),
    async holds(id) {
      const known = deps.features.findSetting(id)
      if (!known) throw new BotError('internal', `There is no setting ${id}.`)
      return await known.found.holds({ slice: sliceOf(state, known.feature), conversation, principal })
    },
    zone: () => deps.findZone(principal),
    findArtifact: (name) => findArtifact(claim.store, principal, name),
  }
}

/** Nothing where it is for another's eyes alone. */
function findLastText({ putOff, lastText, lastOf }: ConversationState, principal: PrincipalId): string | undefined {
  const isOthers = lastOf?.for !== undefined && lastOf.for !== principal
  return putOff?.[principal]?.text || (isOthers ? undefined : lastText)
}

function toView(
  { now }: Pick<ExecutorDeps, 'now'>,
  { conversation, state, busy, store }: Claim,
  principal: PrincipalId,
): ConversationView {
  return {
    sessionId: state.session.id,
    language: state.prefers.language,
    exchanges: state.history.filter((item) => item.role === 'user').length,
    fellOut: state.fellOut ?? 0,
    summed: state.summary?.lost ? 0 : (state.summary?.count ?? 0),
    busy,
    nameOf: (who) => state.people?.[who],
    questions: () => toOpen(state.asking ?? nothingAsked, now()),
    lastText: findLastText(state, principal),
    lastCard: state.under?.card,
    lastAbout: (state.lastAbout ?? []).filter((id) => !state.lastQuoted?.includes(id)),
    async transcript() {
      const said = [...(await readOriginals(store, state.session.id)).flat(), ...state.history]
      return { lines: toTranscript(visibleTo(said)), about: aboutHistory(said) }
    },
    isForgotten: (messageId) => state.forgotten?.includes(messageId) === true,
    // What web and console show reaches further back than the history.
    knows: (id) =>
      hasStream(conversation) ||
      state.history.some((one) => one.role === 'user' && one.messageId === id) ||
      (state.summary !== undefined && covers(state.summary, id)),
  }
}
