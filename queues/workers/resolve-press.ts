// A press with the rights of the one who presses: the bot's owners and, where the platform says so, a chat's administrators may press
// what they were not asked themselves. Who that is costs a look only when a press would be refused.
import { toChat } from '#shared/chat/conversation.ts'
import type { AccessList } from '#queues/fleet/access.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'

export type PressDeps = { readonly kernel: Pick<Kernel, 'resolve'>; readonly access: Pick<AccessList, 'find'> }

/** As the kernel's `resolve`, with `asAdmin` found out. */
export function createResolve({ kernel, access }: PressDeps): Kernel['resolve'] {
  return async (press) => {
    const { event, actor, chat } = press
    const asAdmin = press.asAdmin === true || (event.kind === 'answer' && event.senderIsAdmin === true)
    const result = await kernel.resolve({ ...press, asAdmin })
    if (result.kind !== 'FORBIDDEN' || asAdmin) return result
    const { owner } = await access.find(actor, toChat(chat))
    return owner ? await kernel.resolve({ ...press, asAdmin: true }) : result
  }
}
