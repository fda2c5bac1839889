// A tool the model may call. Its effect says what rights it needs; its crash rule says what a restarted worker does with it.
import type { PrincipalId, ConversationId } from '#shared/chat/conversation.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Source } from './source.ts'

export type ToolEffect = 'read' | 'write-local' | 'write' | 'ask'
export type OnCrash = 'rerun' | 'rerun-with-key' | 'ask'

/** `S` is the slice of the feature that brings the tool. */
export type ToolContext<S = unknown> = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  readonly language: Language
  /** Platform ids of the messages that the turn is about: what is kept of them goes with them. */
  readonly about: readonly string[]
  /** The same for every run of the same call; a tool that honours it has its effect once. */
  readonly idempotencyKey: string
  readonly slice: S
  /** The person's own time zone, as `Intl` knows it, where it is known; else `askForZone` asks. */
  zone(): Promise<string | undefined>
}

export type ToolResult<C = unknown> = {
  /** What the model reads. */
  readonly text: string
  readonly source: Source
  /** Carried out in the unit that journals the result. */
  readonly effects?: readonly StepEffect<C>[]
  /** Ends the turn with this step: an answer to what it asked begins another. */
  readonly ends?: 'suspended'
}

/** What a call would carry to somebody outside: an address that is opened, words that are looked for. */
export type Sends = { readonly url?: string; readonly query?: string }

/** `S` and `C` are the slice of the feature that brings it, and a change of that. */
export type Tool<S = unknown, C = unknown> = {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, as shown to the model. */
  readonly parameters: Record<string, unknown>
  readonly effect: ToolEffect
  readonly onCrash: OnCrash
  /**
   * What this call would send out, for the gateway to judge before it is made: a sink is any request whose bytes the model chose. `input` is
   * parsed JSON, unchecked; of one that `run` would refuse it may say nothing. Pure, and never throws. A tool without it reaches nobody outside.
   */
  sends?(input: unknown): Sends
  /** Throwing is a tool failure that the model reads. `input` is parsed JSON, unchecked. */
  run(input: unknown, context: ToolContext<S>, signal: AbortSignal): Promise<ToolResult<C>>
}
