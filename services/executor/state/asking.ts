// Questions that a conversation asks people, and those that wait for their turn: each person is shown one question and one approval at a time, the
// most urgent first. What is shown ends by an answer or without one, and then the next is asked, in the same unit. Menus that somebody opened are
// none of these. Pure.
import { z } from 'zod'
import { principalId, type PrincipalId } from '#shared/chat/conversation.ts'
import { languages } from '#shared/chat/message.ts'
import { BotError } from '#shared/errors.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { taint } from '#shared/model/taint.ts'
import type { OpenQuestion } from '#shared/feature/open-question.ts'
import { urgencies, urgency } from '#shared/run/question.ts'
import type { Cancel } from '#shared/run/step.ts'

/** Who may answer: a person, or `*` for anyone of the chat. */
const asked = z.union([principalId, z.literal('*')])
const shown = z.object({
  question: z.string(),
  /** `<feature>.<kind>`. */
  kind: z.string(),
  to: asked,
  urgency,
  /** Its row. */
  card: z.string(),
  /** What it speaks, and so does its end. */
  language: z.enum(languages).exactOptional(),
  /** The beginning of what it says; empty once that is forgotten. */
  text: z.string(),
  /** The beginnings of what its first options are called. */
  labels: z.array(z.string()),
  /** What its feature calls it. */
  key: z.string().exactOptional(),
  about: z.array(z.string()),
  /** It guards something, as an approval does: it stands beside a question. */
  guards: z.literal(true).exactOptional(),
  /** When it was asked, and when it has ended for sure, even if nobody told: ms. */
  at: z.number(),
  until: z.number(),
})
/** A question that waits, with what its effect and its step said of it. */
const waiting = z.object({
  feature: z.string(),
  /** Read again by its feature's name when it is asked. */
  effect: z.custom<AskEffect>((found) => typeof found === 'object' && found !== null),
  principal: principalId,
  language: z.enum(languages),
  about: z.array(z.string()),
  taint: taint.exactOptional(),
})
/** What people were asked within the last hour; what has the same topic follows one another and counts once. */
const counted = z.object({ to: asked, at: z.number(), topic: z.string().exactOptional() })
export const asking = z.object({
  v: z.literal(1),
  shown: z.array(shown),
  waiting: z.array(waiting),
  lately: z.array(counted),
})
export type Asking = z.infer<typeof asking>
export type Shown = z.infer<typeof shown>
export type Waiting = z.infer<typeof waiting>
export type AskEffect = Extract<StepEffect, { kind: 'ask' }>

export const isAsking = (state: Asking | undefined): state is Asking =>
  state !== undefined && state.shown.length + state.waiting.length + state.lately.length > 0
export const nothingAsked: Asking = { v: 1, shown: [], waiting: [], lately: [] }
const hourMs = 3_600_000
/** Of one person, whatever asks them and for whom: who is asked all the time presses without reading. */
const mostAnHour = 20
/** Of all people of a chat. */
const mostCounted = 10 * mostAnHour
const mostWaiting = 30
/** To as many people of a chat: what is kept of them is written anew with each. */
const mostShown = 100
const mostChars = 65_536
const excerptChars = 200
const mostLabels = { count: 6, chars: 40 }
/** Its card may wait to be sent; after that long nobody waits for its end any more. */
const slackMs = 2 * 86_400_000

/**
 * Whether it asks somebody who is shown another one of its kind now, or so many are shown here that no more are kept. Nobody works on while an
 * approval is hidden, so that it stands beside a question. A question that anyone may answer waits in its own line, so it never delays a person's own.
 */
export function mustWait(state: Asking, effect: AskEffect, principal: PrincipalId, nowMs: number): boolean {
  if (effect.urgency === undefined) return false
  const open = state.shown.filter(({ until }) => until > nowMs)
  return open.length >= mostShown || findAhead(state, toLine(effect, principal), nowMs) !== undefined
}

/** Whom a question asks, and whether it guards something. */
type Line = Pick<Shown, 'to' | 'guards'>
const toLine = ({ owner, stales }: AskEffect, principal: PrincipalId): Line => ({
  to: owner ?? principal,
  ...(stales ? { guards: true } : {}),
})

/** What is shown now in this line: the next one comes once it has ended. */
export const findAhead = ({ shown: now }: Asking, { to, guards }: Line, nowMs: number): Shown | undefined =>
  now.find((one) => one.until > nowMs && one.to === to && one.guards === guards)

export function noteShown(
  state: Asking,
  {
    effect,
    deadlineMs,
    nowMs,
    ...about
  }: Pick<Shown, 'question' | 'kind' | 'to' | 'card' | 'language'> & {
    readonly effect: AskEffect
    readonly about: readonly string[]
    readonly deadlineMs: number
    readonly nowMs: number
  },
): Asking {
  const { urgency: how = 'normal', listed, text, options } = effect
  const labels = options.flat().map(({ label }) => label.slice(0, mostLabels.chars).toWellFormed())
  const one: Shown = {
    ...about,
    about: [...about.about],
    urgency: how,
    text: (listed?.title ?? text).slice(0, excerptChars).toWellFormed(),
    labels: labels.slice(0, mostLabels.count),
    ...(listed ? { key: listed.key } : {}),
    ...(effect.stales ? { guards: true } : {}),
    at: nowMs,
    until: nowMs + deadlineMs + slackMs,
  }
  return { ...state, shown: [...state.shown.filter(({ until }) => until > nowMs), one] }
}

/** Counts a question that is raised. Throws BotError `internal` where that person, or this chat, was asked as much as may be within an hour. */
export function countAsked(state: Asking, effect: AskEffect, principal: PrincipalId, nowMs: number): Asking {
  const { urgency: isQuestion, owner: to = principal, topic } = effect
  if (isQuestion === undefined) return state
  // A clock that was set back must not keep anybody from being asked.
  const lately = state.lately.filter(({ at }) => at > nowMs - hourMs && at <= nowMs)
  const ofThem = lately.filter((one) => one.to === to)
  if (topic !== undefined && ofThem.some((one) => one.topic === topic)) return { ...state, lately }
  if (ofThem.length >= mostAnHour || lately.length >= mostCounted)
    throw new BotError(
      'internal',
      `As many questions as may be asked within an hour were asked here already (${mostAnHour} of one person). Ask later, or decide it without.`,
    )
  return { ...state, lately: [...lately, { to, at: nowMs, ...(topic === undefined ? {} : { topic }) }] }
}

/** Whether a card is shown to this person that waits for an answer. */
export const waitsFor = (state: Asking | undefined, principal: PrincipalId, nowMs: number): boolean =>
  state?.shown.some(({ to, until }) => until > nowMs && to === principal) === true

/** Throws BotError `internal` where too many wait. */
export function keepWaiting(state: Asking, one: Waiting): Asking {
  const all = [...state.waiting, one]
  if (all.length > mostWaiting || JSON.stringify(all).length > mostChars)
    throw new BotError(
      'internal',
      'Too many questions wait to be asked here. Ask again once some of them are answered.',
    )
  return { ...state, waiting: all }
}

export function endShown(state: Asking, question: string): Asking {
  const left = state.shown.filter((one) => one.question !== question)
  return left.length === state.shown.length ? state : { ...state, shown: left }
}

/** Takes out what is to be asked next, if anybody is free for one. */
export function takeNext(state: Asking, nowMs: number): { readonly state: Asking; readonly next: Waiting } | undefined {
  const free = state.waiting.filter(({ effect, principal }) => !mustWait(state, effect, principal, nowMs))
  const rank = ({ effect }: Waiting): number => urgencies.indexOf(effect.urgency ?? 'normal')
  const [next] = free.toSorted((a, b) => rank(a) - rank(b))
  return next && { next, state: { ...state, waiting: state.waiting.filter((one) => one !== next) } }
}

/** Without what waits and is called off with what is shown. */
export function withoutWaiting<S extends { readonly asking?: Asking | undefined }>(state: S, which: Cancel): S {
  return state.asking ? { ...state, asking: callOff(state.asking, which) } : state
}

function callOff(state: Asking, which: Cancel): Asking {
  const isOff = ({ principal, effect }: Waiting): boolean =>
    'all' in which || ('asker' in which ? which.asker === principal : which.topic === effect.topic)
  const left = state.waiting.filter((one) => !isOff(one))
  return left.length === state.waiting.length ? state : { ...state, waiting: left }
}

/** All that is open: what is shown first, then what waits, each the most urgent first. */
export function toOpen({ shown: now, waiting: later }: Asking, nowMs: number): readonly OpenQuestion[] {
  const rank = ({ urgency: how }: OpenQuestion): number => urgencies.indexOf(how)
  const all = now.flatMap(({ kind, key, text, to, urgency: how, about, until, guards }): OpenQuestion[] =>
    until > nowMs
      ? [
          {
            kind,
            ...(key === undefined ? {} : { key }),
            text,
            to,
            urgency: how,
            about,
            ...(guards ? { guards } : {}),
            dueMs: until - slackMs,
          },
        ]
      : [],
  )
  const waits = later.map(({ feature, effect, principal, about }): OpenQuestion => {
    const { question, listed, text, owner: to = principal, urgency: how = 'normal' } = effect
    const said = (listed?.title ?? text).slice(0, excerptChars).toWellFormed()
    return {
      kind: `${feature}.${question}`,
      ...(listed ? { key: listed.key } : {}),
      text: said,
      to,
      urgency: how,
      about,
      ...(effect.stales ? { guards: true } : {}),
    }
  })
  const sorted = (some: readonly OpenQuestion[]): OpenQuestion[] => some.toSorted((a, b) => rank(a) - rank(b))
  return [...sorted(all), ...sorted(waits)]
}

/** Without what comes of a message that is to be forgotten. */
export function forgetAsked(state: Asking, messageId: string): Asking {
  const isOf = ({ about }: Pick<Shown, 'about'>): boolean => about.includes(messageId)
  if (!state.shown.some(isOf) && !state.waiting.some(isOf)) return state
  return {
    ...state,
    shown: state.shown.map((one) => (isOf(one) ? { ...one, text: '', labels: [] } : one)),
    waiting: state.waiting.filter((one) => !isOf(one)),
  }
}
