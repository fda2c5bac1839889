// A text of the bot's own in answer to one event.
import type { Language } from '#shared/chat/message.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { toRows } from '#services/executor/step/carry.ts'
import { nothing, toReplyTo, type Applied } from './applied.ts'

export function said(
  deps: ExecutorDeps,
  state: ConversationState,
  { item, language, text }: { item: QueuedEvent; language: Language; text: string },
): Applied {
  const { event } = item
  const how = { answers: [event.id], language, ...toReplyTo(event) }
  const body: OutBody = { v: 1, kind: 'send', text: text.toWellFormed(), ...how }
  return { ...nothing({ ...state, heard: language }, event.kind), rows: toRows(deps, toWorkId('e', item), [body]) }
}
