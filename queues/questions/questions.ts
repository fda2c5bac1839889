// Questions with buttons and timers as the kernel keeps them: who wins, and what is due.
import type { Address } from '#shared/chat/address.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Press } from '#shared/chat/event.ts'
import type { AskedCard, Question } from '#shared/run/question.ts'

/** `isAll`: no other question is asked there. */
export type AskedCards = { readonly cards: readonly AskedCard[]; readonly isAll: boolean }

/** `task`: the task of the conversation that asked it, whose mailbox has the answer, or is told of the end. */
type Place = { readonly conversation: ConversationId; readonly task?: Address }

export type ResolveResult =
  | ({ readonly kind: 'WON'; readonly question: Question } & Place)
  | { readonly kind: 'ALREADY'; readonly by: string; readonly choice: string }
  /** Who was asked has said something since that the bot has not read: the question has ended, and its conversation is told by an event. */
  | ({ readonly kind: 'STALE' } & Place)
  | { readonly kind: 'FORBIDDEN' | 'UNKNOWN' }

/** `strange`: timers of what is no conversation, which are gone. */
export type Fired = {
  readonly due: number
  readonly strange: number
  /** Whether letters of the partition are to be carried. */
  readonly letters: boolean
  /** Those that have an event now, each once. */
  readonly conversations: readonly Address[]
}

export type Questions = {
  /** The questions whose cards are asked by these messages; and, where they are few, all that are asked in the conversation. */
  findCards(conversation: ConversationId, messages: readonly string[]): Promise<AskedCards>
  /**
   * One winner per question; the winner's answer enters the home conversation's mailbox. `chat` is `channel:chat` of the press,
   * `asAdmin` whether the actor has an administrator's rights there. A stop acts at once, on the turn of whom it was made for. Throws
   * BotError `store-newer` for a question that only a newer release can read; nothing has changed then.
   */
  resolve(input: {
    question: string
    actor: PrincipalId
    chat: string
    choice: string
    asAdmin?: boolean
    event: Press
  }): Promise<ResolveResult>
  /**
   * Puts the events of due timers into their mailboxes, however full these are, and ends the questions whose deadline has passed; a hundred
   * at most. `due`: how many there were. A conversation whose keys are corrupt is parked, and its timers wait. With `holdsBack` all wait, and
   * it only says whether letters are due.
   */
  fire(partition: number, holdsBack?: boolean): Promise<Fired>
}
