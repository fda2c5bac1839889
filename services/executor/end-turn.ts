// Ends a turn: journal, new snapshot, consumed events and the reply's row are one unit, so a crash leaves all of it or none.
import type { Language } from '#shared/chat/message.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { meet } from '#shared/chat/people.ts'
import type { ModelFailureKind } from '#shared/model/model-port.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import { toEndRow, toFirstRow, type OutRow } from '#shared/run/out-row.ts'
import type { ExecutorDeps } from './deps.ts'
import { eventsOf, itemsOf, toReplyTo, type OpenTurn } from './open-turn.ts'
import { remember, toLanguage, type ConversationState } from './state.ts'
import { endingText, texts } from './texts.ts'
import type { Place } from './place.ts'

/** LEFT: the lease is gone or the process stops; the turn stays open for its next owner. */
export type Ended =
  | { readonly kind: 'ENDED'; readonly state: ConversationState; readonly released: boolean }
  | { readonly kind: 'LEFT' }

/** A reply not begun within ten minutes is stale (OpenClaw #29106, week-old replays). */
export const replyExpiresInMs = 600_000

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
  const nowMs = deps.now()
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
  const items = itemsOf(turn, mailbox.find, place.state.people)
  const messageIds = events.flatMap((event) => (event.kind === 'message' && event.messageId ? [event.messageId] : []))
  const tokens = turn.entries.reduce(
    (sum, entry) => sum + (entry.t === 'llm:fin' ? entry.usage.promptTokens + entry.usage.completionTokens : 0),
    0,
  )
  const state = remember(
    { ...place.state, heard: language, people: meet(place.state.people, events) },
    { items: ending === 'answered' ? items : userItemsWith(items, text), messageIds, text: asked, tokens },
    { maxTokens: deps.historyTokens, estimate: deps.estimate },
  )
  const replaces = toFirstRow(turn.start.turn)
  const row: OutRow = {
    id: toEndRow(turn.start.turn),
    body: { v: 1, kind: 'send', text, answers, language, replaces, ...toReplyTo(events) },
    expiresInMs: replyExpiresInMs,
  }
  const finish: JournalEntry = { v: 1, at: nowMs, turn: turn.start.turn, t: 'turn:fin', ending, answers }
  const result = await store.append({
    key: `${turn.start.turn}/end`,
    entries: [...input.unsaved, ...input.entries, finish],
    ...(ending === 'answered' ? { unlessStopped: { principal, firstSeq: turn.start.firstSeq } } : {}),
    consume,
    rows: [row],
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

function textOf(turn: OpenTurn, events: readonly ChatEvent[]): string {
  if (turn.start.given !== undefined) return turn.start.given
  return events.flatMap((event) => (event.kind === 'message' || event.kind === 'edit' ? [event.text] : [])).join('\n')
}

/** What is remembered of a turn that gave no answer: what was asked, and how it ended. */
function userItemsWith(items: ReturnType<typeof itemsOf>, text: string): ReturnType<typeof itemsOf> {
  return [...items.filter((item) => item.role === 'user'), { role: 'assistant', text: `[${text}]` }]
}
