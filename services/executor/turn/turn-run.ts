// A turn while it runs: its journal as far as it is known to be stored, what is written of its answer, and what interrupts it.
import type { ToolDefinition } from '#shared/feature/find-tools.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import type { TurnFailure } from '#shared/model/model-port.ts'
import { joinCaused, type Append, type Caused } from '#shared/run/step.ts'
import type { TurnLimits } from '#shared/run/turn-limits.ts'
import type { Prompt, PromptInput } from '#services/executor/context/prompt.ts'
import type { TurnFacts } from '#services/executor/context/turn-facts.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import type { GrowingText } from './growing-text.ts'
import type { Interruption } from './next-move.ts'
import type { OpenTurn, TurnStart } from '#services/executor/run/open-turn.ts'
import type { HandedOver } from '#shared/feature/plan-taker.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

/** How a turn came to its end. */
export type End = {
  readonly kind: 'end'
  readonly ending: TurnEnding
  /** The last step's entries, not yet journaled. */
  readonly entries?: readonly JournalEntry[]
  readonly failure?: TurnFailure
  /** The command by which an owner raises the budget that is used up. */
  readonly raise?: string | undefined
  /** A feature goes on with what is to be done. */
  readonly handed?: HandedOver
}
/** What a move leads to beyond its step; undefined when the turn simply goes on. */
export type Outcome = End | { readonly kind: 'leave' } | undefined

/** What a turn begins with that is not stored yet. */
export type Unsaved = Caused & Pick<Append, 'entries' | 'snapshot' | 'parts' | 'rest' | 'forgets' | 'artifacts'>

/** What a loop of model and tools works with. */
export type Engine = {
  /** All that may be called now. */
  tools(): readonly Tool[]
  /** What the session shows of them, the same for as long as it goes. */
  shown(): readonly ToolDefinition[]
  /** Those of them that each prompt shows of a model with such a window, tokens. */
  offered(windowTokens: number): readonly ToolDefinition[]
  readonly limits: TurnLimits
  assemble(input: PromptInput): Prompt
}

export type TurnRun = {
  readonly deps: ExecutorDeps
  readonly claim: Claim
  readonly start: TurnStart
  /** The turn as of its last stored step. */
  turn(): OpenTurn
  /** What is told of it, as of its last stored step. */
  facts(): TurnFacts
  readonly engine: Engine
  /** Of a turn just begun, what its first step stores besides its own. */
  unsaved(): Unsaved
  /** Asks the features for their parts of the prompt, as a turn just begun; a stop ends the asking. */
  gather(): Promise<void>
  /** Stores a step, and the state if it changes that, unless the turn was stopped; then, and when the lease is gone, says what that leads to. */
  save(step: Append, state?: ConversationState): Promise<Outcome>
  /** What each entry begins with. */
  stamp(): Pick<JournalEntry, 'v' | 'at' | 'turn'>
  readonly growing: GrowingText
  /** Keeps of a prompt that the model is asked with what is told of it later. */
  noticePrompt(prompt: Prompt): void
  /** Whether a message was too long and is known to the model in part. */
  isCut(): boolean
  /** What the last prompt of this process held. */
  held(): Prompt['held'] | undefined
  /** Aborts when something interrupts the turn. */
  readonly interrupted: AbortSignal
  interruption(): Interruption | undefined
  close(): void
}

/** A turn's first step, with what the turn began with. */
export function withUnsaved(step: Append, { entries, forgets = [], ...begun }: Unsaved): Append {
  return {
    ...begun,
    ...step,
    ...(begun.parts || step.parts ? { parts: { ...begun.parts, ...step.parts } } : {}),
    entries: [...entries, ...step.entries],
    ...joinCaused(begun, step),
    forgets: [...forgets, ...(step.forgets ?? [])],
  }
}
