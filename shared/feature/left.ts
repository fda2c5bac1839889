// What a turn leaves to those who are told of its end: how it ended, what waits for a person, what failed, and what nobody knows.
import type { TurnFailure } from '#shared/model/model-port.ts'
import type { AwaitedCall, HumanResponse, UnsureCall } from '#shared/run/approval.ts'
import type { TurnEnding } from '#shared/run/journal.ts'

export type Left = {
  readonly ending: TurnEnding
  /** Calls of its last step that were not made: each needs a person's approval. */
  readonly awaiting: readonly AwaitedCall[]
  /** Why the model failed, where that ended it. */
  readonly failure: TurnFailure | undefined
  /** The question whose answer it went on with. */
  readonly response: HumanResponse | undefined
  /** Calls of which nobody knows whether they took effect. */
  readonly unsure: readonly UnsureCall[]
}
