// What a conversation remembers of a turn that ends: its items, what /retry would ask again, and the buttons under its answer.
import { meet } from '#shared/chat/people.ts'
import type { Raised } from '#shared/run/question.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { toOrigin } from '#services/executor/context/origin.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { messageIdsOf, ownEvents, quotedIdsOf, readIdsOf } from '#services/executor/run/open-turn.ts'
import { givenOf, keepPutOff, type ConversationState } from '#services/executor/state/state.ts'
import { remember, toHistoryRoom } from '#services/executor/state/remember.ts'
import type { EndingText } from './ending-text.ts'
import type { Stock } from './take-stock.ts'

/** Its row, how long it is with its mark, and the questions under it. */
type Reply = { readonly card: string; readonly chars: number; readonly under: readonly Raised[] }

export function toRemembered(
  deps: ExecutorDeps,
  claim: Claim,
  { ended, said, reply }: { readonly ended: Stock; readonly said: EndingText; readonly reply: Reply },
): ConversationState {
  const { facts, tokens } = ended
  const { turn, events, about, text: asked, language } = facts
  const { card, chars } = reply
  const before = { ...claim.state, under: undefined, context: undefined }
  const own = ownEvents(turn.start, events)
  const messageIds = messageIdsOf(own)
  const quotes = [...(before.lastQuoted ?? []), ...quotedIdsOf(own), ...readIdsOf(turn), ...givenOf(claim.state)]
  const quoted = quotes.filter((id) => about.includes(id) && !messageIds.includes(id))
  // What was asked for by a button is about the question before it.
  const isSameQuestion = turn.start.last !== undefined
  const text = isSameQuestion ? (before.lastText ?? '') : asked
  return remember(
    {
      ...(isSameQuestion ? before : keepPutOff(before, turn.start.principal)),
      lastOf: isSameQuestion ? before.lastOf : toOrigin(turn.start, events),
      heard: language,
      session: { ...before.session, language: facts.instructed },
      people: meet(before.people, events),
      ...(reply.under.length > 0
        ? { under: { card, questions: reply.under.map(({ question }) => question.id), chars } }
        : {}),
    },
    { items: said.items, messageIds, about, quoted, text, tokens },
    toHistoryRoom(deps),
  )
}
