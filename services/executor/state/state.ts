// What a conversation remembers between turns, and pure changes of it. It knows no store and no clock.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Taint } from '#shared/model/taint.ts'
import { forgetAsked, withoutWaiting, type Asking } from './asking.ts'
import type { GivenPart } from './given-part.ts'
import { blankItem, type HistoryItem } from './history-item.ts'
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
  /** What they added to the beginning of each prompt of this session; undefined before they were asked. */
  readonly prefix?: readonly GivenPart[] | undefined
  /** The lists of tools that change, as they were at its first turn (`tool-lists.ts`); undefined where nothing is kept. */
  readonly tools?: string | undefined
  /** Which other conversations have words of which messages. */
  readonly told?: Told | undefined
  /** Names of messages of other conversations that are in this one, and of which their own knows so. */
  readonly reported?: readonly string[] | undefined
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
  /** How long the answer is. */
  readonly chars: number
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

const keptForgotten = 50
/** No turn takes in more messages than that, with those that they quote: it is to be found by each. */
export const mostAbout = 200
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

const nothingSaid = {
  fellOut: undefined,
  summary: undefined,
  crowded: undefined,
  hurried: undefined,
  prefix: undefined,
  tools: undefined,
  history: [],
}
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
  const isLeft = (part: GivenPart): boolean => part.about?.includes(messageId) !== true
  const context = state.context?.filter(isLeft)
  // The features are asked anew where words of theirs go.
  const prefix = state.prefix?.every(isLeft) ? state.prefix : undefined
  const reported = state.reported?.filter((name) => name !== messageId)
  return {
    ...left,
    forgotten: boundForgotten(forgotten),
    forgets,
    answered,
    history,
    summary,
    crowded,
    asking,
    told,
    reported,
    context,
    prefix,
  }
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

/** Platform ids of the messages that features made of what they gave to the open turn's prompt. */
export const givenOf = ({
  context = [],
  prefix = [],
}: Pick<ConversationState, 'context' | 'prefix'>): readonly string[] =>
  [...prefix, ...context].flatMap(({ about = [] }) => about)

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
