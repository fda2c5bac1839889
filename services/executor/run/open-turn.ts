// A turn in progress, as a fold of its journal entries. The texts of its events come from the mailbox, where they stay until the turn ends.
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import { joinTaint, type Taint } from '#shared/model/taint.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import { boundAbout } from '#services/executor/state/state.ts'
import type { JournalEntry } from '#shared/run/journal.ts'

export type TurnStart = Extract<JournalEntry, { t: 'turn:start' }>

export type OpenTurn = { readonly start: TurnStart; readonly entries: readonly JournalEntry[] }

/** The turn that the journal's tail leaves open, if any. */
export function foldTail(tail: readonly { readonly entry: JournalEntry }[]): OpenTurn | undefined {
  const entries = tail.map(({ entry }) => entry)
  const start = entries.findLast((entry) => entry.t === 'turn:start')
  if (!start || entries.some((entry) => entry.t === 'turn:fin' && entry.turn === start.turn)) return undefined
  return { start, entries: entries.filter((entry) => entry.turn === start.turn) }
}

/** Seqs of all events that the turn has taken in. */
export function eventsOf(turn: OpenTurn): number[] {
  return turn.entries.flatMap((entry) => (entry.t === 'turn:start' || entry.t === 'turn:join' ? entry.events : []))
}

/** Platform ids of the messages among them. */
export const messageIdsOf = (events: readonly ChatEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'message' && event.messageId ? [event.messageId] : []))

/** Platform ids of the messages of people that they reply to: their words came along. */
export const quotedIdsOf = (events: readonly ChatEvent[]): string[] =>
  events.flatMap((event) =>
    'replyTo' in event && event.replyTo && !event.replyTo.fromBot ? [event.replyTo.messageId] : [],
  )

/** Platform ids of the messages whose texts went into it. */
export function aboutOf(turn: OpenTurn, events: readonly ChatEvent[]): string[] {
  const own = ownEvents(turn.start, events)
  return boundAbout([...readIdsOf(turn), ...(turn.start.about ?? []), ...quotedIdsOf(own), ...messageIdsOf(own)])
}

/** Those of earlier messages whose texts a tool found. */
export const readIdsOf = ({ entries }: OpenTurn): string[] =>
  entries.flatMap((entry) => (entry.t === 'tool:fin' ? (entry.about ?? []) : []))

/**
 * The same of an event that is no turn: of an answer what its question was about, of a timer what armed it, of a letter what it regards where it was
 * written.
 */
export function aboutEvent(event: ChatEvent): string[] {
  if (event.kind === 'letter') return event.regarding ?? []
  if ('messages' in event) return event.messages ?? []
  return event.kind === 'edit' ? [event.messageId] : messageIdsOf([event])
}

/** Its own messages; the command or the press that a turn was begun by is none of them. */
export const ownEvents = (start: TurnStart, events: readonly ChatEvent[]): readonly ChatEvent[] =>
  start.given === undefined ? events : events.slice(start.events.length)

/** The message that a turn answers. */
export function findAsked(events: readonly ChatEvent[]): MessageEvent | undefined {
  const messages = events.filter((event) => event.kind === 'message')
  return messages.find((event) => event.addressed) ?? messages[0]
}

/** The message that a reply answers, in a direct chat too. */
export function toAsks(events: readonly ChatEvent[]): { asks?: string } {
  const messageId = findAsked(events)?.messageId
  return messageId === undefined ? {} : { asks: messageId }
}

/** The last message that a turn begins with. */
export function toFollows(events: readonly ChatEvent[]): { follows?: string } {
  const messageId = events.findLast((event) => event.kind === 'message')?.messageId
  return messageId === undefined ? {} : { follows: messageId }
}

/** How many model answers the turn has. */
export function stepsDone(turn: OpenTurn): number {
  return turn.entries.filter((entry) => entry.t === 'llm:fin').length
}

/** What others wrote that it was begun by, or that the model has read in it. */
export const taintOf = ({ start, entries }: OpenTurn): Taint =>
  joinTaint(start.taint, ...entries.map((entry) => (entry.t === 'llm:fin' ? entry.taint : undefined)))

/** Calls that came to an end; those that were not made, or could not be, are none. */
export function callsEnded({ entries }: OpenTurn): { readonly name: string; readonly ok: boolean }[] {
  return entries.flatMap((entry) => {
    if (entry.t !== 'tool:fin' || entry.malformed || entry.awaits) return []
    const asked = entries.find((one) => one.t === 'tool:req' && one.step === entry.step && one.callId === entry.callId)
    return asked?.t === 'tool:req' ? [{ name: asked.name, ok: entry.ok }] : []
  })
}

/** How often the step was tried. */
export function attemptsAt(turn: OpenTurn, step: number): number {
  return turn.entries.filter((entry) => entry.t === 'llm:req' && entry.step === step).length
}

/** Tool calls of the last model answer. */
export const callsOf = (turn: OpenTurn): readonly ToolCall[] =>
  turn.entries.findLast((entry) => entry.t === 'llm:fin')?.toolCalls ?? []

/** Those of them that have no result yet. */
export function callsLeft(turn: OpenTurn): readonly ToolCall[] {
  const last = turn.entries.findLast((entry) => entry.t === 'llm:fin')
  if (last?.t !== 'llm:fin') return []
  const done = new Set(
    turn.entries.flatMap((entry) => (entry.t === 'tool:fin' && entry.step === last.step ? [entry.callId] : [])),
  )
  return last.toolCalls.filter((call) => !done.has(call.id))
}

/** What the tools of the last model answer came to that ended the turn. */
function suspensionsOf({ entries }: OpenTurn): Extract<JournalEntry, { t: 'tool:fin' }>[] {
  const step = entries.findLast((entry) => entry.t === 'llm:fin')?.step
  return entries.flatMap((entry) =>
    entry.t === 'tool:fin' && entry.step === step && entry.ends === 'suspended' ? [entry] : [],
  )
}

/** Whether a tool of the last model answer ended the turn. */
export const isSuspended = (turn: OpenTurn): boolean => suspensionsOf(turn).length > 0

/** What people are told that it waits for, of what is asked elsewhere. */
export const waitsOf = (turn: OpenTurn): string[] => suspensionsOf(turn).flatMap(({ waits }) => waits ?? [])
