// Fits items of a conversation into a number of tokens, whole steps at a time: a tool's result never stands without its call, and the
// first thing a person said stays. Pure. What does not fit is left out or cut to its head and tail, never passed on.
import type { Estimate, HistoryItem } from './history-item.ts'

/** What a person or a tool says at length stays in part. */
export const maxItemChars = 8000
/** What a message costs besides its text. */
const frameTokens = 8

/** Upper bound of an item's tokens as a message. */
function toTokens(item: HistoryItem, estimate: Estimate): number {
  const calls = item.role === 'assistant' && item.toolCalls ? estimate(JSON.stringify(item.toolCalls)) : 0
  const name = item.role === 'user' && item.name ? estimate(item.name) + 2 : 0
  return estimate(item.text) + calls + name + frameTokens
}

export const sumTokens = (items: readonly HistoryItem[], estimate: Estimate): number =>
  items.reduce((sum, item) => sum + toTokens(item, estimate), 0)

/**
 * The newest steps that fit, and before them the first message, since the rest answers it. A step is a message, or an answer with the
 * results of its tool calls; a newest step that is too large alone has its results cut.
 */
export function fitItems(items: readonly HistoryItem[], room: number, estimate: Estimate): readonly HistoryItem[] {
  if (sumTokens(items, estimate) <= room) return items
  const steps = toSteps(items)
  const [whole = [], ...later] = steps[0]?.[0]?.role === 'user' ? steps : [[], ...steps]
  const first = whole.map((item) => (toTokens(item, estimate) <= room ? item : shortenTo(item, room, estimate)))
  const kept: (readonly HistoryItem[])[] = []
  let left = room - sumTokens(first, estimate)
  for (const step of later.toReversed()) {
    const fitting = kept.length === 0 ? cutResults(step, left, estimate) : step
    const tokens = sumTokens(fitting, estimate)
    if (tokens > left) break
    left -= tokens
    kept.unshift(fitting)
  }
  return [...first, ...kept.flat()]
}

/** A message in a room that is smaller still: of a small window with much in it. */
function shortenTo(item: HistoryItem, room: number, estimate: Estimate): HistoryItem {
  const rest = toTokens({ ...item, text: '' }, estimate)
  return { ...item, text: headAndTail(item.text, Math.max(0, room - rest), estimate) }
}

/** Cuts a text to `maxTokens` by leaving out its middle. Each try that is too large tells how large the next may be. */
export function headAndTail(text: string, maxTokens: number, estimate: Estimate): string {
  const mark = '\n[… middle left out …]\n'
  let tokens = estimate(text)
  for (let kept = text.length; ;) {
    kept = Math.floor(0.85 * Math.min(kept, (kept * maxTokens) / Math.max(1, tokens)))
    const half = Math.floor(kept / 2)
    if (half < 8) return estimate(mark) <= maxTokens ? mark : ''
    const short = (text.slice(0, half) + mark + text.slice(text.length - half)).toWellFormed()
    tokens = estimate(short)
    if (tokens <= maxTokens) return short
  }
}

/** An item of which no part is larger than `most`: a text loses its middle; arguments are no longer those of the call, and say so. */
export function shorten(item: HistoryItem, most: number, estimate: Estimate): HistoryItem {
  const text = estimate(item.text) <= most ? item.text : headAndTail(item.text, most, estimate)
  if (item.role !== 'assistant' || !item.toolCalls) return { ...item, text }
  if (estimate(JSON.stringify(item.toolCalls)) <= most) return { ...item, text }
  const each = Math.floor(most / item.toolCalls.length)
  const toolCalls = item.toolCalls.map((whole) => {
    if (estimate(JSON.stringify(whole)) <= each) return whole
    // First what nobody reads.
    const { opaque: _, ...call } = whole
    return estimate(JSON.stringify(call)) <= each ? call : { ...call, arguments: '{"left_out":"too long"}' }
  })
  return { ...item, text, toolCalls }
}

/** The same of a whole exchange: a long question leaves room for its answer. Nothing is cut to nothing. */
export function fitExchange(items: readonly HistoryItem[], room: number, estimate: Estimate): readonly HistoryItem[] {
  if (sumTokens(items, estimate) <= room) return items
  const short = items.map((item) => shorten(item, room / 2 - frameTokens, estimate))
  const parts = short.map((item, at) => (item.text === '' ? (items[at] ?? item) : item))
  return fitItems(parts, room, estimate)
}

/**
 * The newest items that fit, from a person's message on: a tool result without its call, or an answer without its question, is refused
 * by endpoints.
 */
export function newestWithin(items: readonly HistoryItem[], room: number, estimate: Estimate): readonly HistoryItem[] {
  let left = room
  const tooOld = items.findLastIndex((item) => (left -= toTokens(item, estimate)) < 0)
  const first = items.findIndex((item, i) => i > tooOld && item.role === 'user')
  return first < 0 ? [] : items.slice(first)
}

function toSteps(items: readonly HistoryItem[]): (readonly HistoryItem[])[] {
  const steps: HistoryItem[][] = []
  for (const item of items) {
    if (item.role === 'tool' && steps.length > 0) steps.at(-1)?.push(item)
    else if (item.role !== 'tool') steps.push([item])
  }
  return steps
}

function cutResults(step: readonly HistoryItem[], room: number, estimate: Estimate): readonly HistoryItem[] {
  if (sumTokens(step, estimate) <= room) return step
  const results = step.filter((item) => item.role === 'tool')
  const rest = sumTokens(step, estimate) - results.reduce((sum, { text }) => sum + estimate(text), 0)
  const share = Math.floor((room - rest) / Math.max(1, results.length))
  return step.map((item) =>
    item.role === 'tool' && estimate(item.text) > share
      ? { ...item, text: headAndTail(item.text, Math.max(0, share), estimate) }
      : item,
  )
}
