// What the HTTP interface shows of a conversation: people's messages and the bot's, in the order of the stream.
import type { Button } from '#shared/chat/message.ts'
import type { OutItem } from '#queues/kernel/kernel.ts'

export type ApiMessage = {
  /** Id in the stream: pass it as `after`, or as Last-Event-ID. */
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
  const at = Number(item.id.split('-', 1)[0])
  if (item.role === 'person') {
    const { event } = item
    return event.kind === 'message' ? { id: item.id, role: 'user', text: event.text, at, eventId: event.id } : undefined
  }
  const { body } = item
  if (body.kind !== 'send') return undefined
  const { text, answers, buttons } = body
  return { id: item.id, role: 'bot', text, at, answers, ...(buttons ? { buttons } : {}) }
}

/** A stream id, or `0` for the beginning. */
export function isStreamId(text: string): boolean {
  return /^(0|\d{1,15}-\d{1,15})$/.test(text)
}
