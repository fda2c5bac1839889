// What a feature is told of the plan with which the model begins its answer, so that it may take the work over before anything of it is done.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from './effect.ts'
import type { Keep } from './kept.ts'

export type FoundPlan<S = unknown> = {
  readonly slice: S
  readonly principal: PrincipalId
  readonly language: Language
  /** Keeps words of the messages that ask for it. */
  readonly keep: Keep
  /** The platform's group of chats that it was asked in, where there is one. */
  readonly server?: ConversationId | undefined
  /** Others read what is said where it was asked. */
  readonly group: boolean
  /** What people ask, as they wrote it. */
  readonly asked: string
  /** Two or more, in order, as the model wrote them, without their numbers; at most 8,000 characters in all. */
  readonly steps: readonly string[]
  /** The answer calls tools; else it is the plan alone. */
  readonly calls: boolean
}

export type TakenOver<C = unknown> = {
  /** What people read in the place of an answer. */
  readonly says: string
  readonly effects: readonly StepEffect<C>[]
}

/** By the feature of this name. */
export type HandedOver = TakenOver & { readonly feature: string }

export type PlanTaker<S = unknown, C = unknown> = {
  /** The tool of the feature that does the same when the model calls it: it may be used by whom the turn serves, or the feature is not asked. */
  readonly tool: string
  /** Undefined where the work stays with the turn. */
  take(found: FoundPlan<S>): TakenOver<C> | undefined
}
