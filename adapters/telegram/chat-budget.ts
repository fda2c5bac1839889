// A chat's part in the send budget for what goes past its outbox: a question about the chat, the buttons of a card that is dead.
import { randomUUID } from 'node:crypto'
import type { SendBudget, SendLimits } from '#queues/fleet/send-budget.ts'

export type ChatBudget = {
  /** Whether Telegram takes requests for this chat now. */
  isOpen(chat: number): Promise<boolean>
  /** Whether there is room for an edit that nobody would miss; then it counts. */
  mayEdit(chat: number): Promise<boolean>
  /** Telegram asked for a pause. */
  pause(chat: number, ms: number): Promise<void>
}

export function createChatBudget(budget: SendBudget, limitsOf: (chat: number) => Promise<SendLimits>): ChatBudget {
  return {
    isOpen: async (chat) => await budget.isOpen(await limitsOf(chat)),
    mayEdit: async (chat) =>
      (await budget.acquireCosmetic(await limitsOf(chat), { kind: 'edit', id: randomUUID() })) === 0,
    pause: async (chat, ms) => await budget.pause(await limitsOf(chat), 'chat', ms),
  }
}
