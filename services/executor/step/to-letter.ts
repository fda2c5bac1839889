// A letter as a feature wants it, made into one that is stored.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { toTainted, type Taint } from '#shared/model/taint.ts'
import { BotError } from '#shared/errors.ts'
import type { Letter } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { toKind } from '#services/executor/state/features.ts'
import { toForeign } from '#services/executor/state/told.ts'

type At = {
  readonly feature: Feature
  readonly step: string
  readonly principal: PrincipalId
  readonly language?: Language | undefined
  readonly about: readonly string[]
  readonly taint?: Taint | undefined
  /** Nobody asked for what it comes of. */
  readonly byItself?: boolean | undefined
  /** Where it was written nobody keeps for whom it is: it is reported back. */
  readonly reports?: boolean | undefined
  /** Which letter of its step it is. */
  readonly ordinal: number
}

/** Throws BotError `internal` for one that its feature has no rule for. */
export function toLetter(
  { conversation: from }: Pick<Claim, 'conversation'>,
  { to, letter, payload }: Extract<Effect, { kind: 'letter' }>,
  { feature, step, principal, language, about, taint, byItself, reports, ordinal }: At,
): Letter {
  if (!feature.letters?.[letter]) throw new BotError('internal', `The feature ${feature.name} has no letter ${letter}.`)
  const whose = { v: 1, kind: 'letter', id: `${from}/${step}-letter-${ordinal}`, conversation: to, principal } as const
  const comesOf = {
    ...(about.length > 0 ? { regarding: about.map((id) => toForeign(from, id)) } : {}),
    ...toTainted(taint),
    ...(byItself ? { byItself } : {}),
    ...(reports && about.length > 0 ? { reports } : {}),
  }
  const what = { from, letter: toKind(feature, letter), ...(language ? { language } : {}), ...comesOf }
  // What people wrote comes last, so that Redis finds the ids before it.
  return { event: { ...whose, ...what, payload } }
}
