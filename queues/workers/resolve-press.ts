// A press with the rights of the one who presses, which are looked at before it can win: the bot's owners and, where the platform says so, a
// chat's administrators may press what they were not asked themselves. Who is refused is told for the record.
import { toChat, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { AccessList } from '#queues/fleet/access.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'

export type PressDeps = {
  readonly kernel: Pick<Kernel, 'resolve'>
  readonly access: Pick<AccessList, 'find'>
  /** Gets each press that is refused: of somebody else's button, from another chat, or of a button that is none. */
  readonly onRefused: (refused: RefusedPress) => void
}

export type RefusedPress = {
  readonly outcome: 'FORBIDDEN' | 'UNKNOWN'
  readonly question: string
  readonly actor: PrincipalId
  readonly chat: ConversationId
}

/** As the kernel's `resolve`, with `asAdmin` found out, and FORBIDDEN to who may not talk to the bot. */
export function createResolve({ kernel, access, onRefused }: PressDeps): Kernel['resolve'] {
  const resolve: Kernel['resolve'] = async (press) => {
    const { event, actor, chat } = press
    const { owner, person, chat: isAdmitted } = await access.find(actor, toChat(chat), event.server)
    // Access may have been taken back since the button was shown. Nothing that won is looked at again.
    if (!owner && !person && !isAdmitted) return { kind: 'FORBIDDEN' }
    const isAdmin = press.asAdmin === true || event.senderIsAdmin === true
    return await kernel.resolve({ ...press, asAdmin: owner || isAdmin })
  }
  return async (press) => {
    const result = await resolve(press)
    const { question, actor, chat } = press
    if (result.kind === 'FORBIDDEN' || result.kind === 'UNKNOWN')
      onRefused({ outcome: result.kind, question, actor, chat })
    return result
  }
}
