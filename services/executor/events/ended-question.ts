// A question that has ended: its feature says what that does, by the kind that the event carries.
import { hasStream } from '#shared/chat/conversation.ts'
import type { AnswerEvent, ExpiredEvent } from '#shared/chat/event.ts'
import { BotError } from '#shared/errors.ts'
import type { Effect } from '#shared/feature/effect.ts'
import { toReplaced, unbutton, type OutRow } from '#shared/run/out-row.ts'
import { stopKind } from '#shared/run/question.ts'
import { joinCaused, type QueuedEvent } from '#shared/run/step.ts'
import type { Shown } from '#services/executor/state/asking.ts'
import { askNext, withoutShown } from './ask-next.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { nothing, type Applied } from './applied.ts'
import { toRows } from '#services/executor/step/carry.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import { texts } from '#services/executor/run/texts.ts'
import { boundAbout, toLanguage } from '#services/executor/state/state.ts'
import { leaveUnknown } from '#services/executor/run/leave-unknown.ts'
import { consult } from './consult.ts'
import { findUnread } from './unread-words.ts'

/** A won press: what its question kept travels in the event, so that nothing else need be read. */
export async function applyAnswer(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event }: { item: QueuedEvent; event: AnswerEvent },
): Promise<Applied> {
  // The reply that a stop ends sees to its buttons itself.
  if (event.about === stopKind) return nothing(claim.state, 'answer')
  const known = deps.features.findQuestion(event.about)
  if (!known) await leaveUnknown(deps, 'question', event.about)
  const ended = withoutShown(claim, event.question)
  // Of a feature that this fleet has no more: its buttons are of no use.
  const applied = known
    ? await consult(deps, ended, { feature: known.feature, item, event, card: shownAs(claim, event) }, (asking) =>
        known.found.answer({ ...asking, event }),
      )
    : nothing(ended.state, 'answer')
  const next = askNext(deps, claim, applied, toWorkId('e', item))
  return next.turn === undefined ? withoutButtons(deps, next, { item, event }) : next
}

/** It ended without an answer. What is to be forgotten is not told to its feature, which kept it for an answer. */
export async function applyExpired(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event }: { item: QueuedEvent; event: ExpiredEvent },
): Promise<Applied> {
  const known = deps.features.findQuestion(event.about)
  if (!known) await leaveUnknown(deps, 'question', event.about)
  const ended = withoutShown(claim, event.question)
  const unread = event.unread && findUnread(claim, event.unread)
  const quoted = unread && event.unread?.message
  const about = quoted === undefined ? undefined : boundAbout([...(event.messages ?? []), quoted])
  const told = { item: about ? { ...item, event: { ...event, messages: about } } : item, event }
  const isForgotten = event.why === 'forgotten'
  const rule = isForgotten ? known?.found.forgotten : known?.found.expired
  const ofFeature =
    known && rule
      ? await consult(deps, ended, { ...told, feature: known.feature, card: shownAs(claim, event) }, async (asking) =>
          expectEnd(event, await rule({ ...asking, event, ...(unread ? { unread } : {}) })),
        )
      : nothing(ended.state, event.kind)
  const blanked = isForgotten ? toBlanked(deps, claim, { item, event }) : []
  const applied = { ...ofFeature, ...joinCaused({ rows: blanked }, ofFeature) }
  const next = askNext(deps, claim, about ? { ...applied, about } : applied, toWorkId('e', item))
  return withoutButtons(deps, next, { item, event })
}

const shownAs = ({ state }: Claim, { question }: { readonly question: string }): Shown | undefined =>
  state.asking?.shown.find((one) => one.question === question)

/** What took another one's place, was called off or could not be shown would end in the same way again, and again, if it was asked anew. */
function expectEnd({ why }: ExpiredEvent, effects: readonly Effect[]): readonly Effect[] {
  if (why === 'deadline' || why === 'stale' || effects.every(({ kind }) => kind !== 'ask')) return effects
  throw new BotError(
    'internal',
    `A question that ended as "${why}" cannot be asked again by what its feature does about it.`,
  )
}

type Ended = { readonly item: QueuedEvent; readonly event: AnswerEvent | ExpiredEvent }

/** Unless the card was changed. One that was never sent has none. */
function withoutButtons(deps: ExecutorDeps, applied: Applied, { item, event }: Ended): Applied {
  const isUnsent = event.kind === 'expired' && event.why === 'unsent'
  if (isUnsent || applied.rows.some(({ body }) => 'replaces' in body && body.replaces === event.card)) return applied
  return { ...applied, ...joinCaused(applied, { rows: toOff(deps, item, event) }) }
}

/** In the place of a card that repeats what is to be forgotten. Where all is read from the conversation's own stream it is gone there already. */
function toBlanked(
  deps: ExecutorDeps,
  { conversation, state }: Claim,
  { item, event }: { readonly item: QueuedEvent; readonly event: ExpiredEvent },
): readonly OutRow[] {
  if (event.card === undefined || hasStream(conversation)) return []
  const shown = state.asking?.shown.find((one) => one.question === event.question)
  const language = shown?.language ?? toLanguage(state, '')
  const text = texts.cardForgotten[language]
  return toRows(deps, toWorkId('e', item), [{ v: 1, kind: 'send', text, answers: [], language, ...toReplaced(event) }])
}

/** Takes the buttons off the card that was answered. */
function toOff(deps: ExecutorDeps, item: QueuedEvent, event: AnswerEvent | ExpiredEvent): readonly OutRow[] {
  const { card, messageId, id } = event
  if (card === undefined) return []
  // Who has said something sees by that row that it was taken.
  const answers = event.kind === 'answer' && event.said ? [id] : []
  return toRows(deps, `${toWorkId('e', item)}-off`, [{ ...unbutton(card, messageId), answers }])
}
