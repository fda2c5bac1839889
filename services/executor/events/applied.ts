// What an event that is no turn comes to, and how a feature is asked about it.
import type { Language } from '#shared/chat/message.ts'
import { isInner, type ChatEvent } from '#shared/chat/event.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { BotError } from '#shared/errors.ts'
import { toReplaced } from '#shared/run/out-row.ts'
import { joinCaused, type Append, type QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { texts } from '#services/executor/run/texts.ts'
import { isByItself } from '#services/executor/step/hold-back.ts'
import { aboutEvent } from '#services/executor/run/open-turn.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { within } from '#services/executor/run/within.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import { carry, type At, type Carried } from '#services/executor/step/carry.ts'

/** `turn` begins one that takes the event in. */
export type Applied = Carried & Pick<Append, 'closes' | 'about' | 'reply'> & { readonly what: string }

/** Longer than a store that answers slowly; a feature that waits for ever must not hold the conversation. */
const mostFeatureMs = 60_000

export const nothing = (state: ConversationState, what: string): Applied => ({
  state,
  ...joinCaused({}, {}),
  turn: undefined,
  what,
})

/**
 * What a feature does for a person, within a time. What it cannot do, or the store did not take, is told to the person, and why to the
 * operator; a second `work` is done in place of the telling. What fails since a store is away is thrown, and tried again.
 */
export async function attempt(
  deps: ExecutorDeps,
  claim: Claim,
  at: At,
  ...[work, ...instead]: readonly [() => Promise<Applied>, ...(() => Promise<Applied>)[]]
): Promise<Applied> {
  try {
    if (claim.refused) throw claim.refused
    return await within(work(), mostFeatureMs)
  } catch (error) {
    deps.onFeatureFailed(at.feature.name, error)
    if (error instanceof BotError && error.retry !== 'never') throw error
    const [next] = claim.refused ? [] : instead
    if (next) return await attempt(deps, claim, at, next)
    const text = texts.featureFailed[at.language]
    return { ...carry(deps, claim, [{ kind: 'send', text }], at), what: 'failed' }
  }
}

export function toAt({ feature, item, language }: { feature: Feature; item: QueuedEvent; language: Language }): At {
  const { event } = item
  return {
    feature,
    step: toWorkId('e', item),
    principal: event.principal,
    language,
    about: aboutEvent(event),
    // What comes from inside nobody waits for by its name, and nobody chose anything by it.
    answers: isInner(event) ? [] : [event.id],
    ...toReplyTo(event),
    card: toReplaced(event),
    // Commands say by `admins` who may use them, and a press was won by whom its question named.
    mayChoose: !isInner(event),
    taint: 'taint' in event ? event.taint : undefined,
    byItself: isByItself(event),
  }
}

/** In a group a reply names the message it answers, or the one that was edited. */
export const toReplyTo = (event: ChatEvent): { replyTo?: string } =>
  (event.kind === 'message' || event.kind === 'edit') && event.group && event.messageId
    ? { replyTo: event.messageId }
    : {}
