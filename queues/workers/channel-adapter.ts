// What the delivery worker needs of a platform. An adapter knows its platform and the queues, nothing else.
import type { Channel, ConversationId } from '#shared/chat/conversation.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { BegunRow, Draft, Outcome } from '#queues/kernel/kernel.ts'

export type ChannelAdapter = {
  readonly channel: Channel
  /** Whether the platform shows a row once however often it is sent; else an ambiguous send is never repeated. */
  readonly idempotent: boolean
  /** After this long a request counts as lost, ms. */
  readonly sendTimeoutMs: number
  /** The parts a message must be sent in, each within the platform's limits; one part means it fits as it is. */
  split(body: OutBody): readonly OutBody[]
  /** One request, no retry. A late or unclear answer is `unknown`; "try later" is `retry`; a refusal for good is `failed`. Never throws. */
  deliver(conversation: ConversationId, row: BegunRow, signal: AbortSignal): Promise<Outcome>
  /** How far apart the texts of a draft are shown at least, ms. 1000 when left out. */
  draftEveryMs?(conversation: ConversationId): number
  /** Shows that a reply is being written (empty text) or its text so far. May drop it; never throws. */
  showDraft?(conversation: ConversationId, draft: Draft, signal: AbortSignal): Promise<void>
}
