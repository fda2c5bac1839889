// Ends a turn: journal, new snapshot, consumed events and the reply's row are one unit, so a crash leaves all of it or none.
import type { AnswerEvent, ChatEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Answered } from '#shared/feature.ts'
import { meet } from '#shared/chat/people.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import { toEndRow, toFirstRow, toReplaced, unbutton, type OutBody } from '#shared/run/out-row.ts'
import { raise, type Raised } from '#shared/run/question.ts'
import type { ExecutorDeps } from './deps.ts'
import { describeEnding, type EndedTurn, type EndingText } from './ending-text.ts'
import { eventsOf, itemsOf, textOf, toReplyTo, type OpenTurn } from './open-turn.ts'
import { keepPutOff, remember, toLanguage, toSnapshot, type ConversationState } from './state.ts'
import type { Place } from './place.ts'

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
  readonly unsaved: readonly JournalEntry[]
  readonly ending: TurnEnding
} & Pick<EndedTurn, 'written' | 'cut' | 'failure' | 'setting'>

export async function endTurn(deps: ExecutorDeps, place: Place, input: Ending): Promise<Ended> {
  const ended = await takeStock(place, input)
  const said = describe(place, input, ended)
  const reply = toReply(deps, place, { input, ended, said })
  const { stored, state } = toSnapshot(toRemembered(deps, place, { ended, said, reply }), deps.language)
  const { start } = ended.turn
  const { ending } = input
  const { consume, answers } = ended
  const finish: JournalEntry = { v: 1, at: deps.now(), turn: start.turn, t: 'turn:fin', ending, answers }
  const result = await place.store.append({
    key: `${start.turn}/end`,
    entries: [...input.unsaved, ...input.entries, finish],
    ...(ending === 'answered' ? { unlessStopped: { principal: start.principal, firstSeq: start.firstSeq } } : {}),
    consume,
    rows: reply.bodies.map((body, i) => ({
      id: i === 0 ? reply.card : `${reply.card}-off-${i}`,
      body,
      expiresInMs: deps.replyExpiresInMs,
    })),
    questions: reply.under ? [reply.under.question] : [],
    closes: place.state.offer ? [place.state.offer.question] : [],
    known: place.mailbox.known(consume),
    ...stored,
    reply: said.text,
    progress: true,
    release: true,
  })
  if (result.kind === 'STOPPED') {
    await place.mailbox.refresh()
    return await endTurn(deps, place, { ...input, entries: [], ending: 'stopped', written: toWritten(input) })
  }
  if (result.kind === 'FENCED') return { kind: 'LEFT' }
  place.mailbox.drop(consume)
  place.mailbox.noticeRouted(result.routedSeq)
  return { kind: 'ENDED', state, released: result.released }
}

/** What a turn took in, and what its end is done with. */
type Stock = {
  /** With the entries of its last step. */
  readonly turn: OpenTurn
  readonly events: readonly ChatEvent[]
  /** Seqs of its events, and of the stop that ended it. */
  readonly consume: readonly number[]
  /** Ids of what the reply answers. */
  readonly answers: string[]
  readonly asked: string
  readonly language: Language
  /** The press that had an answer rewritten. */
  readonly resized: AnswerEvent | undefined
}

async function takeStock(place: Place, { turn: before, entries, ending }: Ending): Promise<Stock> {
  const turn: OpenTurn = { start: before.start, entries: [...before.entries, ...entries] }
  const seqs = eventsOf(turn)
  const events = seqs.flatMap((seq) => place.mailbox.find(seq) ?? [])
  const stop = ending === 'stopped' ? await findStop(place, turn.start.principal) : undefined
  const asked = textOf(turn, events)
  return {
    turn,
    events,
    consume: stop ? [...seqs, stop.seq] : seqs,
    answers: [...events, ...(stop ? [stop.event] : [])].map((event) => event.id),
    asked,
    language: toLanguage(place.state, asked),
    resized: turn.start.class.rule === 'resize' ? findPress(events) : undefined,
  }
}

const findPress = (events: readonly ChatEvent[]): AnswerEvent | undefined =>
  events.find((event) => event.kind === 'answer')

function describe(place: Place, input: Ending, { turn, events, language }: Stock): EndingText {
  const items = itemsOf(turn, place.mailbox.find, place.state)
  return describeEnding({ ...input, turn }, items, { events, language })
}

type Reply = {
  /** The id of its row. */
  readonly card: string
  /** The reply itself first, then what takes buttons away from older messages. */
  readonly bodies: readonly OutBody[]
  /** The question under it, with its buttons. */
  readonly under: Raised | undefined
}

function toReply(
  deps: ExecutorDeps,
  place: Place,
  { input, ended, said }: { readonly input: Ending; readonly ended: Stock; readonly said: EndingText },
): Reply {
  const { turn, events, answers, language, resized } = ended
  const isAnswered = input.ending === 'answered'
  const { principal, turn: id } = turn.start
  const { text, unfinished, hasAnswer } = said
  const { offer: last, history } = place.state
  const card = toEndRow(id)
  const pressed = findPress(events)
  // A rewritten answer takes the place of the last one, unless that may have been sent in parts.
  const isShort = (history.at(-1)?.text.length ?? 0) <= editableChars
  const isEdit = isAnswered && isShort && resized !== undefined && resized.card === last?.card
  const asker = resized?.payload ?? principal
  const about = { text, language, depth: turn.start.class.depth, asker, unfinished, card }
  const under = (isAnswered && hasAnswer) || unfinished ? offerUnder(deps, place, about) : undefined
  const shown = {
    ...toReplyTo(events),
    ...(isEdit ? toReplaced(resized) : { replaces: toFirstRow(id) }),
    ...(under ? { buttons: under.buttons } : {}),
  }
  const bodies: OutBody[] = [
    { v: 1, kind: 'send', text, answers, language, ...shown },
    ...(pressed?.card && !isEdit ? [unbutton(pressed.card, pressed.messageId)] : []),
    ...(last && last.card !== pressed?.card ? [unbutton(last.card)] : []),
  ]
  return { card, bodies, under }
}

function toRemembered(
  deps: ExecutorDeps,
  place: Place,
  { ended, said, reply }: { readonly ended: Stock; readonly said: EndingText; readonly reply: Reply },
): ConversationState {
  const { turn, events, asked, language } = ended
  const { rule } = turn.start.class
  const { offer: _, ...before } = place.state
  const messageIds = events.flatMap((event) => (event.kind === 'message' && event.messageId ? [event.messageId] : []))
  const tokens = turn.entries.reduce(
    (sum, entry) => sum + (entry.t === 'llm:fin' ? entry.usage.promptTokens + entry.usage.completionTokens : 0),
    0,
  )
  // What was asked for by a button is about the question before it.
  const isSameQuestion = rule === 'resize' || rule === 'continue'
  const text = isSameQuestion ? (before.lastText ?? '') : asked
  return remember(
    {
      ...(isSameQuestion ? before : keepPutOff(before, turn.start.principal)),
      heard: language,
      people: meet(before.people, events),
      ...(reply.under ? { offer: { question: reply.under.question.id, card: reply.card } } : {}),
    },
    { items: said.items, messageIds, text, tokens },
    { maxTokens: deps.historyTokens, estimate: deps.estimate },
  )
}

/** What a press may do with an answer, until the next reply or the end of the session. */
function offerUnder(
  deps: ExecutorDeps,
  { state, store }: Place,
  { card, ...answered }: Answered & { readonly card: string },
): Raised | undefined {
  const offers = state.resize === false ? [] : deps.features.flatMap(({ under }) => under ?? [])
  const asked = offers.flatMap((under) => under(answered) ?? [])[0]
  const livesMs = Math.max(1, state.session.lastAt + deps.sessionIdleMs - deps.now())
  return asked && raise(store.newQuestionId(), asked, { owner: answered.asker, admins: true, card, livesMs })
}

/** An answer that was whole when a stop came before it. */
const toWritten = ({ entries, written }: Ending): string =>
  entries.findLast((entry) => entry.t === 'llm:fin')?.text ?? written

/** The stop that ended the turn is answered with it, even if the router has not seen it yet. */
async function findStop(place: Place, principal: string): Promise<{ seq: number; event: ChatEvent } | undefined> {
  const seq = place.mailbox.stopSeq(principal)
  const event = seq > 0 ? await place.store.findEvent(seq) : undefined
  return event ? { seq, event } : undefined
}
