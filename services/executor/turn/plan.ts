// Decides what comes next of the events that wait: pure, in order per person. Edits and deletions of what is unread are folded in first.
import type { Classification, Depth } from '#shared/chat/decision.ts'
import { depths } from '#shared/chat/decision.ts'
import { isInner, type MessageEvent } from '#shared/chat/event.ts'
import type { QueuedEvent, Stops } from '#shared/run/step.ts'
import { messageIdsOf, quotedIdsOf } from '#services/executor/run/open-turn.ts'
import { sayAnew } from './said-anew.ts'
import { mostAbout } from '#services/executor/state/state.ts'

export type Action =
  | { readonly kind: 'turn'; readonly events: readonly QueuedEvent[]; readonly class: Classification }
  | { readonly kind: 'one'; readonly event: QueuedEvent }
  /** Stopped before they were begun; `stop` is the stop itself, if it waits too. */
  | { readonly kind: 'drop'; readonly events: readonly QueuedEvent[]; readonly stop?: QueuedEvent }
  /** Done with, and nothing to say: an edit that was folded into its message, a message deleted before it was read. */
  | { readonly kind: 'absorb'; readonly events: readonly QueuedEvent[] }

/** The next action, or undefined when nothing routed waits. */
export function nextAction(waiting: readonly QueuedEvent[], stops: Stops): Action | undefined {
  const absorbed = waiting.filter((item) => isFolded(item, waiting))
  if (absorbed.length > 0 && absorbed.length === waiting.length) return { kind: 'absorb', events: absorbed }
  const live = waiting.filter((item) => !absorbed.includes(item)).map((item) => withEdit(item, waiting))
  const first = live[0]
  if (!first) return undefined
  if (isStopped(first, stops)) {
    const events = live.filter((item) => item.event.principal === first.event.principal && isStopped(item, stops))
    const stop = live.find((item) => item.seq === stopFor(first, stops))
    return stop ? { kind: 'drop', events, stop } : { kind: 'drop', events }
  }
  if (first.decision?.act !== 'turn') return { kind: 'one', event: first }
  const events = together(first, live, stops)
  const folded = absorbed.filter((item) => events.some((taken) => targets(item, taken)))
  return { kind: 'turn', events: [...events, ...folded].toSorted((a, b) => a.seq - b.seq), class: merge(events) }
}

/** Events of the turn's principal that may join it now; `about` are messages that it takes up besides its `own`. */
export function joinable(
  waiting: readonly QueuedEvent[],
  principal: string,
  { own, about = [] }: { readonly own: readonly QueuedEvent[]; readonly about?: readonly string[] | undefined },
): QueuedEvent[] {
  const joining: QueuedEvent[] = []
  for (const item of waiting) {
    if (item.event.principal !== principal || isInner(item.event)) continue
    const correction = item.event.kind === 'edit' && own.some((taken) => targets(item, taken))
    if (item.decision?.act !== 'turn' && !correction) break
    joining.push(item)
  }
  return findable(joining, [...about, ...own.flatMap(idsOf)])
}

const idsOf = ({ event }: QueuedEvent): string[] => [...messageIdsOf([event]), ...quotedIdsOf([event])]

/** Of these, from the first on, those by whose messages and quotations a turn can still be found when one of them is to be forgotten. */
function findable(items: readonly QueuedEvent[], before: readonly string[]): QueuedEvent[] {
  const ids = new Set(before)
  const end = items.findIndex((item) => {
    for (const id of idsOf(item)) ids.add(id)
    return ids.size > mostAbout
  })
  return items.slice(0, end < 0 ? undefined : end)
}

/** The waiting messages of one person that form a turn: up to the first thing of theirs that is not work. */
function together(first: QueuedEvent, live: readonly QueuedEvent[], stops: Stops): QueuedEvent[] {
  const own = live.filter(
    (item) => item.event.principal === first.event.principal && !isInner(item.event) && !isStopped(item, stops),
  )
  const end = own.findIndex((item) => item.decision?.act !== 'turn')
  return findable(own.slice(0, end < 0 ? undefined : end), [])
}

function merge(events: readonly QueuedEvent[]): Classification {
  const classes = events.flatMap((item) => (item.decision?.act === 'turn' ? [item.decision.class] : []))
  const rank = (depth: Depth): number => depths.indexOf(depth)
  const deepest = classes.reduce((best, next) => (rank(next.depth) > rank(best.depth) ? next : best))
  return { ...deepest, complex: classes.some((found) => found.complex) }
}

const stopFor = (item: QueuedEvent, stops: Stops): number => Math.max(stops[item.event.principal] ?? 0, stops['*'] ?? 0)

function isStopped(item: QueuedEvent, stops: Stops): boolean {
  const act = item.decision?.act
  return (act === 'turn' || act === 'ack') && item.seq < stopFor(item, stops)
}

/** Whether an edit or deletion is of this waiting message, by the same person (platforms tell of deletions without a person). */
function targets(change: QueuedEvent, message: QueuedEvent): boolean {
  if (change.event.kind !== 'edit' && change.event.kind !== 'delete') return false
  return (
    message.event.kind === 'message' && change.seq > message.seq && message.event.messageId === change.event.messageId
  )
}

function isFolded(item: QueuedEvent, waiting: readonly QueuedEvent[]): boolean {
  if (item.event.kind === 'message')
    return waiting.some((other) => other.event.kind === 'delete' && targets(other, item))
  return waiting.some((message) => targets(item, message))
}

function withEdit(item: QueuedEvent, waiting: readonly QueuedEvent[]): QueuedEvent {
  if (item.event.kind === 'answer') {
    // What changed it is something of its own.
    const after = waiting.flatMap(({ seq, event }) => (seq > item.seq ? [event] : []))
    return { ...item, event: sayAnew(item.event, after) }
  }
  const edit = waiting.findLast((other) => other.event.kind === 'edit' && targets(other, item))
  if (edit?.event.kind !== 'edit' || item.event.kind !== 'message') return item
  const event: MessageEvent = { ...item.event, text: edit.event.text }
  const found = edit.decision?.act === 'apply' ? edit.decision.class : undefined
  const decision = found && item.decision?.act === 'turn' ? { ...item.decision, class: found } : item.decision
  return decision ? { seq: item.seq, event, decision } : { seq: item.seq, event }
}
