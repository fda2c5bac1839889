// What a feature says before an answer of the model, to people alone: neither drafts nor history, records or whoever works on the answer have it.
import type { MessageType } from '#shared/chat/decision.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Refused } from '#shared/run/approval.ts'

export type Marks<S = unknown> = {
  /** The text without such marks, wherever the model wrote them itself; of one that still grows, also without one that is only begun. Pure. */
  without(text: string): string
  /** The mark, and nothing where the answer needs none. The first feature that has one is taken. Pure. */
  of(answered: Answered<S>): string | undefined
}

/** An answer of the model that came to its end. */
export type Answered<S = unknown> = Worked & {
  readonly slice: S
  readonly language: Language
  readonly type: MessageType
  /** What people asked: where the answer before is rewritten or gone on with, the question of that one. */
  readonly asked: string
  readonly text: string
  /** What the person said before in this session, oldest first; nothing of a group. */
  readonly told: readonly string[]
}

export type Worked = {
  /** The tools that were called, in order. `unmade`: the turn ended before the call was begun; `refused`: it was not made, and why. */
  readonly tools: readonly {
    readonly name: string
    readonly ok: boolean
    readonly unmade?: true
    readonly refused?: Refused
  }[]
  /** What it does with the answer before it. */
  readonly last: 'rewrite' | 'continue' | undefined
}
