// A turn in progress, as a fold of its journal entries. The texts of its events come from the mailbox, where they stay until the turn ends.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import { meet, type People } from '#shared/chat/people.ts'
import { toPromptText, withoutMarks } from '#shared/chat/spoken.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import type { Mailbox } from './mailbox.ts'
import type { HistoryItem } from '#services/executor/context/history-item.ts'
import { toLanguage, type ConversationState } from '#services/executor/state/state.ts'
import { texts } from '#services/executor/ending/texts.ts'

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

/** In a group a reply names the message it answers. */
export function toReplyTo(events: readonly ChatEvent[]): { replyTo?: string } {
  const messages = events.filter((event) => event.kind === 'message')
  const first = messages.find((event) => event.addressed) ?? messages[0]
  return first?.group && first.messageId ? { replyTo: first.messageId } : {}
}

/** What the turn does with the last answer. Older releases said so by the rule of its class. */
export function toLast({ last, class: { rule } }: TurnStart): TurnStart['last'] {
  return last ?? (rule === 'resize' ? 'rewrite' : rule === 'continue' ? 'continue' : undefined)
}

/** How many model answers the turn has. */
export function stepsDone(turn: OpenTurn): number {
  return turn.entries.filter((entry) => entry.t === 'llm:fin').length
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

/** Whether a tool of the last model answer ended the turn. */
export function isSuspended(turn: OpenTurn): boolean {
  const step = turn.entries.findLast((entry) => entry.t === 'llm:fin')?.step
  return turn.entries.some((entry) => entry.t === 'tool:fin' && entry.step === step && entry.ends === 'suspended')
}

/** The turn as prompt and history items, in the order things happened. */
export function itemsOf(turn: OpenTurn, find: Mailbox['find'], state: ConversationState): HistoryItem[] {
  const taken = eventsOf(turn).flatMap((seq) => find(seq) ?? [])
  const people = meet(state.people, taken)
  const language = toLanguage(state, textOf(turn, taken))
  return turn.entries.flatMap((entry): HistoryItem[] => {
    switch (entry.t) {
      case 'turn:start':
        if (entry.given !== undefined) return [{ role: 'user', text: withoutMarks(entry.given), source: 'person' }]
        return withEdits(entry.events.flatMap((seq) => find(seq) ?? [])).flatMap((event) => toUserItem(event, people))
      case 'turn:join':
        return entry.events.flatMap((seq) => toUserItem(find(seq), people, language))
      case 'llm:fin':
        return [
          {
            role: 'assistant',
            text: entry.text,
            source: 'own',
            ...(entry.toolCalls.length > 0 ? { toolCalls: entry.toolCalls } : {}),
          },
        ]
      case 'tool:fin':
        return [{ role: 'tool', callId: entry.callId, text: entry.result, source: entry.source ?? 'others' }]
      case 'llm:req':
      case 'tool:req':
      case 'turn:fin':
      case 'applied':
        return []
      default:
        return entry satisfies never
    }
  })
}

/** What people asked in it. */
export function textOf(turn: OpenTurn, events: readonly ChatEvent[]): string {
  if (turn.start.given !== undefined) return turn.start.given
  return events.flatMap((event) => (event.kind === 'message' || event.kind === 'edit' ? [event.text] : [])).join('\n')
}

/** What was edited before it was read is read as edited. */
function withEdits(events: readonly ChatEvent[]): ChatEvent[] {
  return events
    .filter((event) => event.kind !== 'edit')
    .map((event) => {
      if (event.kind !== 'message') return event
      const edit = events.findLast((other) => other.kind === 'edit' && other.messageId === event.messageId)
      return edit?.kind === 'edit' ? { ...event, text: edit.text } : event
    })
}

/** What a message or a correction adds to the prompt and the history; `joined`: the language of the turn that it came into. */
export function toUserItem(event: ChatEvent | undefined, people: People, joined?: Language): HistoryItem[] {
  if (event?.kind !== 'message' && event?.kind !== 'edit') return []
  const { kind, messageId, group, principal } = event
  const said = kind === 'edit' ? withoutMarks(event.text) : toPromptText(event, people)
  const name = group ? people[principal] : undefined
  const text = joined ? `${texts[kind === 'edit' ? 'corrected' : 'joined'][joined]} ${said}` : said
  const quotes = kind === 'message' && (event.quoted !== undefined || event.replyTo?.text !== undefined)
  const source = quotes ? 'others' : 'person'
  return [{ role: 'user', text, source, ...(name ? { name } : {}), ...(messageId ? { messageId } : {}) }]
}
