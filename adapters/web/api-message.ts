// What the HTTP interface shows of a conversation: people's messages and the bot's, in the order of the stream.
import type { Button } from '#shared/chat/message.ts'
import type { OutItem } from '#queues/kernel/kernel.ts'
import { toPosition } from '#queues/workers/out-position.ts'

export type ApiMessage = {
  /** Its place in the conversation: pass it as `after`, or as Last-Event-ID. */
  readonly id: string
  readonly role: 'user' | 'bot'
  readonly text: string
  /** When it entered the stream, ms since 1970. */
  readonly at: number
  /** Of a user's message: the id that replies name in `answers`. */
  readonly eventId?: string
  readonly answers?: readonly string[]
  readonly buttons?: readonly (readonly Button[])[]
}

/** Undefined for what a page does not show, such as a reaction. */
export function toApiMessage(item: OutItem): ApiMessage | undefined {
  const id = toPosition(item)
  const { at } = item
  if (item.role === 'person') {
    const { event } = item
    return event.kind === 'message' ? { id, role: 'user', text: event.text, at, eventId: event.id } : undefined
  }
  const { body } = item
  if (body.kind !== 'send') return undefined
  const { text, answers, buttons } = body
  return { id, role: 'bot', text, at, answers, ...(buttons ? { buttons } : {}) }
}
