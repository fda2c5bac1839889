// How a turn begins that a feature wants begun: on whose words, of which messages, for whom.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { TurnEffect } from '#shared/feature/effect.ts'
import { joinTaint, toTainted } from '#shared/model/taint.ts'
import { eyesOfGiven, taintOfGiven } from '#services/executor/context/origin.ts'
import { aboutEvent, type TurnStart } from '#services/executor/run/open-turn.ts'
import { boundAbout, type ConversationState } from '#services/executor/state/state.ts'
import { toServed } from './to-served.ts'

type Begun = {
  readonly how: Pick<
    TurnStart,
    | 'class'
    | 'given'
    | 'seeks'
    | 'group'
    | 'about'
    | 'last'
    | 'asker'
    | 'taint'
    | 'for'
    | 'response'
    | 'approved'
    | 'unsure'
  >
  /** Whom it serves, if not who wrote the event. */
  readonly serves?: PrincipalId
}

export function toBegun(state: ConversationState, event: ChatEvent, turn: TurnEffect): Begun {
  const { text: given, last, asker, depth = 'standard', about = aboutLast(state, event.principal), ...on } = turn
  const found = { type: 'task', depth, complex: false, rule: last ?? 'again', confidence: 'high' } as const
  // What a letter brought goes into it, whatever its feature says.
  const brought = event.kind === 'letter' ? aboutEvent(event) : []
  const { serves, taint } = toServed(event, turn)
  const eyes = on.for ?? eyesOfGiven(state, given)
  const whose = {
    ...(last ? { last } : {}),
    ...(asker ? { asker } : {}),
    ...(on.seeks === undefined ? {} : { seeks: on.seeks }),
    ...(on.group ? { group: on.group } : {}),
    ...(on.response ? { response: on.response } : {}),
    ...(on.calls?.length ? { approved: [...on.calls] } : {}),
    ...(on.unsure?.length ? { unsure: [...on.unsure] } : {}),
    ...toTainted(joinTaint(taint, on.taint, taintOfGiven(state, given, event))),
    ...(eyes === undefined ? {} : { for: eyes }),
  }
  return {
    how: { given, about: boundAbout([...brought, ...about]), class: found, ...whose },
    ...(serves === undefined ? {} : { serves }),
  }
}

/** What a turn that takes up the one before it is about. */
const aboutLast = ({ lastAbout = [], putOff: off }: ConversationState, principal: PrincipalId): readonly string[] => [
  ...lastAbout,
  ...(off?.[principal]?.about ?? []),
]
