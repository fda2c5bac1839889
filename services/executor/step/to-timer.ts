// A timer as a feature wants it, made into one that is stored.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { toTainted, type Taint } from '#shared/model/taint.ts'
import { BotError } from '#shared/errors.ts'
import type { Timer } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { toKind } from '#services/executor/state/features.ts'

type TimerEffect = Extract<Effect, { kind: 'timer' }>

type At = {
  readonly feature: Feature
  readonly step: string
  readonly principal: PrincipalId
  readonly about: readonly string[]
  readonly taint?: Taint | undefined
  /** Which timer of its step it is. */
  readonly ordinal: number
}

/** Throws BotError `internal` for one that its feature has no rule for. */
export function toTimer({ conversation }: Pick<Claim, 'conversation'>, effect: TimerEffect, at: At): Timer {
  const { timer, key, inMs, payload } = effect
  const { feature, step, principal, about, taint, ordinal } = at
  if (!feature.timers?.[timer]) throw new BotError('internal', `The feature ${feature.name} has no timer ${timer}.`)
  const whose = { v: 1, kind: 'timer', id: `${step}-timer-${ordinal}`, conversation, principal } as const
  const what = { timer: toKind(feature, timer), ...(key === undefined ? {} : { key }) }
  // What people wrote comes last, so that Redis finds the ids before it.
  const comesOf = { ...(about.length > 0 ? { messages: [...about] } : {}), ...toTainted(taint) }
  const event = { ...whose, ...what, ...comesOf, payload }
  return { name: toTimerName(feature, effect), inMs, event }
}

export const toTimerName = (feature: Feature, { timer, key }: Pick<TimerEffect, 'timer' | 'key'>): string =>
  key === undefined ? toKind(feature, timer) : `${toKind(feature, timer)}.${key}`

/** The timers of one step: what is wanted last of a name holds. */
export function createTimers() {
  const wanted = new Map<string, Timer | undefined>()
  return {
    arm: (timer: Timer) => {
      wanted.set(timer.name, timer)
    },
    disarm: (name: string) => {
      wanted.set(name, undefined)
    },
    count: () => wanted.size,
    all: () => ({
      timers: [...wanted.values()].filter((timer) => timer !== undefined),
      disarms: [...wanted].flatMap(([name, timer]) => (timer ? [] : [name])),
    }),
  }
}
