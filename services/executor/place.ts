// Where a step happens: the claimed conversation, its store and mailbox, and its state as of the last finished step.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { CommandView } from '#shared/feature.ts'
import type { Mailbox } from './mailbox.ts'
import type { RunStore } from './run-store.ts'
import type { ConversationState } from './state.ts'

export type Place = {
  readonly conversation: ConversationId
  readonly store: RunStore
  readonly mailbox: Mailbox
  readonly state: ConversationState
  /** The turn that runs now, for those who ask. */
  readonly busy: CommandView['busy']
}
