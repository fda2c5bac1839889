// Forgetting of the in-memory twin: what is kept beside a conversation or a task of a message.
import type { ChatEvent } from '#shared/chat/event.ts'
import { forgetArtifacts } from './memory-artifacts.ts'
import { disarm } from './memory-questions.ts'
import type { MemoryConversation, MemoryState, MemoryTimer } from './memory-state.ts'

/** What is kept beside a conversation or a task. */
export function forgetBeside(state: MemoryState, c: MemoryConversation, message: string): void {
  for (const { conversation, name, fires } of state.timers.values())
    if (conversation === c.id && isAbout(fires, message)) disarm(state, c.id, name)
  state.letters = state.letters.filter(({ from, event }) => from !== c.id || !names(event, message))
  for (const [seq, aside] of c.aside) if (hasMessage(aside, message)) c.aside.delete(seq)
  forgetArtifacts(c, message)
}

const isAbout = (fires: MemoryTimer['fires'], messageId: string): boolean =>
  typeof fires !== 'string' && names(fires, messageId)

function names(event: object, messageId: string): boolean {
  const list: unknown = 'messages' in event ? event.messages : 'regarding' in event ? event.regarding : []
  return Array.isArray(list) && list.includes(messageId)
}

const hasMessage = (event: ChatEvent, messageId: string): boolean =>
  ('messageId' in event && event.messageId === messageId) ||
  ('replyTo' in event && event.replyTo?.messageId === messageId) ||
  names(event, messageId)
