// What a feature adds to the prompt of a turn.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Depth } from '#shared/chat/decision.ts'
import type { Source } from '#shared/model/source.ts'
import type { Taint } from '#shared/model/taint.ts'
import type { Retold } from './kept.ts'

/** Asked once, as the turn begins. What comes too late is left out, what is too long is cut. */
export type ContextPart<S = unknown> = {
  readonly name: string
  /** Whose words they are, but for what is retold, which knows it itself. */
  readonly source: 'own' | 'others'
  readonly maxTokens: number
  readonly withinMs: number
  /** Whether its slice leaves anything to be given; each turn asks this first, most get no further. */
  applies?(slice: S): boolean
  give(turn: ContextTurn<S>, signal: AbortSignal): Promise<Given | undefined>
}
export type ContextTurn<S = unknown> = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  readonly slice: S
  readonly asked: string
  readonly depth: Depth
}
/** Messages that something was made of, by the ids that they have in their conversation. */
export type CameOf = { readonly conversation: ConversationId; readonly messages: readonly string[] }
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
