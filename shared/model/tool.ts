// A tool the model may call. Its effect says what rights it needs; its crash rule says what a restarted worker does with it.
import type { PrincipalId, ConversationId } from '#shared/chat/conversation.ts'

export type ToolEffect = 'read' | 'write-local' | 'write' | 'ask'
export type OnCrash = 'rerun' | 'rerun-with-key' | 'ask'

export type ToolContext = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  /** The same for every run of the same call; a tool that honours it has its effect once. */
  readonly idempotencyKey: string
}

export type Tool = {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, as shown to the model. */
  readonly parameters: Record<string, unknown>
  readonly effect: ToolEffect
  readonly onCrash: OnCrash
  /** Returns what the model reads. Throwing is a tool failure the model reads as well. `input` is parsed JSON, unchecked. */
  run(input: unknown, context: ToolContext, signal: AbortSignal): Promise<string>
}
