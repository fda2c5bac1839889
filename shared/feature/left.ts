// What a turn leaves to those who are told of its end: how it ended, what waits for a person, what failed, and what nobody knows.
import type { TurnFailure } from '#shared/model/model-port.ts'
import type { AwaitedCall, HumanResponse, UnsureCall } from '#shared/run/approval.ts'
import type { TurnEnding } from '#shared/run/journal.ts'
import type { Worked } from './marks.ts'

/** A call as people are told of it: what it would have done, where its tool says that, and the first line of why it failed; perhaps words of others. */
export type FailedCall = { readonly name: string; readonly what?: string; readonly reason: string }

/**
 * A call as who looks at a turn is told of it. `head`: the first line of what it came to, at most 160 characters and perhaps words of others; `ms`: how long it
 * took. Both are left out where it has not ended, and `head` where a private answer may stand in it.
 */
export type CallLine = Worked['tools'][number] & { readonly head?: string; readonly ms?: number }

/**
 * A call that changed something outside, or may have: in one line, where its tool says that; the call that takes it back; and, where its tool honours keys, what makes
 * it again without doing it twice; of one that honours none, and may have taken effect, by which call a person is asked first (`asks`). Words of the model.
 */
export type OutsideWrite = {
  readonly name: string
  readonly what?: string
  readonly isSure: boolean
  readonly undo?: { readonly name: string; readonly arguments: string }
  /** As JSON, as the model wrote them, and the key that it had. */
  readonly again?: { readonly arguments: string; readonly key: string; readonly asks?: true }
}

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
  /** What it changed outside, in order; at most fifty. */
  readonly writes: readonly OutsideWrite[]
  /** The newest call that failed and was not made good; none where a private answer may stand in it. */
  readonly failed?: FailedCall
}
