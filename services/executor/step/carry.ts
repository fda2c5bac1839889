// Carries out what a feature wants done: rows, questions and a new state, all of them for one unit. The same for commands, answers, edits,
// tool steps and the ends of turns.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { toDeadlineLine } from '#shared/feature/deadline-line.ts'
import type { Effect, Named, TurnEffect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { BotError } from '#shared/errors.ts'
import { joinTaint, toTainted, type Taint } from '#shared/model/taint.ts'
import { outBody, type OutBody, type OutRow } from '#shared/run/out-row.ts'
import { choiceDeadlineMs, raise, type Question, type Raised } from '#shared/run/question.ts'
import { joinCaused, type Cancel, type Caused } from '#shared/run/step.ts'
import {
  countAsked,
  keepWaiting,
  mustWait,
  noteShown,
  nothingAsked,
  type AskEffect,
  type Waiting,
} from '#services/executor/state/asking.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { toKind } from '#services/executor/state/features.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { callOff } from './called-off.ts'
import { forgetAlso } from './forgotten.ts'
import { report } from './report.ts'
import { findCame, toBody, toNamedRow, withNames, type SendBody } from './to-body.ts'
import { createElsewhere } from './elsewhere.ts'
import { createTimers, toTimer, toTimerName } from './to-timer.ts'
import { readEffects } from './read-effects.ts'
import { foldChange, withoutCalledOff } from '#services/executor/state/slices.ts'
import { boundAbout, restart, type ConversationState } from '#services/executor/state/state.ts'
import { tell } from '#services/executor/state/told.ts'

/** Whose effects they are, and for whom. */
export type At = {
  readonly feature: Feature
  /** Names the step: its rows are `<step>-0`, `<step>-1`, … */
  readonly step: string
  /** Who may answer what is asked, unless the effect says another. */
  readonly principal: PrincipalId
  readonly language: Language
  /** Platform ids of the messages that the step is about. */
  readonly about: readonly string[]
  /** Ids of the events that the rows answer. */
  readonly answers: readonly string[]
  readonly replyTo?: string | undefined
  /** Whether settings of the chat may be chosen on this person's behalf. */
  readonly mayChoose: boolean
  /** What others wrote that it comes of: it goes on with what comes of this step later. */
  readonly taint?: Taint | undefined
  /** Nobody asked for what it comes of. */
  readonly byItself?: boolean | undefined
  /** What it asks was raised, and counted, before. */
  readonly hasWaited?: boolean
  /** The card that was answered, which `inPlace` changes. */
  readonly card?: { readonly replaces?: string; readonly replacesMessage?: string }
}

export type Carried = Required<Caused> & {
  readonly state: ConversationState
  /** The turn that is to begin with this step. */
  readonly turn: TurnEffect | undefined
}

/**
 * Throws BotError `internal` for what cannot be done: what is no effect, a message or a question that could not be read again, a choice that
 * does not exist or may not be made, a slice that its feature could not read, more effects than one step may have, more questions than a person is asked.
 */
export function carry(deps: ExecutorDeps, claim: Claim, effects: readonly Effect[], at: At): Carried {
  const wanted = readEffects(effects, claim.address)
  // What is called off goes before anything is asked, as where questions are stored.
  const off = wanted.flatMap((effect) => (effect.kind === 'cancel' ? [effect.which] : []))
  const state = off.reduce((left, which) => withoutCalledOff(deps.features, left, which), claim.state)
  const named = wanted.map((effect) => withNames(claim, effect, at))
  const carried = carryAll(deps, { ...claim, state }, named, at)
  const endsSession = carried.state.session.id !== claim.state.session.id
  // Whoever has a letter about a message is told when that is forgotten.
  const told = carried.letters.reduce(
    (known, { event }) => (event.regarding ? tell(known, event.conversation, at.about) : known),
    carried.state.told,
  )
  const reported = report({ ...claim, state: { ...carried.state, told } }, findCame(wanted), at)
  const letters = [...carried.letters, ...reported.letters]
  return { ...carried, letters, endsSession, state: callOff(reported.state, carried, deps.now()) }
}

function carryAll(deps: ExecutorDeps, claim: Claim, effects: readonly Effect[], at: At): Carried {
  let { state } = claim
  const turn = effects.find((effect) => effect.kind === 'turn')
  const said: Said[] = []
  const questions: Question[] = []
  const later = createTimers()
  const cancels: Cancel[] = effects.flatMap((effect) => (effect.kind === 'cancel' ? [effect.which] : []))
  const elsewhere = createElsewhere(claim, at)
  for (const effect of effects)
    switch (effect.kind) {
      case 'send':
        said.push({ id: toRowId(claim, at, effect, said.length), body: toBody(effect, claim.address, at) })
        break
      case 'show':
        said.push({ id: `${at.step}-${said.length}`, body: toShownAgain(effect.body, state, at) })
        break
      case 'ask': {
        const asked = ask(deps, { ...claim, state }, { effect, at: withTold(at, effect), nth: said.length })
        state = asked.state
        questions.push(...asked.questions)
        said.push(...asked.said)
        break
      }
      case 'change':
        state = foldChange(deps.features, state, at.feature, effect.change)
        break
      case 'choose':
        state = choose(deps, state, effect, at.mayChoose)
        break
      case 'new-session':
        state = restart(deps.features, state, deps.now())
        cancels.push({ all: true })
        break
      case 'timer':
        later.arm(toTimer(claim, effect, { ...at, ordinal: later.count() }))
        break
      case 'disarm':
        later.disarm(toTimerName(at.feature, effect))
        break
      case 'letter':
      case 'signal':
      case 'drop-task':
      case 'artifact':
      case 'drop-artifact':
      case 'feedback':
        elsewhere.add(effect)
        break
      case 'forget':
        state = forgetAlso(deps, { ...claim, state }, { ...at, ids: effect.about, letters: elsewhere.letters })
        break
      case 'cancel':
      case 'turn':
        break
      default:
        return effect satisfies never
    }
  const rows = said.map(({ id, body }) => ({ id, body: readable(body), expiresInMs: deps.replyExpiresInMs }))
  return { ...joinCaused({ rows, questions, cancels, ...elsewhere.all() }, later.all()), state, turn }
}

/** A message with the id of its row. */
type Said = Pick<OutRow, 'id' | 'body'>

const toRowId = (
  { address }: Pick<Claim, 'address'>,
  { feature, step }: Pick<At, 'feature' | 'step'>,
  { named }: Named,
  nth: number,
): string => (named === undefined ? `${step}-${nth}` : toNamedRow({ feature }, address, named))

const toShownAgain = (body: OutBody, { under }: ConversationState, { answers }: At): OutBody => ({
  ...withoutButtons(body, under?.questions),
  answers: [...answers],
})

/** A card is about what it repeats, too, and so is its answer. */
const withTold = (at: At, { about = [], taint }: AskEffect): At => ({
  ...at,
  about: boundAbout([...at.about, ...about]),
  taint: joinTaint(at.taint, taint),
})

/** Shows the card, or keeps it until the person is free for it. */
function ask(
  deps: ExecutorDeps,
  claim: Claim,
  { effect, at, nth }: { readonly effect: AskEffect; readonly at: At; readonly nth: number },
): Pick<Carried, 'state' | 'questions'> & { readonly said: readonly Said[] } {
  const { state } = claim
  const before = state.asking ?? nothingAsked
  // What is asked again after an answer goes on with the card that was answered.
  const isCounted = at.hasWaited || at.card?.replaces !== undefined
  const asking = isCounted ? before : countAsked(before, effect, at.principal, deps.now())
  if (mustWait(asking, effect, at.principal, deps.now()))
    return { state: { ...state, asking: keepWaiting(asking, toWaiting(effect, at)) }, questions: [], said: [] }
  const card = toRowId(claim, at, effect, nth)
  const { question: asked, buttons } = toAsked(claim, effect, {
    ...at,
    card,
    former: at.card?.replacesMessage,
  })
  const text = withDeadline(effect, at.language, deps.now())
  // What has waited is asked by a step that is about something else.
  const whose = at.hasWaited && at.about.length > 0 ? { about: [...at.about] } : {}
  const body = { ...toBody({ ...effect, text }, claim.address, at), ...whose, buttons, ...toAsks(effect) }
  const said = [{ id: card, body }]
  if (!effect.urgency) return { state, questions: [asked], said }
  const shown = noteShown(asking, { ...toShown(effect, asked, deps.now()), language: at.language })
  return { state: { ...state, asking: shown }, questions: [asked], said }
}

/** In the place of a card that has ended there is room for one only. */
const toWaiting = (effect: AskEffect, { feature, principal, language, about, taint }: At): Waiting => ({
  feature: feature.name,
  effect: { ...effect, inPlace: false },
  principal,
  language,
  about: [...about],
  ...toTainted(taint),
})

/** As it will be when it is asked, which may be long after it was raised. */
function withDeadline(
  { text, zone, deadlineMs = choiceDeadlineMs }: AskEffect,
  language: Language,
  nowMs: number,
): string {
  return zone === undefined ? text : `${text}\n\n${toDeadlineLine(nowMs + deadlineMs, zone, language)}`
}

function toAsks({
  urgency,
  deadlineMs = choiceDeadlineMs,
  listed,
  denies,
  zone,
  words,
}: AskEffect): Pick<SendBody, 'asks' | 'words'> {
  if (!urgency) return words ? { words } : {}
  const title = listed ? { title: listed.title } : {}
  const dated = zone === undefined ? {} : ({ dated: true } as const)
  return { asks: { urgency, deadlineMs, ...title, ...(denies ? { denies } : {}), ...dated } }
}

function toShown(effect: AskEffect, { id, kind, owner, card = '', about = [] }: Question, nowMs: number) {
  const { deadlineMs = choiceDeadlineMs } = effect
  return { effect, question: id, kind, to: owner, card, about, deadlineMs, nowMs }
}

/** The row that is to show it, and the platform's message that was answered. */
type Cards = { readonly card: string; readonly former: string | undefined }

function toAsked(
  { store }: Pick<Claim, 'store'>,
  effect: AskEffect,
  { feature, principal, about, taint, card, former }: Pick<At, 'feature' | 'principal' | 'about' | 'taint'> & Cards,
): Raised {
  const { owner = principal, admins = false, deadlineMs = choiceDeadlineMs, silent, from, again } = effect
  const formerCard = again && former !== undefined ? { formerCard: former } : {}
  const kind = toKind(feature, effect.question)
  const whose = { kind, owner, admins, asker: principal, ...(from ? { from } : {}), ...formerCard }
  return raise(store.newQuestionId(), effect, { ...whose, ...(silent ? {} : { deadlineMs }), about, card, taint })
}

/** What was shown with buttons of these questions is shown without them: they end with what stands below the answer they were under. */
function withoutButtons(body: OutBody, questions: readonly string[] = []): OutBody {
  if (body.kind !== 'send' || !body.buttons) return body
  const { buttons, ...bare } = body
  const left = buttons.map((row) =>
    row.filter(({ id }) => !questions.some((question) => id.startsWith(`${question}.`))),
  )
  const rows = left.filter((row) => row.length > 0)
  return rows.length === 0 ? bare : { ...bare, buttons: rows }
}

/** As it will be read from Redis; half a character, which JSON can hold and others cannot, is mended. */
function readable(body: OutBody): OutBody {
  const mend = (_: string, part: unknown): unknown => (typeof part === 'string' ? part.toWellFormed() : part)
  const read = outBody.safeParse(JSON.parse(JSON.stringify(body), mend))
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new BotError(
    'internal',
    `A message cannot be sent: "${issue?.path.join('.')}" does not fit (${issue?.message}).`,
  )
}

export function toRows(deps: ExecutorDeps, step: string, bodies: readonly OutBody[]): OutRow[] {
  return bodies.map((body, i) => ({ id: `${step}-${i}`, body, expiresInMs: deps.replyExpiresInMs }))
}

function choose(
  { features }: ExecutorDeps,
  state: ConversationState,
  { setting: id, choice }: Extract<Effect, { kind: 'choose' }>,
  mayChoose: boolean,
): ConversationState {
  const known = features.findSetting(id)
  const chosen = known?.found.choices.find((one) => one.id === choice)
  if (!known || !chosen) throw new BotError('internal', `There is no choice ${choice} of the setting ${id}.`)
  if (!mayChoose)
    throw new BotError('internal', `Only an owner or an administrator may choose the setting ${id} in a group.`)
  if (chosen.change === undefined)
    throw new BotError(
      'internal',
      `The setting ${id} is kept outside of the conversation and cannot be chosen by an effect.`,
    )
  return foldChange(features, state, known.feature, chosen.change)
}
