// Ends a turn: journal, new snapshot, consumed events and the reply's row are one unit, so a crash leaves all of it or none.
import type { Language } from '#shared/chat/message.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Answered } from '#shared/feature.ts'
import { meet } from '#shared/chat/people.ts'
import type { ModelFailureKind } from '#shared/model/model-port.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import { toEndRow, toFirstRow, toReplaced, unbutton, type OutBody } from '#shared/run/out-row.ts'
import { raise, type Raised } from '#shared/run/question.ts'
import type { ExecutorDeps } from './deps.ts'
import { eventsOf, itemsOf, textOf, toReplyTo, type OpenTurn } from './open-turn.ts'
import { remember, toLanguage, type ConversationState } from './state.ts'
import { endingText, texts } from './texts.ts'
import type { Place } from './place.ts'

/** LEFT: the lease is gone or the process stops; the turn stays open for its next owner. */
export type Ended =
  | { readonly kind: 'ENDED'; readonly state: ConversationState; readonly released: boolean }
  | { readonly kind: 'LEFT' }

/** A reply not begun within ten minutes is stale (OpenClaw #29106, week-old replays). */
export const replyExpiresInMs = 600_000

/** As long as an answer may be to stand in one message on every platform (Discord: 2,000). */
const editableChars = 1900

type Ending = {
  readonly turn: OpenTurn
  /** The last step's entries, not yet journaled. */
  readonly entries: readonly JournalEntry[]
  readonly unsaved: readonly JournalEntry[]
  readonly ending: TurnEnding
  /** A message was too long and is known to the model in part. */
  readonly cut: boolean
  readonly failure?: ModelFailureKind | undefined
}

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
  const text = replyText(input, events, language)
  const items = itemsOf(turn, mailbox.find, place.state)
  const messageIds = events.flatMap((event) => (event.kind === 'message' && event.messageId ? [event.messageId] : []))
  const tokens = turn.entries.reduce(
    (sum, entry) => sum + (entry.t === 'llm:fin' ? entry.usage.promptTokens + entry.usage.completionTokens : 0),
    0,
  )
  const { offer: last, ...before } = place.state
  const card = toEndRow(turn.start.turn)
  const pressed = events.find((event) => event.kind === 'answer')
  const resized = turn.start.class.rule === 'resize' ? pressed : undefined
  // A rewritten answer takes the place of the last one, unless that may have been sent in parts.
  const isShort = (before.history.at(-1)?.text.length ?? 0) <= editableChars
  const isEdit = isAnswered && isShort && resized !== undefined && resized.card === last?.card
  const answered = { text, language, depth: turn.start.class.depth, asker: resized?.payload ?? principal }
  const hasText = isAnswered && !text.startsWith(texts.noAnswer[language])
  const under = hasText ? offerUnder(deps, place, { ...answered, card }) : undefined
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
  const told = { items: isAnswered ? items : userItemsWith(items, text), messageIds, tokens }
  const state = remember(
    {
      ...before,
      heard: language,
      people: meet(before.people, events),
      ...(under ? { offer: { question: under.question.id, card } } : {}),
    },
    { ...told, text: resized ? (before.lastText ?? '') : asked },
    { maxTokens: deps.historyTokens, estimate: deps.estimate },
  )
  const finish: JournalEntry = { v: 1, at: deps.now(), turn: turn.start.turn, t: 'turn:fin', ending, answers }
  const result = await store.append({
    key: `${turn.start.turn}/end`,
    entries: [...input.unsaved, ...input.entries, finish],
    ...(isAnswered ? { unlessStopped: { principal, firstSeq: turn.start.firstSeq } } : {}),
    consume,
    rows: bodies.map((body, i) => ({ id: i === 0 ? card : `${card}-off-${i}`, body, expiresInMs: replyExpiresInMs })),
    questions: under ? [under.question] : [],
    closes: last ? [last.question] : [],
    snapshot: JSON.stringify(state),
    reply: text,
    progress: true,
    release: true,
  })
  if (result.kind === 'STOPPED') {
    await mailbox.refresh()
    return await endTurn(deps, place, { ...input, entries: [], ending: 'stopped' })
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

/** The stop that ended the turn is answered with it, even if the router has not seen it yet. */
async function findStop(place: Place, principal: string): Promise<{ seq: number; event: ChatEvent } | undefined> {
  const seq = place.mailbox.stopSeq(principal)
  const event = seq > 0 ? await place.store.findEvent(seq) : undefined
  return event ? { seq, event } : undefined
}

function replyText(
  { turn, entries, ending, cut, failure }: Ending,
  events: readonly ChatEvent[],
  language: Language,
): string {
  const last = entries.findLast((entry) => entry.t === 'llm:fin')
  const said = last?.t === 'llm:fin' ? last.text.trim() : ''
  const named = endingText(ending, language, failure)
  const notes = [
    ...(cut || events.some((event) => event.kind === 'message' && event.truncated) ? [texts.tooLong[language]] : []),
    ...(events.some((event) => event.kind === 'message' && event.media?.length) ? [texts.mediaToo[language]] : []),
  ]
  const partial = ending.startsWith('limit:')
    ? (turn.entries.findLast((entry) => entry.t === 'llm:fin')?.text.trim() ?? '')
    : ''
  return [
    ending === 'answered' ? said || texts.noAnswer[language] : [partial, named].filter(Boolean).join('\n\n'),
    ...notes,
  ]
    .join('\n\n')
    .toWellFormed()
}

/** What is remembered of a turn that gave no answer: what was asked, and how it ended. */
function userItemsWith(items: ReturnType<typeof itemsOf>, text: string): ReturnType<typeof itemsOf> {
  return [...items.filter((item) => item.role === 'user'), { role: 'assistant', text: `[${text}]` }]
}
