// What a conversation remembers between turns: the snapshot's shape and pure changes of it. It knows no store and no clock.
import { z } from 'zod'
import { depths } from '#shared/chat/decision.ts'
import { languages, type Language } from '#shared/chat/message.ts'
import type { Setting } from '#shared/feature.ts'
import { fitItems, newestWithin, shorten, sumTokens } from '#services/executor/context/fit-items.ts'
import { historyItem, type Estimate, type HistoryItem } from '#services/executor/context/history-item.ts'
import { BotError } from '#shared/errors.ts'
import type { Append } from '#shared/run/step.ts'

const snapshotShape = z.object({
  v: z.literal(1),
  session: z.object({ id: z.string(), startedAt: z.number(), lastAt: z.number() }),
  /** Set by /lang; else the language last heard. */
  language: z.enum(languages).optional(),
  heard: z.enum(languages).optional(),
  /** Set by /depth: the depth where no rule but the default decided. */
  depth: z.enum(depths).optional(),
  /** Whether answers carry the buttons shorter and longer; they do when left out. */
  resize: z.boolean().optional(),
  /** The question under the last reply, which goes with the next one, and the row that shows it. */
  offer: z.object({ question: z.string(), card: z.string() }).optional(),
  /** The newest of it only, when older items stand beside the snapshot. */
  history: z.array(historyItem),
  /** How many stand there. Without it none do, whatever an older release left in their place. */
  past: z.number().optional(),
  /** Shown names of the people met in a group. */
  people: z.record(z.string(), z.string()).optional(),
  /** Platform ids of the last answered messages, for edits. */
  answered: z.array(z.string()),
  lastText: z.string().optional(),
  /** By person, the latest last: what of theirs was put off, and when they were told so and told at a /retry that it is still so, ms. */
  putOff: z.record(z.string(), z.object({ text: z.string(), toldAt: z.number(), stillAt: z.number() })).optional(),
  /** How many messages of this session no longer fit. */
  fellOut: z.number().optional(),
  turns: z.number(),
  tokens: z.number(),
  /** When a person or chat without access was last told so, ms. */
  refusedAt: z.record(z.string(), z.number()),
})
export type ConversationState = Omit<z.infer<typeof snapshotShape>, 'history' | 'past'> & {
  readonly history: readonly HistoryItem[]
  /** Of its first items those that stand stored beside the snapshot, to be left as they are. Items are never changed in place. */
  readonly past: readonly HistoryItem[]
}
type StoredState = Pick<Append, 'snapshot' | 'past'>

const keptAnswered = 20
/** What a person or a tool says at length stays in part. */
const maxItemChars = 8000
/** So that what costs few tokens, such as a row of spaces, does not fill it either. */
const charsPerToken = 4
const keptRefusals = 20
/** Once more than this was said since the past was written, it is written anew; until then each step writes what was said since. */
const maxRecentChars = 8000
const keptPutOff = 20

/** Reads a snapshot; without one the state of a conversation never seen. Throws `store-corrupt` for an unknown shape. */
export function parseState({ snapshot, past }: StoredState, nowMs: number, language?: Language): ConversationState {
  if (snapshot === undefined) {
    const nothing = { history: [], past: [], answered: [], turns: 0, tokens: 0, refusedAt: {} }
    return { v: 1, session: newSession(nowMs), ...nothing, ...(language ? { language } : {}) }
  }
  try {
    const state = snapshotShape.parse(JSON.parse(snapshot))
    const items = historyItem.array().parse(state.past ? JSON.parse(past ?? '') : [])
    if (items.length !== (state.past ?? 0)) throw new Error(`The snapshot stands on ${state.past} items.`)
    return { ...state, past: items, history: [...items, ...state.history] }
  } catch (cause) {
    throw new BotError('store-corrupt', 'CORRUPT The snapshot has an unknown shape or version.', { cause })
  }
}

/**
 * What a step stores, and the state once it is stored. What was said stands beside the snapshot once it is long, so that it is not
 * written each time. `rest` is what is left after long silence: what people set, and nothing when they set nothing. `language`: that of
 * chats in which nobody set one.
 */
export function toSnapshot(state: ConversationState, language?: Language) {
  const { v, session, turns, tokens, depth, resize, history } = state
  const set = {
    ...(state.language === undefined || state.language === language ? {} : { language: state.language }),
    ...(depth === undefined ? {} : { depth }),
    ...(resize === undefined ? {} : { resize }),
  }
  const rest = { v, session, history: [], answered: [], turns, tokens, refusedAt: {}, ...set }
  const kept = state.past.every((item, i) => item === history[i]) ? state.past : []
  const isLong = sumTokens(history.slice(kept.length), (text) => text.length) > maxRecentChars
  const past = isLong ? history : kept
  return {
    stored: {
      snapshot: JSON.stringify({ ...state, history: history.slice(past.length), past: past.length }),
      ...(past === state.past ? {} : { past: JSON.stringify(past) }),
      rest: Object.keys(set).length > 0 ? JSON.stringify(rest) : '',
    },
    state: { ...state, past },
  }
}

/** `sess_YYYYMMDD_HHMMSS`, in UTC. */
function newSession(nowMs: number): ConversationState['session'] {
  const stamp = new Date(nowMs).toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15)
  return { id: `sess_${stamp}`, startedAt: nowMs, lastAt: nowMs }
}

/** A session ends by silence: the first message after `idleMs` begins a new one with an empty history. */
export function touchSession(state: ConversationState, nowMs: number, idleMs: number): ConversationState {
  if (nowMs - state.session.lastAt > idleMs) return inNewSession(state, nowMs)
  return { ...state, session: { ...state.session, lastAt: nowMs } }
}

function inNewSession(state: ConversationState, nowMs: number): ConversationState {
  const { fellOut: _, ...rest } = state
  return { ...rest, session: newSession(nowMs), history: [] }
}

export function applySetting(state: ConversationState, setting: Setting, nowMs: number): ConversationState {
  switch (setting.name) {
    case 'language': {
      const { language: _, ...rest } = state
      return setting.value ? { ...rest, language: setting.value } : rest
    }
    case 'depth': {
      const { depth: _, ...rest } = state
      return setting.value ? { ...rest, depth: setting.value } : rest
    }
    case 'resize':
      return { ...state, resize: setting.value }
    case 'session': {
      const { lastText: _, putOff: _off, ...rest } = inNewSession(state, nowMs)
      return rest
    }
    case 'forget': {
      const { lastText: _, putOff: _off, ...rest } = state
      return { ...rest, history: blank(state.history, setting.messageId) }
    }
    default:
      return setting satisfies never
  }
}

/** Blanks a message and what was answered to it, up to the next message: an answer repeats what it answers. */
function blank(history: readonly HistoryItem[], messageId: string): HistoryItem[] {
  let within = false
  return history.map((item) => {
    if (item.role === 'user') within = item.messageId === messageId
    if (!within) return item
    return item.role === 'assistant' && item.toolCalls
      ? { ...item, text: '[deleted]', toolCalls: item.toolCalls.map((call) => ({ ...call, arguments: '{}' })) }
      : { ...item, text: '[deleted]' }
  })
}

/**
 * Adds a finished turn. Beyond `maxTokens` the oldest half goes at once, so that prompts keep their prefix for many turns; of a turn
 * that is larger than that alone, its beginning and its newest steps stay.
 */
export function remember(
  state: ConversationState,
  turn: { items: readonly HistoryItem[]; messageIds: readonly string[]; text: string; tokens: number },
  { maxTokens, estimate }: { maxTokens: number; estimate: Estimate },
): ConversationState {
  const measure: Estimate = (text) => Math.max(estimate(text), Math.ceil(text.length / charsPerToken))
  const items = turn.items.map((item) => shorten(item, maxItemChars, (text) => text.length))
  const whole = [...state.history, ...items]
  let history: readonly HistoryItem[] = whole
  if (sumTokens(whole, measure) > maxTokens) {
    const recent = fitItems(items, maxTokens / 2, measure)
    const room = maxTokens / 2 - sumTokens(recent, measure)
    history = [...newestWithin(state.history, room, measure), ...recent]
  }
  const lost = countSaid(whole) - countSaid(history)
  return {
    ...state,
    history,
    ...(lost > 0 ? { fellOut: (state.fellOut ?? 0) + lost } : {}),
    answered: [...state.answered, ...turn.messageIds].slice(-keptAnswered),
    lastText: turn.text.slice(0, 4000),
    turns: state.turns + 1,
    tokens: state.tokens + turn.tokens,
  }
}

const countSaid = (items: readonly HistoryItem[]): number => items.filter((item) => item.role !== 'tool').length

/** Keeps what was put off of a person for their /retry; nothing once it was taken up. */
export function keepPutOff(
  state: ConversationState,
  principal: string,
  putOff?: NonNullable<ConversationState['putOff']>[string],
): ConversationState {
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
  if (state.language) return state.language
  if (/\p{Script=Han}/u.test(text)) return 'zh'
  return client ?? (/[a-z]{2}/i.test(text) ? 'en' : (state.heard ?? 'en'))
}
