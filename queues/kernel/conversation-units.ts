// Units of one conversation, as the kernel calls them. A conversation found corrupt is parked, the others go on.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { list, text } from '#queues/reply.ts'
import type { CallOf, CallUnit } from '#queues/units.ts'
import { isCorrupt } from './when-corrupt.ts'

export const toPrefix = (conversation: ConversationId): string => partitionPrefix(toPartition(conversation))

export type ConversationUnits = {
  readonly call: CallUnit
  /** Calls a unit and reads its answer. Corruption, found by either, parks the conversation before it is thrown. */
  readonly unit: CallOf
  /** Returns the reason, which the unit makes more exact where it can. */
  park(conversation: ConversationId, reason: string): Promise<string>
  /** Gives back what an owner holds of a broken conversation, as far as it goes. */
  disownBroken(conversation: ConversationId, owner: string): Promise<unknown>
}

export function createConversationUnits(call: CallUnit): ConversationUnits {
  const park = async (conversation: ConversationId, reason: string): Promise<string> =>
    text(await call('park', toPrefix(conversation), [conversation, reason || 'no reason given']))
  return {
    call,
    park,
    async unit(name, conversation, args, read) {
      try {
        return read(list(await call(name, toPrefix(conversation), [conversation, ...args])))
      } catch (error) {
        if (!isCorrupt(error)) throw error
        throw new BotError('store-corrupt', await park(conversation, error.message), { cause: error })
      }
    },
    disownBroken: (conversation, owner) =>
      call('disown', toPrefix(conversation), [conversation, owner]).catch(() => {}),
  }
}
