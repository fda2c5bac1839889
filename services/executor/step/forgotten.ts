// Forgetting messages: here at once, and by letter in every conversation that words of them were written to, which does the same.
import { z } from 'zod'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { LetterEvent } from '#shared/chat/event.ts'
import type { Letter } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { forgottenLetter } from '#services/executor/state/features.ts'
import { forget, type ConversationState } from '#services/executor/state/state.ts'
import { findTold, toForeign } from '#services/executor/state/told.ts'

export type Forgetting = {
  readonly ids: readonly string[]
  readonly principal: PrincipalId
  /** Names the letters. */
  readonly step: string
  /** How many letters the step has already. */
  readonly before?: number
  /** Who told that these are to be forgotten, and knows it. */
  readonly from?: ConversationId
}
export type Forgotten = { readonly state: ConversationState; readonly letters: readonly Letter[] }

export function forgetAll(
  { features }: Pick<ExecutorDeps, 'features'>,
  { conversation, state: before }: Pick<Claim, 'conversation' | 'state'>,
  { ids, principal, step, before: count = 0, from }: Forgetting,
): Forgotten {
  let state = before
  const wanted = new Map<ConversationId, string[]>()
  for (const id of ids) {
    const foreign = toForeign(conversation, id)
    const others = [...new Set([id, foreign].flatMap((name) => findTold(state.told, name)))]
    state = forget(features, state, id)
    if (others.length === 0) continue
    // What came back from there is about it under that name.
    if (foreign !== id) state = forget(features, state, foreign)
    for (const to of others) if (to !== from) wanted.set(to, [...(wanted.get(to) ?? []), foreign])
  }
  const letters = [...wanted].map(([to, names], nth): Letter => {
    const id = `${conversation}/${step}-letter-${count + nth}`
    const event = { v: 1, kind: 'letter', id, conversation: to, principal, from: conversation } as const
    // In the payload: a letter that regards them would be forgotten on its way.
    return { event: { ...event, letter: forgottenLetter, payload: JSON.stringify(names) } }
  })
  return { state, letters }
}

/** The same, and adds the letters that tell other conversations. */
export function forgetAlso(
  deps: Pick<ExecutorDeps, 'features'>,
  claim: Pick<Claim, 'conversation' | 'state'>,
  { letters, ...what }: Forgetting & { readonly letters: Letter[] },
): ConversationState {
  const gone = forgetAll(deps, claim, { ...what, before: letters.length })
  letters.push(...gone.letters)
  return gone.state
}

const names = z.array(z.string().max(64)).max(1000)

/** The messages that this letter says are to be forgotten; none where it is another letter. */
export function namesForgotten({ letter, payload }: LetterEvent): readonly string[] {
  if (letter !== forgottenLetter) return []
  return names.parse(JSON.parse(payload))
}
