// What an answer to the card does, and its end without one. Nothing is made by silence; what was approved is made in one turn of the requester, as it
// was stored, once every call of the card is decided.
import type { Effect } from '#shared/feature/effect.ts'
import type { AnswerContext, ExpiredContext, QuestionRule } from '#shared/feature/feature.ts'
import { toSafeName } from '#shared/chat/people.ts'
import { askCard, needsWhole, toDecider, toDecision, toEnded, toRendering, toWhole, type Known } from './card.ts'
import { cardWords } from './card-words.ts'
import { toDecided, toOutcome, toUndecided } from './decided.ts'
import { denies } from './denies.ts'
import { decide, isDecided, isOver, isUnsure, readPending, readWish, toDenied, type Wish } from './pending.ts'
import type { ApprovalDeps } from './raise.ts'
import type { Approvals, ApprovalsChange } from './slice.ts'
import { toSpan } from './visible.ts'

type Done = readonly Effect<ApprovalsChange>[]
const reasonChars = 500

export const callQuestion = (
  deps: ApprovalDeps,
  tools: () => readonly Known[],
): QuestionRule<Approvals, ApprovalsChange> => ({
  answer: (context) => answer(deps, tools(), context),
  expired: (context) => expire(deps, tools(), context),
})

async function answer(deps: ApprovalDeps, tools: readonly Known[], context: AnswerContext<Approvals>): Promise<Done> {
  const { event, language, owner } = context
  const card = readPending(event.payload)
  // Its owner is who was asked: who else pressed has won nothing.
  if (!card || event.principal !== card.approver) return []
  const how = toRendering(card, { language, tools, nowMs: deps.now() })
  if (event.choice === 'show') {
    const seen = { ...card, isShown: true }
    return [toWhole(card, how), askCard(seen, { ...how, inPlace: false })]
  }
  const words = event.words?.trim() ?? ''
  const read = event.choice === '' ? toWordsWish(words) : readWish(event.choice)
  // What is shown in part is approved by nobody, whatever was pressed or said.
  if (!read || (read.wish !== 'deny' && needsWhole(card, how)))
    return [askCard(card, { ...how, inPlace: event.choice !== '', hint: cardWords[language].press })]
  const decided = decide(card, read, owner)
  if (!decided.calls.every(isDecided)) return [askCard(decided, { ...how, inPlace: true })]
  const reason = event.choice === '' ? words.slice(0, reasonChars).toWellFormed() : ''
  const who = event.name === undefined ? card.approver : toSafeName(event.name)
  const isElsewhere = card.home !== context.conversation
  const { you, passedOn } = cardWords[language]
  // Elsewhere its owner is alone with the bot.
  const by = isElsewhere ? you : toDecider(decided, event.name === undefined ? undefined : who, language)
  const end = toDecision(decided, { who: by, reason: reason === '' ? '' : toSpan(reason, 200) }, language)
  const shown = toEnded(decided, how, isElsewhere ? `${end}${language === 'zh' ? '' : ' '}${passedOn}` : end)
  const result = { card: decided, who, reason }
  return [
    { kind: 'send', text: shown, inPlace: true },
    ...(isElsewhere
      ? [{ kind: 'letter', to: card.home, letter: 'decided', payload: JSON.stringify(toDecided(result)) } as const]
      : toOutcome(result, { language, question: event.question, nowMs: how.nowMs, about: context.about })),
  ]
}

/** Words deny, and are the reason; a yes, and what begins with one, is none, since a yes is a press. */
const toWordsWish = (words: string): Wish | undefined => (denies(words) ? { wish: 'deny', at: 'all' } : undefined)

async function expire(deps: ApprovalDeps, tools: readonly Known[], context: ExpiredContext<Approvals>): Promise<Done> {
  const { event, language } = context
  const card = readPending(event.payload)
  if (!card) return []
  const how = toRendering(card, { language, tools, nowMs: deps.now() })
  const { why } = event
  if (why === 'stale' && !isOver(card, how.nowMs))
    return [askCard(card, { ...how, inPlace: false, unread: context.unread?.text ?? '…' })]
  const words = cardWords[language]
  const end = why === 'cancelled' || why === 'replaced' ? words.calledOff : words.silent
  const unsure = card.calls.some(isUnsure) ? [words.unsure] : []
  const shown: Effect<never> = {
    kind: 'send',
    text: toEnded(toDenied(card), how, [end, ...unsure].join(' ')),
    inPlace: true,
  }
  if (card.home === context.conversation) return [shown]
  return [shown, toUndecided(card)]
}
