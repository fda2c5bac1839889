// A platform as the fleet sees it: what it can do, how its events come in, how rows go out. An adapter knows its platform and the
// queues, nothing else; every adapter passes the suite in `test/contracts/channel-contract.ts`.
import type { Channel, ConversationId } from '#shared/chat/conversation.ts'
import type { Button, Language } from '#shared/chat/message.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { ChatStanding } from '#queues/fleet/chat-book.ts'
import type { SendLimits } from '#queues/fleet/send-budget.ts'
import type { BegunRow, Outcome } from '#queues/kernel/kernel.ts'
import type { Ingest } from './ingest.ts'

export type ChannelAdapter = {
  readonly channel: Channel
  /** The bot's id on the platform, where there may be several: one Redis serves one of them. */
  readonly account?: string
  readonly capabilities: Capabilities
  /** By which a person opens a direct chat with the bot, where the platform has such links: known once it has started. */
  readonly directLink?: Promise<string>
  /**
   * Takes in what people do until `signal` aborts, and resolves when nothing is in hand any more. Acknowledges to the platform only
   * what `ingest` has stored. Trouble is said and waited out; it does not reject. Called once.
   */
  start(ingest: Ingest, signal: AbortSignal): Promise<void>
  /** How rows are brought to people; absent where people read the conversation's own stream (web, console). */
  readonly delivery?: ChannelDelivery
  /** What the platform pushes to, if it is told to push: to be served at this path. It answers 503 until `start`. */
  readonly webhook?: { readonly path: string; readonly handler: (request: Request) => Promise<Response> }
}

/** What a platform shows of a reply, and takes from people. The contract suite proves each line. */
export type Capabilities = {
  /** UTF-16 units of one message of plain words as people see it; longer ones are sent in parts. Undefined: no limit. */
  readonly maxTextUnits: number | undefined
  readonly buttons: boolean
  /** A message sent may be changed; else its successor is shown after it. */
  readonly edit: boolean
  /** A reply is shown while it grows. */
  readonly stream: boolean
  /** A part of a chat with a conversation of its own: topics, threads. */
  readonly threads: boolean
  /** A reply that has a file is shown as its caption and the file; else as its text. */
  readonly files: boolean
  /** The bot may react to a message. */
  readonly reactions: boolean
}

/** `unclear`: it may still show, later than what is sent after it. */
export type DraftOutcome =
  | { readonly kind: 'shown' }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'refused'; readonly afterMs: number; readonly slowDown?: 'chat' | 'bot' }

/** What the delivery worker needs of a platform. */
export type ChannelDelivery = {
  /** For so long the platform shows a row once however often it is sent; after that an ambiguous send is not repeated. 0 is never. */
  readonly idempotentForMs: number
  /** After this long a request counts as lost, ms. */
  readonly sendTimeoutMs: number
  /** The parts a message must be sent in, each within the platform's limits; one part means it fits as it is. */
  split(body: OutBody): readonly OutBody[] | Promise<readonly OutBody[]>
  /** The chat of a conversation as the chat book names it: what refuses as one. */
  chatOf(conversation: ConversationId): string
  /** Whether a failure is about the chat, not about the row: nothing more is sent there until somebody is heard. */
  closes(reason: string): boolean
  /** One request, no retry. A late or unclear answer is `unknown`; "try later" is `retry`; a refusal for good is `failed`. Never throws. */
  deliver(address: Address, row: BegunRow, signal: AbortSignal): Promise<Outcome>
  /** How fast the platform takes calls about this chat. */
  limits(conversation: ConversationId): SendLimits
  /**
   * How a growing reply is shown: `draft` as something that is no message yet, `edit` as a message that is edited. `everyMs`: how
   * far apart its texts are shown at least. `marksGrowth`: that a message grows is shown by the platform or its adapter, so that texts come as
   * they are.
   */
  streaming(conversation: ConversationId): {
    readonly as: 'draft' | 'edit'
    readonly everyMs: number
    /** False where the platform shows nobody that somebody writes. */
    readonly showsTyping?: boolean
    readonly marksGrowth?: true
  }
  /** Shows that a reply is being written: empty text. A text goes as a draft, or with a receipt into that message. Never throws. */
  showDraft(address: Address, draft: ShownDraft, signal: AbortSignal): Promise<DraftOutcome>
}

/** Where a row goes. Without a standing, since the book could not be read, it goes where its conversation says. */
export type Address = { readonly conversation: ConversationId; readonly standing: ChatStanding | undefined }

export type ShownDraft = Pick<Draft, 'turn' | 'text'> & {
  /** The platform's id of the message that it answers, where there is one. */
  readonly asks?: string | undefined
  /** The text goes on. */
  readonly isGrowing?: true
  /** The message to edit, and its buttons. */
  readonly message?: {
    readonly receipt: string
    readonly buttons: readonly (readonly Button[])[]
    readonly language?: Language
  }
}
