// What the delivery worker needs of a platform. An adapter knows its platform and the queues, nothing else.
import type { Channel, ConversationId } from '#shared/chat/conversation.ts'
import type { Button } from '#shared/chat/message.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { SendLimits } from '#queues/fleet/send-budget.ts'
import type { BegunRow, Outcome } from '#queues/kernel/kernel.ts'

/** `unclear`: it may still show, later than what is sent after it. */
export type DraftOutcome =
  | { readonly kind: 'shown' }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'refused'; readonly afterMs: number; readonly slowDown?: 'chat' | 'bot' }

export type ChannelAdapter = {
  readonly channel: Channel
  /** For so long the platform shows a row once however often it is sent; after that an ambiguous send is not repeated. 0 is never. */
  readonly idempotentForMs: number
  /** After this long a request counts as lost, ms. */
  readonly sendTimeoutMs: number
  /** The parts a message must be sent in, each within the platform's limits; one part means it fits as it is. */
  split(body: OutBody): readonly OutBody[]
  /** One request, no retry. A late or unclear answer is `unknown`; "try later" is `retry`; a refusal for good is `failed`. Never throws. */
  deliver(conversation: ConversationId, row: BegunRow, signal: AbortSignal): Promise<Outcome>
  /** How fast the platform takes sends and edits in this chat. */
  limits(conversation: ConversationId): SendLimits
  /**
   * How a growing reply is shown: `draft` as something that is no message yet, `edit` as a message that is edited. `everyMs`: how
   * far apart its texts are shown at least.
   */
  streaming(conversation: ConversationId): { readonly as: 'draft' | 'edit'; readonly everyMs: number }
  /** Shows that a reply is being written: empty text. A text goes as a draft, or with a receipt into that message. Never throws. */
  showDraft(conversation: ConversationId, draft: ShownDraft, signal: AbortSignal): Promise<DraftOutcome>
}

export type ShownDraft = Pick<Draft, 'turn' | 'text'> & {
  /** The message to edit, and its buttons. */
  readonly message?: { readonly receipt: string; readonly buttons: readonly (readonly Button[])[] }
}
