// Ids of memory records come of their events, so that an event that comes again writes nothing twice.
import { createHash } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'

export function toEventId(
  way: 'said' | 'turn' | 'tool' | 'edited' | 'taught' | 'night',
  conversation: ConversationId,
  event: string,
): string {
  const digest = createHash('sha256').update(`${conversation} ${event}`).digest('hex').slice(0, 24)
  return `${way}-${digest}`
}
