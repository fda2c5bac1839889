// What web and console conversations show: items by position, and what takes them away.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent, DeleteEvent } from '#shared/chat/event.ts'
import type { OutBody } from '#shared/run/out-row.ts'

/** An item of a web or console conversation: its id counts from 1, `at` is when it came in, ms in Redis time. */
export type OutItem = { readonly id: string; readonly at: number } & (
  | { readonly role: 'person'; readonly event: ChatEvent }
  | { readonly role: 'bot'; readonly body: OutBody }
)

export type Shown = {
  /** What a web or console conversation shows, oldest first, after the item with id `after` (`0` for all). */
  readOut(conversation: ConversationId, after: string, limit: number): Promise<readonly OutItem[]>
  /** The last items before the one with id `before` (`0`: the newest there are), oldest first. */
  readOutBefore(conversation: ConversationId, before: string, limit: number): Promise<readonly OutItem[]>
  /**
   * Removes all that is kept of a web or console conversation: what was said, what waits, what the bot remembers, and the questions that
   * what it shows has buttons of. A turn at work there can write nothing more; what comes later begins it anew. For 48 h nothing that was
   * taken before comes again. Returns when it was erased, ms in Redis time: with it, that one is given again, unless it is known.
   */
  erase(conversation: ConversationId, atMs?: number): Promise<number>
  /**
   * Before a step that forgets messages: what the items of web and console at these positions said goes, with their buttons' questions, and
   * `event` stands there instead, and comes once more for who reads them already. What the run keeps beside its state of the message goes too.
   */
  forget(event: DeleteEvent, positions: readonly string[]): Promise<void>
}
