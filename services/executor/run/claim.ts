// Where a step happens: the claimed conversation, its store and mailbox, and its state as of the last stored step.
import type { Address } from '#shared/chat/address.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ConversationView } from '#shared/feature/feature.ts'
import type { Mailbox } from './mailbox.ts'
import type { RunStore } from './run-store.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

export type Claim = {
  /** Where what is said is said, and by whose rights. */
  readonly conversation: ConversationId
  /** What is claimed: the conversation itself, or a task of it. */
  readonly address: Address
  readonly store: RunStore
  readonly mailbox: Mailbox
  /** As of the last stored step, and of what the next one is to store. */
  readonly state: ConversationState
  /** The turn that runs now, for those who ask. */
  readonly busy: ConversationView['busy']
  /** Why the store refused what this event came to at first: whatever a feature wanted of it is not done, and told as failed. */
  readonly refused?: Error
  /** Sets the state, once it is stored or is to be stored with the next step. */
  keep(state: ConversationState): void
}
