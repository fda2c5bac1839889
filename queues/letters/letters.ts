// What the kernel does with letters once a step has written them: any process carries them, as often as it likes, and each is received once.
//
// Life of a letter:  written (with a step, in its writer's partition) -received-> in the mailbox of the conversation that it is for
//                    -acknowledged-> gone from its writer's partition. It may be received again until then, which changes nothing.
import type { ConversationId } from '#shared/chat/conversation.ts'

/** As it is carried: nobody reads what it says on the way. */
export type CarriedLetter = {
  readonly to: ConversationId
  /** Greater than that of each letter written before in its partition: the time of writing, in microseconds, or more. */
  readonly number: number
  readonly id: string
  /** The event that it becomes, without its time, as JSON. */
  readonly says: string
}

/** Where letters come from: the partition, and when it gave them out. */
export type Origin = { readonly partition: number; readonly atMs: number }

/** `more`: others are due too. `strange`: of how many conversations the letters cannot be read; they wait. */
export type GivenOut = {
  /** When, in Redis' time. */
  readonly atMs: number
  readonly more: boolean
  readonly strange: number
  readonly letters: readonly CarriedLetter[]
}

/** `has`: how many of the letters are there now, from the first on, `isNew` when some were not before. */
export type Received = {
  readonly has: number
  readonly isNew: boolean
  /**
   * Why the others are not: a thousand events, or 8 MB, wait in the mailbox already, of a conversation in service or of one that is parked; or
   * they were given out more than a day ago, and may have been received by a conversation that was put away since.
   */
  readonly refused?: 'full' | 'parked' | 'stale'
}

export type Letters = {
  /** Letters of a partition that are due, to each conversation the first ones in the order of writing; a hundred at most. */
  giveOut(partition: number): Promise<GivenOut>
  /**
   * Puts letters of one partition into the mailbox of the conversation that they are for, in this order: those that are not there already.
   * Throws BotError `store-corrupt` when its keys are, and parks it. `agoMs`: they were received so long ago, and are given again: none
   * comes into a conversation that was erased since.
   */
  receive(to: ConversationId, from: Origin, letters: readonly CarriedLetter[], agoMs?: number): Promise<Received>
  /** The conversation has these letters, the first ones to it in the partition; others to it are not due for `putOffMs`. */
  acknowledge(
    partition: number,
    to: ConversationId,
    letters: readonly Pick<CarriedLetter, 'id'>[],
    putOffMs: number,
  ): Promise<void>
}
