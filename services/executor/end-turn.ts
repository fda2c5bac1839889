// Ends a turn: journal, new snapshot, consumed events and the reply's row are one unit, so a crash leaves all of it or none.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Answered } from '#shared/feature.ts'
import { meet } from '#shared/chat/people.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import { toEndRow, toFirstRow, toReplaced, unbutton, type OutBody } from '#shared/run/out-row.ts'
import { raise, type Raised } from '#shared/run/question.ts'
import type { ExecutorDeps } from './deps.ts'
import { describeEnding, type EndedTurn } from './ending-text.ts'
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
  const { store, mailbox } = place
  const { ending } = input
  const isAnswered = ending === 'answered'
  const turn: OpenTurn = { start: input.turn.start, entries: [...input.turn.entries, ...input.entries] }
  const principal = turn.start.principal
  const seqs = eventsOf(turn)
  const events = seqs.flatMap((seq) => mailbox.find(seq) ?? [])
  const stop = ending === 'stopped' ? await findStop(place, principal) : undefined
  const consume = stop ? [...seqs, stop.seq] : seqs
  const answers = [...events, ...(stop ? [stop.event] : [])].map((event) => event.id)

  const asked = textOf(turn, events)
  const language = toLanguage(place.state, asked)
  const items = itemsOf(turn, mailbox.find, place.state)
  const said = describeEnding({ ...input, turn }, items, { events, language })
  const { text } = said
  const messageIds = events.flatMap((event) => (event.kind === 'message' && event.messageId ? [event.messageId] : []))
  const tokens = turn.entries.reduce(
    (sum, entry) => sum + (entry.t === 'llm:fin' ? entry.usage.promptTokens + entry.usage.completionTokens : 0),
    0,
  )
  const { offer: last, ...before } = place.state
  const card = toEndRow(turn.start.turn)
  const pressed = events.find((event) => event.kind === 'answer')
  const { rule, depth } = turn.start.class
  const resized = rule === 'resize' ? pressed : undefined
  // A rewritten answer takes the place of the last one, unless that may have been sent in parts.
  const isShort = (before.history.at(-1)?.text.length ?? 0) <= editableChars
  const isEdit = isAnswered && isShort && resized !== undefined && resized.card === last?.card
  const { unfinished, hasAnswer } = said
  const asker = resized?.payload ?? principal
  const under =
    (isAnswered && hasAnswer) || unfinished
      ? offerUnder(deps, place, { text, language, depth, asker, unfinished, card })
      : undefined
  const shown = {
    ...toReplyTo(events),
    ...(isEdit ? toReplaced(resized) : { replaces: toFirstRow(turn.start.turn) }),
    ...(under ? { buttons: under.buttons } : {}),
  }
  const bodies: OutBody[] = [
    { v: 1, kind: 'send', text, answers, language, ...shown },
    ...(pressed?.card && !isEdit ? [unbutton(pressed.card, pressed.messageId)] : []),
    ...(last && last.card !== pressed?.card ? [unbutton(last.card)] : []),
  ]
  const told = { items: said.items, messageIds, tokens }
  // What was asked for by a button is about the question before it.
  const isSameQuestion = rule === 'resize' || rule === 'continue'
  const remembered = remember(
    {
      ...(isSameQuestion ? before : keepPutOff(before, principal)),
      heard: language,
      people: meet(before.people, events),
      ...(under ? { offer: { question: under.question.id, card } } : {}),
    },
    { ...told, text: isSameQuestion ? (before.lastText ?? '') : asked },
    { maxTokens: deps.historyTokens, estimate: deps.estimate },
  )
  const { stored, state } = toSnapshot(remembered, deps.language)
  const finish: JournalEntry = { v: 1, at: deps.now(), turn: turn.start.turn, t: 'turn:fin', ending, answers }
  const result = await store.append({
    key: `${turn.start.turn}/end`,
    entries: [...input.unsaved, ...input.entries, finish],
    ...(isAnswered ? { unlessStopped: { principal, firstSeq: turn.start.firstSeq } } : {}),
    consume,
    rows: bodies.map((body, i) => ({
      id: i === 0 ? card : `${card}-off-${i}`,
      body,
      expiresInMs: deps.replyExpiresInMs,
    })),
    questions: under ? [under.question] : [],
    closes: last ? [last.question] : [],
    known: mailbox.known(consume),
    ...stored,
    reply: text,
    progress: true,
    release: true,
  })
  if (result.kind === 'STOPPED') {
    await mailbox.refresh()
    return await endTurn(deps, place, { ...input, entries: [], ending: 'stopped', written: toWritten(input) })
  }
  if (result.kind === 'FENCED') return { kind: 'LEFT' }
  mailbox.drop(consume)
  mailbox.noticeRouted(result.routedSeq)
  return { kind: 'ENDED', state, released: result.released }
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
