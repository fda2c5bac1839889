// What a feature adds to the prompt of a turn.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Depth } from '#shared/chat/decision.ts'
import type { Language } from '#shared/chat/message.ts'
import type { People } from '#shared/chat/people.ts'
import type { Source } from '#shared/model/source.ts'
import type { Taint } from '#shared/model/taint.ts'
import type { CameOf } from './came-of.ts'
import type { Retold } from './kept.ts'

/**
 * Asked once, as the turn begins; one of the `prefix` once a session. What comes too late is left out, and what is longer than its budget is cut in the
 * middle.
 */
export type ContextPart<S = unknown> = {
  readonly name: string
  /** Whose words they are, but for what is retold or says it itself. */
  readonly source: 'own' | 'others'
  readonly maxTokens: number
  readonly withinMs: number
  /** Where there is too little room for all, the higher number goes first; 0 when left out. */
  readonly priority?: number
  /**
   * `tail`, when left out: at the end of the prompt, with what changes. `prefix`: behind the instructions, the same for as long as the session goes, so
   * that endpoints keep it in their cache.
   */
  readonly place?: 'prefix' | 'tail'
  /** Whether its slice leaves anything to be given; each turn asks this first, most get no further. */
  applies?(slice: S): boolean
  give(turn: ContextTurn<S>, signal: AbortSignal): Promise<Given | undefined>
}
export type ContextTurn<S = unknown> = {
  readonly conversation: ConversationId
  /**
   * Whom the turn serves, and who pays for it: words of others are given to them only where they may see them. For the prefix of a group it is the chat
   * itself, since that stays for all who ask later.
   */
  readonly principal: PrincipalId
  /** Others read the answer. */
  readonly group: boolean
  /** Who is known to be there, by shown name; none in a direct chat. */
  readonly people: People
  readonly language: Language
  /** The session's id: what it was given before in the same one stands in its history. */
  readonly session: string
  /** As many tokens of the text are shown at most. */
  readonly budgetTokens: number
  readonly slice: S
  readonly asked: string
  readonly depth: Depth
  /** Whether the prompt has what was said in this message, of the conversation, word for word. */
  holds(messageId: string): boolean
}
/** A text, and in a few words why it is there. */
export type Given = {
  readonly text: string | Retold
  readonly reason: string
  /** Whose words this text is, where it is not what its part says. */
  readonly source?: Source
  /** What others wrote that it was made of. */
  readonly taint?: Taint
  /**
   * What it was made of: when one of these messages is forgotten, in whatever conversation, the answers, cards and records of the turn that it was given
   * to go, too. The newest hundred count.
   */
  readonly about?: readonly CameOf[]
}
