// Leases that a call which failed may have left behind. Their process lives, so nobody takes them: they are given back as soon as Redis answers.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'

/** Gives back, now or later, whatever lease the owner may have in the conversation. It takes none any more. */
export type GiveBack = (conversation: ConversationId, owner: string) => void

const everyMs = 1000
/** Beyond that a lease is left to run out. */
const mostOwed = 10_000
const atOnce = 100

/** `stop` tries once more, at once. */
export function createGiveBack(kernel: Pick<Kernel, 'disown'>): { readonly giveBack: GiveBack; stop(): Promise<void> } {
  const owed = new Map<string, ConversationId>()
  let timer: NodeJS.Timeout | undefined
  const pay = async (): Promise<void> => {
    timer = undefined
    const now = [...owed].slice(0, atOnce)
    await Promise.all(
      now.map(async ([owner, conversation]) => {
        const isPaid = await kernel.disown(conversation, owner).then(
          () => true,
          () => false,
        )
        if (isPaid) owed.delete(owner)
      }),
    )
    if (owed.size > 0) arm()
  }
  const arm = (): void => {
    timer ??= setTimeout(() => void pay(), everyMs)
  }
  return {
    giveBack(conversation, owner) {
      if (owed.size < mostOwed) owed.set(owner, conversation)
      arm()
    },
    async stop() {
      clearTimeout(timer)
      if (owed.size > 0) await pay()
      clearTimeout(timer)
    },
  }
}
