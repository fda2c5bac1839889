// Ends a turn: journal, new snapshot, consumed events and the reply's row are one unit, so a crash leaves all of it or none.
import { toQuote } from '#shared/chat/spoken.ts'
import { keeper } from '#shared/feature/kept.ts'
import { isHopeless } from '#shared/errors.ts'
import { isMendable } from '#shared/model/model-port.ts'
import type { Left } from '#shared/feature/left.ts'
import { findFailed } from './find-failed.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import type { PromptPart } from '#shared/run/record.ts'
import { toEndRow, toFirstRow, toReplaced, unbutton, type OutBody, type OutRow } from '#shared/run/out-row.ts'
import type { Raised } from '#shared/run/question.ts'
import { findMeantBy } from '#services/executor/run/meant.ts'
import { carry } from '#services/executor/step/carry.ts'
import { joinCaused, type Append, type Caused } from '#shared/run/step.ts'
import { withCompactionTimer } from '#services/executor/compaction/when.ts'
import { withSessionTimer } from '#services/executor/events/session-end.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { knownWorkOf, markOf, unmarked, unmarkedTurn, workOf } from '#services/executor/context/marks.ts'
import { findAwaited } from '#services/executor/gateway/awaited.ts'
import { findUnsure } from '#services/executor/gateway/kept-keys.ts'
import { keptItems } from './kept-items.ts'
import { planEndRow } from '#services/executor/planning/plan-rows.ts'
import { recordTurn } from '#services/executor/step/record.ts'
import { raiseUnder } from './raise-under.ts'
import { toRemembered } from './remembered.ts'
import { findPress, takeStock, toWritten, type Stock } from './take-stock.ts'
import { toShown } from '#services/executor/context/made-up.ts'
import { describeEnding, type EndedTurn, type EndingText } from './ending-text.ts'
import { taintOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import { taskOf } from '#services/executor/context/turn-items.ts'
import { isInGroup, toReplyTo } from '#services/executor/context/in-group.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { isBehind, withoutTold } from './waits-for.ts'
import { within } from '#services/executor/run/within.ts'
import { sliceOf, withoutCalledOff } from '#services/executor/state/slices.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { toStored } from '#services/executor/state/stored.ts'
import { withUnsaved, type Unsaved } from '#services/executor/turn/turn-run.ts'

/** LEFT: the lease is gone or the process stops; the turn stays open for its next owner. */
export type Ended =
  | { readonly kind: 'ENDED'; readonly state: ConversationState; readonly released: boolean }
  | { readonly kind: 'LEFT' }

/** As long as an answer may be to stand in one message on every platform (Discord: 2,000). */
const editableChars = 1900

type Ending = {
  readonly turn: OpenTurn
  /** The last step's entries, not yet journaled. */
  readonly entries: readonly JournalEntry[]
  readonly unsaved: Unsaved
  readonly ending: TurnEnding
  readonly held?: readonly PromptPart[] | undefined
  /** Without what features want done at its end. */
  readonly isBare?: boolean
  /** The feature that asks for approvals could not: without it. */
  readonly isUnasked?: boolean
} & Pick<EndedTurn, 'written' | 'cut' | 'failure' | 'raise'>

export async function endTurn(deps: ExecutorDeps, claim: Claim, input: Ending): Promise<Ended> {
  const ended = await takeStock(deps, claim, input)
  const said = describe(deps, claim, input, ended)
  const reply = toReply(deps, claim, { input, ended, said })
  const after = await carryEnded(deps, claim, {
    input,
    ended,
    said,
    state: toRemembered(deps, claim, { ended, said, reply }),
  })
  if (after.isUnasked && !input.isUnasked) return await endTurn(deps, claim, { ...input, isUnasked: true })
  const { start } = ended.turn
  const whose = { principal: start.principal, step: start.turn }
  const { state, caused } = withCompactionTimer(claim, withSessionTimer(deps, claim, { ...after, ...whose }), whose)
  const saved = toStored(deps.features, state)
  const { ending, held } = input
  const { consume, answers } = ended
  const endedAt = deps.now()
  const finish: JournalEntry = { v: 1, at: endedAt, turn: start.turn, t: 'turn:fin', ending, answers }
  const { asked, response } = { ...ended, ...start } // What was asked of a person stands with what they said to it.
  const whole = response ? `${toQuote(response.asked)}\n${asked}` : asked
  const told = { asked: whole, mark: reply.mark, answer: said.text }
  const record = recordTurn(claim.state, { ...ended, ...told, ending, held, endedAt })
  const plan = planEndRow({ ...ended, ending, expiresInMs: deps.replyExpiresInMs })
  const shown = withoutTold(deps, state, { ...input, ...ended, ...said, caused, rows: toReplyRows(deps, reply) })
  const rows = [...plan, ...shown].filter(({ id }) => !ended.isSilent || id !== reply.card)
  const step: Append = {
    key: `${start.turn}/end`,
    entries: [...input.entries, finish],
    ...(ending === 'answered' ? { unlessStopped: { principal: start.principal, firstSeq: start.firstSeq } } : {}),
    consume,
    ...joinCaused({ rows, questions: reply.under.map(({ question }) => question), records: [record] }, caused),
    about: ended.about,
    closes: claim.state.under?.questions ?? [],
    known: claim.mailbox.known(consume),
    folds: true,
    ...saved.step,
    reply: said.text,
    progress: true,
    release: true,
  }
  const result = await claim.store.append(withUnsaved(step, input.unsaved)).catch((error: unknown) => {
    if (input.isBare || after.wanted.length === 0 || !isHopeless(error)) throw error
    for (const name of after.wanted) deps.onFeatureFailed(name, error)
    return undefined
  })
  if (!result) return await endTurn(deps, claim, { ...input, isBare: true })
  if (result.kind === 'STOPPED') {
    await claim.mailbox.refresh()
    return await endTurn(deps, claim, { ...input, entries: [], ending: 'stopped', written: toWritten(input) })
  }
  if (result.kind === 'FENCED') return { kind: 'LEFT' }
  claim.mailbox.drop(consume)
  claim.mailbox.noticeRouted(result.routedSeq)
  return { kind: 'ENDED', state: saved.state, released: result.released }
}

function describe(deps: ExecutorDeps, claim: Claim, input: Ending, { turn, events, language }: Stock): EndingText {
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
  return { ...said, text: toShown(claim, { turn, taint: taintOf(turn) }, said.text) }
}

type Reply = {
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

const toReplyRows = ({ replyExpiresInMs: expiresInMs }: ExecutorDeps, { card, bodies }: Reply): OutRow[] =>
  bodies.map((body, i) => ({ id: i === 0 ? card : `${card}-off-${i}`, body, expiresInMs }))

function toReply(
  deps: ExecutorDeps,
  claim: Claim,
  { input, ended, said }: { readonly input: Ending; readonly ended: Stock; readonly said: EndingText },
): Reply {
  const { turn, events, answers, asked, language, rewritten } = ended
  const isAnswered = input.ending === 'answered'
  const { principal, turn: id } = turn.start
  const { text, unfinished, hasReply } = said
  const { under: last, history } = claim.state
  const card = toEndRow(id)
  const pressed = findPress(events)
  // A rewritten answer takes the place of the last one, unless that may have been sent in parts.
  const isShort = (last?.chars ?? history.at(-1)?.text.length ?? 0) <= editableChars
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
  const about = { about: ended.about, text, language, ...how, asker, card }
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
const isAwaiting = ({ ending, turn }: Ending, { conversation }: Pick<Claim, 'conversation'>): boolean =>
  ending === 'suspended' && findAwaited(turn, conversation).length > 0

type After = {
  readonly state: ConversationState
  readonly caused: Caused
  readonly wanted: readonly string[]
  /** Who asks for approvals failed to. */
  readonly isUnasked: boolean
}
const mostEndedMs = 5000

/** What the features want done now that the turn ends, each on what the one before it left. */
async function carryEnded(
  deps: ExecutorDeps,
  claim: Claim,
  { input, ended, said, state: first }: { input: Ending; ended: Stock; said: EndingText; state: ConversationState },
): Promise<After> {
  const { turn, about, language, events, tokens } = ended
  const { principal, turn: id, class: found, at: begunAt } = turn.start
  // Features show it on their cards.
  const asked = turn.start.for === undefined ? ended.asked : taskOf(turn, events)
  const keep = keeper({ by: principal, taint: taintOf(turn), about })
  const whose = { conversation: claim.conversation, principal, language, turn: id, about, keep, class: found }
  const what = {
    ...whose,
    ...knownWorkOf(deps, turn),
    ending: input.ending,
    begunAt,
    name: first.people?.[principal],
    title: events.findLast((event) => event.kind === 'message')?.title,
    tokens,
    asked,
    text: said.text,
    awaiting: input.ending === 'suspended' ? findAwaited(turn, claim.conversation) : [],
    failure: input.failure,
    ...toFailed(findFailed(deps, turn)),
    response: turn.start.response,
    unsure: findUnsure(turn, claim.conversation, (name) => deps.features.findTool(name)?.found),
  }
  let after: After = { ...callOff(deps, first, input), wanted: [], isUnasked: false }
  for (const feature of input.isBare ? [] : deps.features.all) {
    const asks = feature.approvals !== undefined && what.awaiting.length > 0
    if (!feature.ended || (asks && input.isUnasked)) continue
    const before = after
    try {
      const wants = feature.ended({ ...what, slice: sliceOf(before.state, feature) })
      // Most hooks need not wait, and a timer for each would cost every turn.
      const effects = wants instanceof Promise ? await within(wants, mostEndedMs) : wants
      if (effects.length === 0) after = { ...before, isUnasked: before.isUnasked || asks }
      else {
        const step = `${id}-${feature.name}`
        const how = {
          answers: [],
          ...toReplyTo(claim.state, turn.start, events),
          mayChoose: false,
          taint: taintOf(turn),
        }
        const at = { feature, step, principal, language, about, ...how }
        const { state, turn: _, ...caused } = carry(deps, { ...claim, state: before.state }, effects, at)
        const wanted = [...before.wanted, feature.name]
        after = { ...before, state, caused: joinCaused(before.caused, caused), wanted }
      }
    } catch (error) {
      deps.onFeatureFailed(feature.name, error)
      after = { ...before, isUnasked: before.isUnasked || asks }
    }
  }
  return after
}

const toFailed = (failed: Left['failed']): Pick<Left, 'failed'> => (failed ? { failed } : {})

/** A stop ends all that its person is asked here, as where nothing runs: also what this very turn has asked. */
function callOff(
  { features }: ExecutorDeps,
  state: ConversationState,
  { ending, turn }: Ending,
): Pick<After, 'state' | 'caused'> {
  if (ending !== 'stopped') return { state, caused: {} }
  const which = { asker: turn.start.principal }
  return { state: withoutCalledOff(features, state, which), caused: { cancels: [which] } }
}
