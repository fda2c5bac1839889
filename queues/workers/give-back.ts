// Leases that a call which failed may have left behind. Their process lives, so nobody takes them: they are given back as soon as Redis answers.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'

/** Gives back, now or later, whatever lease the owner may have in the conversation. It takes none any more. */
export type GiveBack = (conversation: ConversationId, owner: string) => void

const againAfterMs = 1000
/** Beyond that a lease is left to run out. */
const mostOwed = 10_000
const atOnce = 100

/** `stop` tries once more, for as long as `graceMs`. */
export function createGiveBack(kernel: Pick<Kernel, 'disown'>): {
  readonly giveBack: GiveBack
  stop(graceMs: number): Promise<void>
} {
  const owed = new Map<string, ConversationId>()
  let paying: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  /** Whether it is over: given back, or never will be. */
  const payOne = ([owner, conversation]: readonly [string, ConversationId]): Promise<boolean> =>
    kernel.disown(conversation, owner).then(
      () => true,
      (error: unknown) => !(error instanceof BotError) || error.retry === 'never',
    )
  async function pay(): Promise<void> {
    while (owed.size > 0) {
      const page = [...owed].slice(0, atOnce)
      const isOver = await Promise.all(page.map(payOne))
      for (const [i, [owner]] of page.entries()) if (isOver[i]) owed.delete(owner)
      if (isOver.includes(false)) return
    }
  }
  const start = (): void => {
    timer = undefined
    paying ??= pay().finally(() => {
      paying = undefined
      if (owed.size > 0) arm()
    })
  }
  const arm = (): void => {
    if (isStopped) return
    timer ??= setTimeout(start, againAfterMs)
    timer.unref()
  }
  return {
    giveBack(conversation, owner) {
      if (owed.size < mostOwed) owed.set(owner, conversation)
      arm()
    },
    async stop(graceMs) {
      isStopped = true
      clearTimeout(timer)
      start()
      let late: NodeJS.Timeout | undefined
      await Promise.race([paying, new Promise((resolve) => (late = setTimeout(resolve, graceMs)))])
      clearTimeout(late)
    },
  }
}
