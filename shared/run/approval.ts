// What a turn and a person tell each other across a question: calls that wait for approval or that may have been made, and the answer that
// begins the next turn.
import { z } from 'zod'
import { principalId, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { Taint } from '#shared/model/taint.ts'

/**
 * Why a call waits for a person: others wrote what the model had read, its person has no right to the tool, it destroys something, or its worker was
 * lost while it was made, so that nobody knows whether it took effect.
 */
export const awaits = ['tainted', 'no-right', 'destructive', 'lost'] as const
export type Awaits = (typeof awaits)[number]
/** Of a call that was not made yet. */
export type AwaitsFirst = Exclude<Awaits, 'lost'>

/** A call that is not made, or not a second time, until a person approves it. */
export type AwaitedCall = {
  /** The model's. */
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it. */
  readonly arguments: string
  /** The tool's idempotency key of this call: the same when it is made once approved. */
  readonly key: string
  readonly why: Awaits
  readonly taint: Taint
}

/**
 * Why a call was not made, as people are told: somebody has just denied the very same, people were asked too often, or the rules do not allow it
 * here. `againInMs`: after that it may be wished for again, where time alone stands in its way.
 */
export const refused = z.object({
  why: z.enum(['denied', 'too-often', 'rules']),
  againInMs: z.number().positive().exactOptional(),
})
export type Refused = z.infer<typeof refused>
/** `text`: in words that the model reads. */
export type Refusal = Refused & { readonly text: string }

/** A call that somebody is to be asked about, and those of the same answer that wait already. */
export type ApprovalWish = {
  readonly call: AwaitedCall
  readonly waiting: readonly AwaitedCall[]
  readonly conversation: ConversationId
  readonly principal: PrincipalId
}

/** A call as a person approved it; `by` is who pressed. */
export const approvedCall = z.object({ name: z.string(), arguments: z.string(), key: z.string(), by: principalId })
export type ApprovedCall = z.infer<typeof approvedCall>

/** A call of which nobody knows whether it took effect: made again as it was, it has the idempotency key that it had. */
export const unsureCall = z.object({ name: z.string(), arguments: z.string(), key: z.string() })
export type UnsureCall = z.infer<typeof unsureCall>
/** Of one turn, and characters of the arguments of each. */
export const mostUnsure = { calls: 8, chars: 8000 } as const

/** What a turn is told of the question whose answer begins it: what was asked, and the task that waited for it. */
export const humanResponse = z.object({
  question: z.string().max(64),
  asked: z.string().max(1000),
  task: z.string().max(1000),
})
export type HumanResponse = z.infer<typeof humanResponse>
