// Carries out what a feature wants done: rows, questions and a new state, all of them for one unit. The same for commands, answers, edits,
// tool steps and the ends of turns.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Effect, TurnEffect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { BotError } from '#shared/errors.ts'
import type { OutBody, OutRow } from '#shared/run/out-row.ts'
import { raise, type Question } from '#shared/run/question.ts'
import type { ExecutorDeps } from '#services/executor/deps.ts'
import { toKind } from '#services/executor/state/features.ts'
import type { Place } from '#services/executor/place.ts'
import { foldChange } from '#services/executor/state/slices.ts'
import { forget, restart, type ConversationState } from '#services/executor/state/state.ts'

/** Whose effects they are, and for whom. */
export type At = {
  readonly feature: Feature
  /** Names the step: its rows are `<step>-0`, `<step>-1`, … */
  readonly step: string
  /** Who may answer what is asked, unless the effect says another. */
  readonly principal: PrincipalId
  readonly language: Language
  /** Ids of the events that the rows answer. */
  readonly answers: readonly string[]
  readonly replyTo?: string | undefined
  /** The card that was answered, which `inPlace` changes. */
  readonly card?: { readonly replaces?: string; readonly replacesMessage?: string }
}

export type Carried = {
  readonly state: ConversationState
  readonly rows: readonly OutRow[]
  readonly questions: readonly Question[]
  /** The turn that is to begin with this step. */
  readonly turn: TurnEffect | undefined
}

type SendEffect = Extract<Effect, { kind: 'send' | 'ask' }>

/** Throws BotError `internal` for a setting, or a choice of it, that does not exist. */
export function carry(deps: ExecutorDeps, place: Place, effects: readonly Effect[], at: At): Carried {
  let { state } = place
  let turn: TurnEffect | undefined
  const bodies: OutBody[] = []
  const questions: Question[] = []
  for (const effect of effects)
    switch (effect.kind) {
      case 'send':
        bodies.push(toBody(effect, at))
        break
      case 'show':
        bodies.push({ ...effect.body, answers: [...at.answers] })
        break
      case 'ask': {
        const { owner = at.principal, admins = false } = effect
        const how = { kind: toKind(at.feature, effect.question), owner, admins, card: `${at.step}-${bodies.length}` }
        const { question, buttons } = raise(place.store.newQuestionId(), effect, how)
        questions.push(question)
        bodies.push({ ...toBody(effect, at), buttons })
        break
      }
      case 'change':
        state = foldChange(deps.features, state, at.feature, effect.change)
        break
      case 'choose':
        state = choose(deps, state, effect)
        break
      case 'new-session':
        state = restart(deps.features, state, deps.now())
        break
      case 'forget':
        state = forget(state, effect.messageId)
        break
      case 'turn':
        turn = effect
        break
      default:
        return effect satisfies never
    }
  return { state, rows: toRows(deps, at.step, bodies), questions, turn }
}

export function toRows(deps: ExecutorDeps, step: string, bodies: readonly OutBody[]): OutRow[] {
  return bodies.map((body, i) => ({ id: `${step}-${i}`, body, expiresInMs: deps.replyExpiresInMs }))
}

function choose(
  { features }: ExecutorDeps,
  state: ConversationState,
  { setting: id, choice }: Extract<Effect, { kind: 'choose' }>,
): ConversationState {
  const known = features.findSetting(id)
  const chosen = known?.found.choices.find((one) => one.id === choice)
  if (!known || !chosen) throw new BotError('internal', `There is no choice ${choice} of the setting ${id}.`)
  return chosen.change === undefined ? state : foldChange(features, state, known.feature, chosen.change)
}

function toBody(effect: SendEffect, { answers, language, replyTo, card }: At): Extract<OutBody, { kind: 'send' }> {
  const { text, inPlace = false } = effect
  const file = effect.kind === 'send' ? effect.file : undefined
  return {
    v: 1,
    kind: 'send',
    text: text.toWellFormed(),
    answers: [...answers],
    language,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(file ? { file } : {}),
    ...(inPlace ? card : {}),
  }
}
