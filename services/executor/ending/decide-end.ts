// Decides how a turn ends: what is said of it, with which mark and buttons, and what is remembered of it. Stores nothing.
import { isTask } from '#shared/chat/address.ts'
import { isMendable } from '#shared/model/model-port.ts'
import { toEndRow, toFirstRow, toReplaced, unbutton, type OutBody, type OutRow } from '#shared/run/out-row.ts'
import type { Raised } from '#shared/run/question.ts'
import { findMeantBy } from '#services/executor/run/meant.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { markOf, unmarked, unmarkedTurn, workOf } from '#services/executor/context/marks.ts'
import { findAwaited } from '#services/executor/gateway/awaited.ts'
import { keptItems } from './kept-items.ts'
import { raiseUnder } from './raise-under.ts'
import { toRemembered } from './remembered.ts'
import { findPress, type EndingTurn, type Stock } from './take-stock.ts'
import { toShown } from '#services/executor/context/made-up.ts'
import { describeEnding, type EndingText } from './ending-text.ts'
import { isInGroup, toReplyTo } from '#services/executor/context/in-group.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { isBehind } from './waits-for.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

/** As long as an answer may be to stand in one message on every platform (Discord: 2,000). */
const editableChars = 1900

export type DecidedEnd = {
  readonly said: EndingText
  readonly reply: Reply
  /** The state with what is remembered of the turn. */
  readonly state: ConversationState
}

export function decideEnd(deps: ExecutorDeps, claim: Claim, input: EndingTurn, ended: Stock): DecidedEnd {
  const said = describe(deps, claim, input, ended)
  // What a task's step came to is for its feature alone: nothing is said, and the next one begins with a prompt of its own.
  if (isTask(claim.address)) return { said, reply: noReply(ended), state: { ...claim.state, context: undefined } }
  const reply = toReply(deps, claim, { input, ended, said })
  return { said, reply, state: toRemembered(deps, claim, { ended, said, reply }) }
}

function describe(deps: ExecutorDeps, claim: Claim, input: EndingTurn, { facts }: Stock): EndingText {
  const { turn, events, language } = facts
  const items = keptItems(deps, claim, turn)
  const written = unmarked(deps, input.written)
  const waits = isAwaiting(input, claim)
  const isUnasked = (input.isUnasked || input.isBare) === true && waits
  const behind = isBehind(claim.state, turn.start, { isAwaiting: waits, nowMs: deps.now() })
  const said = describeEnding(
    { ...input, isAwaiting: waits, isUnasked, isBehind: behind, written, turn: unmarkedTurn(deps, turn, true) },
    items,
    { events, language, meant: findMeantBy(claim.state.asking, events, deps.now())?.text },
  )
  return { ...said, text: toShown(claim, { turn, taint: facts.taint }, said.text) }
}

/** The message that ends a turn. */
export type Reply = {
  /** The id of its row. */
  readonly card: string
  /** How long it is with its mark. */
  readonly chars: number
  readonly mark: string | undefined
  /** The reply itself first, then what takes buttons away from older messages. */
  readonly bodies: readonly OutBody[]
  /** The questions under it, with their buttons. */
  readonly under: readonly Raised[]
}

const noReply = ({ facts }: Stock): Reply => ({
  card: toEndRow(facts.turn.start.turn),
  chars: 0,
  mark: undefined,
  bodies: [],
  under: [],
})

export const toReplyRows = ({ replyExpiresInMs: expiresInMs }: ExecutorDeps, { card, bodies }: Reply): OutRow[] =>
  bodies.map((body, i) => ({ id: i === 0 ? card : `${card}-off-${i}`, body, expiresInMs }))

function toReply(
  deps: ExecutorDeps,
  claim: Claim,
  { input, ended, said }: { readonly input: EndingTurn; readonly ended: Stock; readonly said: EndingText },
): Reply {
  const { facts, answers, rewritten } = ended
  const { turn, events, text: asked, language } = facts
  const isAnswered = input.ending === 'answered'
  const { principal, turn: id } = turn.start
  const { text, unfinished, hasReply } = said
  const last = claim.state.under
  const card = toEndRow(id)
  const pressed = findPress(events)
  // A rewritten answer takes the place of the last one, unless that may have been sent in parts.
  const isShort = (last?.chars ?? 0) <= editableChars
  const isEdit = isAnswered && isShort && rewritten !== undefined && rewritten.card === last?.card
  const asker = turn.start.asker ?? principal
  const { ending, failure } = input
  const isAskable = ending === 'model-failed' && isMendable(failure)
  const how = {
    ending,
    unfinished,
    worked: turn.start.response !== undefined || workOf(turn).tools.length > 0,
    depth: turn.start.class.depth,
    group: isInGroup(claim.state, events),
  }
  const about = { about: facts.about, text, language, ...how, asker, card }
  const under = (isAnswered && hasReply) || unfinished || isAskable ? raiseUnder(deps, claim, about) : []
  const mark = isAnswered && hasReply ? markOf(deps, claim.state, { turn, asked, language, text }) : undefined
  const marked = mark ? `${mark}\n\n${text}` : text
  const waits = ending === 'suspended' && !input.isUnasked && !input.isBare
  const shown = {
    ...toReplyTo(claim.state, turn.start, events),
    ...(waits ? { waits } : {}),
    ...(isEdit ? toReplaced(rewritten) : { replaces: toFirstRow(id) }),
    ...(under.length > 0 ? { buttons: under.flatMap(({ buttons }) => buttons) } : {}),
  }
  const bodies: OutBody[] = [
    { v: 1, kind: 'send', text: marked, answers, language, ...shown },
    ...(pressed?.card && !isEdit ? [unbutton(pressed.card, pressed.messageId)] : []),
    ...(last && last.card !== pressed?.card ? [unbutton(last.card)] : []),
  ]
  return { card, chars: marked.length, mark, bodies, under }
}

/** Whether calls wait for somebody’s approval. */
const isAwaiting = ({ ending, turn }: EndingTurn, { conversation }: Pick<Claim, 'conversation'>): boolean =>
  ending === 'suspended' && findAwaited(turn, conversation).length > 0
