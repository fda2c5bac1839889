// A turn as items of the prompt and of the history: what people said in it, what the model answered and what its tools found.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import { meet, type People } from '#shared/chat/people.ts'
import { readArguments } from '#shared/model/call-arguments.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { joinTaint, toTainted } from '#shared/model/taint.ts'
import { toPromptText, withoutMarks } from '#shared/chat/spoken.ts'
import { texts } from '#services/executor/run/texts.ts'
import type { Mailbox } from '#services/executor/run/mailbox.ts'
import { eventsOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import { toLanguage, type ConversationState } from '#services/executor/state/state.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { eyesOf, toGivenItem } from './origin.ts'

/** In the order things happened. */
export function itemsOf(turn: OpenTurn, find: Mailbox['find'], state: ConversationState): HistoryItem[] {
  const eyes = eyesOf(turn.start, state)
  const items = itemsIn(turn, find, state)
  // What its tools were told and found may come of what was said in private; what it answers is for all.
  return eyes === undefined ? items : items.map((item) => (isWork(item) ? { ...item, for: eyes } : item))
}
const isWork = (item: HistoryItem): boolean =>
  item.role === 'tool' || (item.role === 'assistant' && (item.toolCalls?.length ?? 0) > 0)

function itemsIn(turn: OpenTurn, find: Mailbox['find'], state: ConversationState): HistoryItem[] {
  const taken = eventsOf(turn).flatMap((seq) => find(seq) ?? [])
  const people = meet(state.people, taken)
  return turn.entries.flatMap((entry): HistoryItem[] => {
    switch (entry.t) {
      case 'turn:start':
        if (entry.given !== undefined) return [toGivenItem(entry, entry.given)]
        return withEdits(entry.events.flatMap((seq) => find(seq) ?? [])).flatMap((event) => toUserItem(event, people))
      case 'turn:join':
        return entry.events.flatMap((seq) => toUserItem(find(seq), people, languageOf(state, turn, taken)))
      case 'llm:fin':
        return [
          {
            role: 'assistant',
            text: entry.text,
            source: 'own',
            ...(entry.toolCalls.length > 0 ? { toolCalls: entry.toolCalls.map(readable) } : {}),
            ...toTainted(joinTaint(turn.start.taint, entry.taint)),
          },
          ...resultsOf(turn, entry),
        ]
      // Behind the answer that they belong to.
      case 'tool:fin':
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

/** What the calls of an answer came to, in their order, whichever ended first. */
function resultsOf({ entries }: OpenTurn, { step, toolCalls }: Extract<JournalEntry, { t: 'llm:fin' }>): HistoryItem[] {
  return toolCalls.flatMap(({ id: callId }): HistoryItem[] => {
    const done = entries.find((entry) => entry.t === 'tool:fin' && entry.step === step && entry.callId === callId)
    if (done?.t !== 'tool:fin') return []
    const { result: text, source, taint, artifact } = done
    return [{ role: 'tool', callId, text, source, ...toTainted(taint), ...(artifact ? { artifact } : {}) }]
  })
}

/** Some endpoints refuse what they wrote themselves where its arguments are no object. */
function readable(call: ToolCall): ToolCall {
  if (call.arguments !== '' && readArguments(call.arguments).kind === 'read') return call
  return {
    ...call,
    arguments: JSON.stringify({ malformed: call.arguments.slice(0, mostMalformedChars).toWellFormed() }),
  }
}
const mostMalformedChars = 500

/** What people asked in it; what they corrected, as they corrected it. */
export function textOf(turn: OpenTurn, events: readonly ChatEvent[]): string {
  return turn.start.given ?? saidIn(events)
}

/** What the turn is for, as others may read it: of an answer the task that waited for it. */
export const taskOf = ({ start, entries }: OpenTurn, events: readonly ChatEvent[]): string =>
  start.response?.task ?? (start.for === undefined ? textOf({ start, entries }, events) : '…')

/** What it speaks: an answer of which nobody can tell, such as a name, says no other language than the task that waited for it. */
export const languageOf = (state: ConversationState, turn: OpenTurn, events: readonly ChatEvent[]): Language =>
  toLanguage(state, [turn.start.response?.task ?? '', textOf(turn, events)].join('\n'))

/** What the model is instructed in: that of the session's first message, whatever is said later. */
export const toInstructed = (state: ConversationState, turn: OpenTurn, events: readonly ChatEvent[]): Language =>
  state.session.language ?? languageOf(state, turn, events.slice(0, 1))

/** What people say in messages, line by line. */
export const saidIn = (events: readonly ChatEvent[]): string =>
  withEdits(events)
    .flatMap((event) => (event.kind === 'message' ? [event.text] : []))
    .join('\n')

/** What was edited before it was read is read as edited. */
function withEdits(events: readonly ChatEvent[]): readonly ChatEvent[] {
  if (!events.some((event) => event.kind === 'edit')) return events
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
  const { text: said, hasOthers } =
    kind === 'edit' ? { text: withoutMarks(event.text), hasOthers: false } : toPromptText(event, people)
  const name = group ? people[principal] : undefined
  const text = joined ? `${texts[kind === 'edit' ? 'corrected' : 'joined'][joined]} ${said}` : said
  const source = hasOthers ? 'others' : 'person'
  const who = { ...(name ? { name } : {}), ...(group ? { by: principal } : {}) }
  return [{ role: 'user', text, source, ...who, ...(messageId ? { messageId } : {}) }]
}
