// Questions and timers on Redis: who wins, and what is due.
import { toChat, type ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { Kernel, ResolveResult } from '#queues/kernel/kernel.ts'
import { partitionPrefix } from '#queues/partition.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'
import { fromStoredQuestion } from './stored-question.ts'

/** `park` takes a conversation with corrupt keys out of service. */
export function createRedisQuestions(
  call: CallUnit,
  park: (conversation: ConversationId, reason: string) => Promise<unknown>,
): Pick<Kernel, 'resolve' | 'fire'> {
  return {
    async resolve({ question, actor, chat, choice, asAdmin, event }): Promise<ResolveResult> {
      const partition = Number(/^p(\d\d)-/.exec(question)?.[1] ?? '99')
      if (partition > 63) return { kind: 'UNKNOWN' }
      const pressed = JSON.stringify({ ...event, payload: undefined })
      const args = ['', question, actor, toChat(chat), choice, pressed, event.id, asAdmin ? '1' : '0']
      const [kind, first, second, third] = list(await call('resolve', partitionPrefix(partition), args))
      if (kind === 'WON')
        return { kind, question: fromStoredQuestion(text(first), text(second)), conversation: text(third) }
      if (kind === 'CORRUPT') await park(text(first), text(second))
      if (kind === 'ALREADY') return { kind, by: text(first), choice: text(second) }
      if (kind === 'NEWER') throw new BotError('store-newer', `Only a newer release can read the question ${question}.`)
      return { kind: kind === 'FORBIDDEN' ? 'FORBIDDEN' : 'UNKNOWN' }
    },

    async fire(partition) {
      const [due, strange, letters, ...found] = list(await call('fire', partitionPrefix(partition), ['']))
      const conversations = new Set<ConversationId>()
      for (const [conversation, corrupt] of groups(found, 2)) {
        if (text(corrupt)) await park(text(conversation), text(corrupt))
        else conversations.add(text(conversation))
      }
      return {
        due: integer(due),
        strange: integer(strange),
        letters: integer(letters) === 1,
        conversations: [...conversations],
      }
    },
  }
}
