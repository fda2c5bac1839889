// Adds a turn that has ended to what the conversation remembers, within the room that its history has.
import { fitExchange, maxItemChars, newestWithin, shorten, sumTokens } from './fit-items.ts'
import { type Estimate, type HistoryItem } from './history-item.ts'
import { boundAbout, type ConversationState } from './state.ts'

const keptAnswered = 20
/** So that what costs few tokens, such as a row of spaces, does not fill it either. */
const charsPerToken = 4
const softShare = 0.9
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
    lastText: shorten({ role: 'user', source: 'person', text: turn.text }, 4000, (text) => text.length).text,
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
