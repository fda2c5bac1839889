// A chat's part in the send budget for what goes past its outbox: a question about the chat, the buttons of a card that is dead.
import { randomUUID } from 'node:crypto'
import type { SendBudget, SendLimits } from '#queues/fleet/send-budget.ts'

export type ChatBudget = {
  /** Whether Telegram takes requests for this chat now. */
  isOpen(chat: number): Promise<boolean>
  /** Makes an edit that nobody would miss, where there is room for it; then it counts. */
  edit<T>(chat: number, make: () => Promise<T>): Promise<T | undefined>
  /** Telegram asked for a pause. */
  pause(chat: number, ms: number): Promise<void>
}

export function createChatBudget(budget: SendBudget, limitsOf: (chat: number) => Promise<SendLimits>): ChatBudget {
  return {
    isOpen: async (chat) => await budget.isOpen(await limitsOf(chat)),
    async edit(chat, make) {
      const limits = await limitsOf(chat)
      const asked = { kind: 'edit', id: randomUUID() } as const
      if ((await budget.acquireCosmetic(limits, asked)) > 0) return undefined
      try {
        return await make()
      } finally {
        budget.ended(limits, asked)
      }
    },
    pause: async (chat, ms) => await budget.pause(await limitsOf(chat), 'chat', ms),
  }
}
