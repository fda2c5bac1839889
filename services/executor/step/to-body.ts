// The message that an effect makes, and what it is about.
import { isTask, taskNumber, type Address } from '#shared/chat/address.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { newest, toNames } from '#services/executor/state/came-of.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { Language } from '#shared/chat/message.ts'
import { boundAbout } from '#services/executor/state/state.ts'

export type SendBody = Extract<OutBody, { kind: 'send' }>
/** What of a step stands in its messages. */
type Around = {
  readonly feature: Pick<Feature, 'name'>
  readonly about: readonly string[]
  readonly answers: readonly string[]
  readonly language: Language
  readonly replyTo?: string | undefined
  readonly card?: { readonly replaces?: string; readonly replacesMessage?: string }
}
/** The row of a message that its feature named. */
export const toNamedRow = ({ feature }: Pick<Around, 'feature'>, address: Address, named: string): string =>
  [feature.name, ...(isTask(address) ? [taskNumber(address)] : []), named, 'row'].join('-')

type SendEffect = Extract<Effect, { kind: 'send' | 'ask' }>

/** Messages of whatever conversations that these effects repeat. */
export const findCame = (effects: readonly Effect[]): readonly CameOf[] =>
  newest(effects.flatMap((effect) => ('cameOf' in effect ? (effect.cameOf ?? []) : [])))

/** What repeats messages of whatever conversations is about them, too. */
export function withNames(
  { conversation }: Pick<Claim, 'conversation'>,
  effect: Effect,
  { about: whole }: Pick<Around, 'about'>,
): Effect {
  if ((effect.kind !== 'send' && effect.kind !== 'ask') || !effect.cameOf) return effect
  const { cameOf, about = whole, ...rest } = effect
  return { ...rest, about: boundAbout([...about, ...toNames(conversation, newest(cameOf))]) }
}

export function toBody(effect: SendEffect, address: Address, around: Around): SendBody {
  const { answers, language, replyTo, card, about: whole } = around
  const { text, inPlace = false, about: told, replaces } = effect
  const { file }: Partial<Extract<Effect, { kind: 'send' }>> = effect.kind === 'send' ? effect : {}
  const about = told && effect.kind === 'ask' ? whole : told
  return {
    v: 1,
    kind: 'send',
    text: text.toWellFormed(),
    answers: [...answers],
    language,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(file ? { file } : {}),
    ...(about ? { about: [...about] } : {}),
    // It gives way to what people wait for.
    ...(replaces === undefined ? {} : { replaces: toNamedRow(around, address, replaces), plan: true as const }),
    ...(inPlace ? card : {}),
  }
}
