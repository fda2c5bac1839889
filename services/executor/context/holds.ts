// Tells which messages of a conversation its prompts have word for word.
import type { ConversationState } from '#services/executor/state/state.ts'

/** Whether prompts of this conversation have what was said in a message word for word: it stands in the history. */
export const toHolds =
  ({ history }: Pick<ConversationState, 'history'>) =>
  (messageId: string): boolean =>
    history.some((item) => item.role === 'user' && item.messageId === messageId)
