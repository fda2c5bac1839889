// What a conversation remembers between turns, and pure changes of it. It knows no store and no clock.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Taint } from '#shared/model/taint.ts'
import { fitExchange, maxItemChars, newestWithin, shorten, sumTokens } from './fit-items.ts'
import { forgetAsked, withoutWaiting, type Asking } from './asking.ts'
import type { GivenPart } from './given-part.ts'
import { blankItem, type Estimate, type HistoryItem } from './history-item.ts'
import type { Features } from './features.ts'
import { withoutCovered, type Summary } from './summary.ts'
import { inNewSession, withoutMessage, type WithSlices } from './slices.ts'
import { isForeign, withoutTold, type Told } from './told.ts'

export type ConversationState = WithSlices & {
  readonly session: Session
  /** The language last heard. */
  readonly heard?: Language | undefined
  /** The row of the last answer, and the questions whose buttons it shows; they go with the next reply. */
  readonly under?: Under | undefined
  /** What people are asked, and what waits to be asked; undefined where nothing is. */
  readonly asking?: Asking | undefined
  /** Timers that were disarmed, or armed anew under this id, and when. */
  readonly calledOff?: readonly { readonly timer: string; readonly id: string; readonly at: number }[] | undefined
  /** Items are never changed in place. */
  readonly history: readonly HistoryItem[]
  /** Shown names of the people met in a group. */
  readonly people?: Readonly<Record<string, string>> | undefined
  /** Platform ids of the last answered messages, for edits. */
  readonly answered: readonly string[]
  /** Platform ids of the last messages that were to be forgotten: what was asked about them before may be answered yet. */
  readonly forgotten?: readonly string[] | undefined
  readonly lastText?: string | undefined
  /** Platform ids of the messages that the last turn was about. */
  readonly lastAbout?: readonly string[] | undefined
  /** Of these, the ones that it only quoted. */
  readonly lastQuoted?: readonly string[] | undefined
  /** Who of a group asked it, what others wrote that it was begun by, and who alone may see it. */
  readonly lastOf?:
    | { readonly by?: string | undefined; readonly taint?: Taint | undefined; readonly for?: PrincipalId | undefined }
    | undefined
  /** By person, the latest last. */
  readonly putOff?: Readonly<Record<string, PutOff>> | undefined
  /** What stands for what of this session was said before the history. */
  readonly summary?: Summary | undefined
  /** The history is long: it is to be summed up soon, or before the next turn. */
  readonly crowded?: 'soft' | 'hard' | undefined
  /** How often somebody spoke while it was summed up, since it last was. */
  readonly hurried?: number | undefined
  /** How many messages of this session no longer fit. */
  readonly fellOut?: number | undefined
  readonly turns: number
  readonly tokens: number
  /** When a person or chat without access was last told so, ms. */
  readonly refusedAt: Readonly<Record<string, number>>
  /** What the features added to the prompt of the turn that is open. */
  readonly context?: readonly GivenPart[] | undefined
  /** Which other conversations have words of which messages. */
  readonly told?: Told | undefined
  /** What the next step that is stored forgets. */
  readonly forgets?: readonly string[] | undefined
  /** What of this is stored. */
  readonly stored: Stored
}
type Session = {
  readonly id: string
  readonly startedAt: number
  readonly lastAt: number
  /** What the model is instructed in, from its first turn on: the beginning of a prompt stays the same. */
  readonly language?: Language | undefined
  /** Its end has a timer. */
  readonly timed?: true | undefined
}
type Under = {
  readonly card: string
  readonly questions: readonly string[]
  /** How long the answer is; older releases did not say. */
  readonly chars?: number | undefined
}
/** What is stored of a conversation's state: a snapshot, and parts beside it by name. */
export type Stored = {
  readonly snapshot?: string | undefined
  readonly parts: Readonly<Record<string, string>>
  /** What long silence would leave; undefined where no step said it. */
  readonly rest: string | undefined
  /** What long silence left of the slices of features that this process does not have, by name. */
  readonly others: Readonly<Record<string, unknown>>
  /** Fields of the snapshot, of the head and of what long silence leaves that only a newer release knows. */
  readonly unknown: Readonly<Record<'snapshot' | 'head' | 'rest', Readonly<Record<string, unknown>>>>
  /** Of the history's first items those that stand in a part of their own. */
  readonly past: readonly HistoryItem[]
}
/** What of a person's was put off, and when they were told so and told at a /retry that it is still so, ms. */
export type PutOff = {
  readonly text: string
  readonly toldAt: number
  readonly stillAt: number
  /** Platform ids of the messages that it was said in. */
  readonly about?: readonly string[] | undefined
  /** Who alone may see it. */
  readonly for?: PrincipalId | undefined
}

const keptAnswered = 20
const keptForgotten = 50
/** No turn takes in more messages than that, with those that they quote: it is to be found by each. */
export const mostAbout = 200
/** While it waits to be summed up a history may be longer than prompts carry: in a small window by two answers at least. */
const waitingTokens = 4000
export const toHistoryRoom = ({
  historyTokens,
  estimate,
}: Pick<HistoryRoom, 'historyTokens' | 'estimate'>): HistoryRoom => ({
  historyTokens,
  maxTokens: Math.max(1.5 * historyTokens, historyTokens + waitingTokens),
  estimate,
})
export type HistoryRoom = {
  /** What a prompt carries. */
  readonly historyTokens: number
  /** What is kept. */
  readonly maxTokens: number
  estimate(text: string): number
}
/** So that what costs few tokens, such as a row of spaces, does not fill it either. */
const charsPerToken = 4
const softShare = 0.9
const keptRefusals = 20
const keptPutOff = 20

/** `sess_YYYYMMDD_HHMMSS`, in UTC; a second later where the one before began in the same. */
export function newSession(nowMs: number, before?: string): ConversationState['session'] {
  const toId = (ms: number): string =>
    `sess_${new Date(ms).toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15)}`
  const id = toId(nowMs)
  return { id: id === before ? toId(nowMs + 1000) : id, startedAt: nowMs, lastAt: nowMs }
}

/** A session ends by silence: the first message after `idleMs` begins a new one with an empty history. */
export function touchSession(
  features: Features,
  state: ConversationState,
  { nowMs, idleMs }: { readonly nowMs: number; readonly idleMs: number },
): ConversationState {
  if (nowMs - state.session.lastAt > idleMs) return beginSession(features, state, nowMs)
  return { ...state, session: { ...state.session, lastAt: nowMs } }
}

function beginSession(features: Features, state: ConversationState, nowMs: number): ConversationState {
  return {
    ...state,
    ...inNewSession(features, state),
    ...nothingSaid,
    session: newSession(nowMs, state.session.id),
  }
}

/** A new session that somebody asked for: nothing of the old one is to be taken up again. */
export function restart(features: Features, state: ConversationState, nowMs: number): ConversationState {
  return withoutWaiting({ ...beginSession(features, state, nowMs), ...nothingToRepeat }, { all: true })
}

const nothingSaid = { fellOut: undefined, summary: undefined, crowded: undefined, hurried: undefined, history: [] }
const nothingToRepeat = {
  lastText: undefined,
  lastAbout: undefined,
  lastQuoted: undefined,
  lastOf: undefined,
  putOff: undefined,
}

export function forget(features: Features, state: ConversationState, messageId: string): ConversationState {
  const history = blank(state.history, messageId)
  const answered = state.answered.filter((id) => id !== messageId)
  const forgotten = [...(state.forgotten ?? []), messageId]
  const forgets = [...(state.forgets ?? []), messageId]
  // A message of another conversation takes nothing along that is not about it.
  const repeats = !isForeign(messageId) || (state.lastAbout?.includes(messageId) ?? false)
  const left = { ...state, ...withoutMessage(features, state, messageId), ...(repeats ? nothingToRepeat : {}) }
  const summary = state.summary && withoutCovered(state.summary, messageId)
  // What is kept of the others is summed up anew.
  const crowded = summary?.lost ? (state.crowded ?? 'soft') : state.crowded
  const asking = state.asking && forgetAsked(state.asking, messageId)
  const told = state.told && withoutTold(state.told, messageId)
  return { ...left, forgotten: boundForgotten(forgotten), forgets, answered, history, summary, crowded, asking, told }
}

/** As many of this conversation as of others, so that neither push the other out. */
const boundForgotten = (ids: readonly string[]): readonly string[] => [
  ...ids.filter(isForeign).slice(-keptForgotten),
  ...ids.filter((id) => !isForeign(id)).slice(-keptForgotten),
]

/** Blanks every turn that a message went into, and every turn that took such a turn up again: answers repeat what they answer. */
function blank(history: readonly HistoryItem[], messageId: string): HistoryItem[] {
  let within = false
  return history.map((item) => {
    if (item.role === 'user') {
      const isOwn = item.messageId === messageId
      within = item.joined ? within || isOwn : (item.about?.includes(messageId) ?? isOwn)
    }
    return within ? blankItem(item, '[deleted]') : item
  })
}

export type RememberedTurn = {
  readonly items: readonly HistoryItem[]
  /** Platform ids of the messages that it answered. */
  readonly messageIds: readonly string[]
  /** Those of all messages whose texts went into it, where it took up an earlier turn or quotes others. */
  readonly about?: readonly string[]
  /** Of these, the ones that are only quoted. */
  readonly quoted?: readonly string[]
  readonly text: string
  readonly tokens: number
}

/** Whether it has less tokens for sure, without weighing its texts: no sign has more than three, and no text more than some besides. */
const isShort = (items: readonly HistoryItem[], tokens: number): boolean =>
  items.every((item) => item.role !== 'assistant' || !item.toolCalls?.length) &&
  items.reduce((sum, { text }) => sum + 3 * text.length + mostBesides, 0) < tokens
const mostBesides = 250

/**
 * Adds a finished turn. Near `historyTokens` the history is to be summed up, beyond them before the next turn. Where that did not happen the oldest
 * half goes at once beyond `maxTokens`; of a turn that is larger than that alone, its beginning and its newest steps stay.
 */
export function remember(
  state: ConversationState,
  turn: RememberedTurn,
  { historyTokens, maxTokens, estimate }: HistoryRoom,
): ConversationState {
  const measure: Estimate = (text) => Math.max(estimate(text), Math.ceil(text.length / charsPerToken))
  const { messageIds } = turn
  const about = boundAbout(turn.about ?? messageIds)
  const items = withAbout(turn.items, about).map((item) => shorten(item, maxItemChars, (text) => text.length))
  const whole = [...state.history, ...items]
  let history: readonly HistoryItem[] = whole
  let tokens = 0
  if (!isShort(whole, softShare * historyTokens)) tokens = sumTokens(whole, measure)
  if (state.summary) tokens += estimate(state.summary.text)
  if (tokens > maxTokens) {
    const recent = fitExchange(items, maxTokens / 2, measure)
    const room = maxTokens / 2 - sumTokens(recent, measure)
    history = [...newestWithin(state.history, room, measure), ...recent]
    tokens = maxTokens
  }
  const isSoon = tokens > softShare * historyTokens || state.summary?.lost === true
  const lost = countSaid(whole) - countSaid(history)
  return {
    ...state,
    history,
    crowded: tokens > historyTokens ? 'hard' : isSoon ? 'soft' : undefined,
    fellOut: lost > 0 ? (state.fellOut ?? 0) + lost : state.fellOut,
    answered: [...state.answered, ...messageIds].slice(-keptAnswered),
    // The end of a long message often says what is wanted.
    lastText: shorten({ role: 'user', text: turn.text }, 4000, (text) => text.length).text,
    lastAbout: about,
    lastQuoted: turn.quoted?.length ? [...turn.quoted] : undefined,
    turns: state.turns + 1,
    tokens: state.tokens + turn.tokens,
  }
}

/** The turn's items as they are kept, so that each of its messages leads to all of them. */
function withAbout(items: readonly HistoryItem[], about: readonly string[]): readonly HistoryItem[] {
  const first = items.findIndex((item) => item.role === 'user')
  return items.map((item, i) => {
    if (item.role !== 'user') return item
    if (i > first) return { ...item, joined: true }
    return about.length === 1 && about[0] === item.messageId ? item : { ...item, about: [...about] }
  })
}

const countSaid = (items: readonly HistoryItem[]): number => items.filter((item) => item.role !== 'tool').length

/** Ids of messages as they are kept: each once, and no more than a turn takes in. */
export const boundAbout = (ids: readonly string[]): string[] => [...new Set(ids)].slice(-mostAbout)

/** Keeps what was put off of a person for their /retry; nothing once it was taken up. */
export function keepPutOff(state: ConversationState, principal: string, putOff?: PutOff): ConversationState {
  const { [principal]: _, ...others } = state.putOff ?? {}
  const kept = Object.entries(putOff ? { ...others, [principal]: putOff } : others).slice(-keptPutOff)
  return { ...state, putOff: Object.fromEntries(kept) }
}

export function refused(state: ConversationState, who: string, nowMs: number): ConversationState {
  const kept = Object.entries({ ...state.refusedAt, [who]: nowMs }).slice(-keptRefusals)
  return { ...state, refusedAt: Object.fromEntries(kept) }
}

/**
 * The language to answer in: the one set, else that of the text (Chinese if it has any Chinese character), else the one last heard.
 * `client`: what the sender's program speaks, which tells more than the Latin words of a command.
 */
export function toLanguage(state: ConversationState, text: string, client?: Language): Language {
  if (state.prefers.language) return state.prefers.language
  if (/\p{Script=Han}/u.test(text)) return 'zh'
  return client ?? (/[a-z]{2}/i.test(text) ? 'en' : (state.heard ?? 'en'))
}
