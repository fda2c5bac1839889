// Questions and timers on Redis: who wins, and what is due.
import { homeOf, isTask, type Address } from '#shared/chat/address.ts'
import { toChat, type ConversationId } from '#shared/chat/conversation.ts'
import { BotError, isNewer } from '#shared/errors.ts'
import type { AskedCard } from '#shared/run/question.ts'
import type { Questions, ResolveResult } from './questions.ts'
import { partitionPrefix } from '#queues/partition.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import type { CallOf, CallUnit } from '#queues/units.ts'
import { fromStoredQuestion, toAskedCard } from './stored-question.ts'

/** `park` takes a conversation with corrupt keys out of service. */
export function createRedisQuestions(
  call: CallUnit,
  callOf: CallOf,
  park: (conversation: ConversationId, reason: string) => Promise<unknown>,
): Questions {
  return {
    async resolve({ question, actor, chat, choice, asAdmin, event }): Promise<ResolveResult> {
      const partition = Number(/^p(\d\d)-/.exec(question)?.[1] ?? '99')
      if (partition > 63) return { kind: 'UNKNOWN' }
      const args = ['', question, actor, toChat(chat), choice, JSON.stringify(event), event.id, asAdmin ? '1' : '0']
      const [kind, first, second, third] = list(await call('resolve', partitionPrefix(partition), args))
      if (kind === 'WON')
        return { kind, question: fromStoredQuestion(text(first), text(second)), ...toPlace(text(third)) }
      if (kind === 'CORRUPT') await park(text(first), text(second))
      if (kind === 'ALREADY') return { kind, by: text(first), choice: text(second) }
      if (kind === 'NEWER') throw new BotError('store-newer', `Only a newer release can read the question ${question}.`)
      if (kind === 'STALE') return { kind, ...toPlace(text(first)) }
      return { kind: kind === 'FORBIDDEN' ? kind : 'UNKNOWN' }
    },

    findCards: (conversation, messages) =>
      callOf('cards', conversation, messages, ([all, ...flat]) => {
        const found = groups(flat, 7).map((one) => toCard(one.map(text), messages))
        const cards = found.flatMap((card) => card ?? [])
        return { cards, isAll: integer(all) === 1 && cards.length === found.length }
      }),

    async fire(partition, holdsBack = false) {
      const [due, strange, letters, ...found] = list(
        await call('fire', partitionPrefix(partition), ['', holdsBack ? '1' : '']),
      )
      const conversations = new Set<Address>()
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

const toPlace = (asked: Address): { conversation: ConversationId; task?: Address } => ({
  conversation: homeOf(asked),
  ...(isTask(asked) ? { task: asked } : {}),
})

/** Undefined for one that only a newer release can read, unless a message is in reply to it: then it throws. */
function toCard(
  [, card = '', receipt = '', after = '', askedAt = '0', record = '', labels = '']: readonly string[],
  messages: readonly string[],
): AskedCard | undefined {
  try {
    return {
      ...toAskedCard(record, labels),
      ...(card ? { card } : {}),
      ...(receipt ? { receipt } : {}),
      afterSeq: Number(after),
      askedAtMs: Number(askedAt),
    }
  } catch (error) {
    if (!isNewer(error) || messages.includes(card)) throw error
    return undefined
  }
}
