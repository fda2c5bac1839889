// What the router said of an event. The executor acts on it; it never classifies again.
import { z } from 'zod'
import { feedback } from '#shared/run/feedback.ts'
import { slashCommand, type AnswerEvent } from './event.ts'

export const depths = ['light', 'standard', 'deep'] as const
export type Depth = (typeof depths)[number]
export const messageTypes = ['social', 'command', 'meta', 'query', 'task'] as const
export type MessageType = (typeof messageTypes)[number]

/** How a text was classified. `rule` names the rule that decided (for example `social.whole`, `explicit.detailed`). */
export const classification = z.object({
  type: z.enum(messageTypes),
  depth: z.enum(depths),
  complex: z.boolean(),
  rule: z.string(),
  confidence: z.enum(['high', 'medium', 'low']),
  /** It tells something: it is no question, no request and no mere courtesy, so it may be the answer to a question of ours. */
  tells: z.literal(true).exactOptional(),
})
export type Classification = z.infer<typeof classification>

/**
 * `ignore`: does not concern the bot, but that it may be `feedback` on the answer in the message `on`. `refuse`: the sender may not talk to it (`reason` says why).
 * `command`: a slash command. `ack`: a courtesy, acknowledged without a model. `turn`: work for the agent loop.
 * `apply`: an edit, deletion, answer, join or leave, applied by the executor without a turn.
 */
export const decision = z.discriminatedUnion('act', [
  z.object({
    v: z.literal(1),
    act: z.literal('ignore'),
    rule: z.string(),
    on: z.string().optional(),
    feedback: feedback.optional(),
  }),
  z.object({
    v: z.literal(1),
    act: z.literal('refuse'),
    rule: z.string(),
    reason: z.enum(['stranger', 'chat-not-admitted']),
  }),
  z.object({
    v: z.literal(1),
    act: z.literal('command'),
    rule: z.string(),
    command: slashCommand,
    /** It only tells something: what is said behind it may still be the next thing that is said to a question. */
    aside: z.literal(true).exactOptional(),
  }),
  z.object({ v: z.literal(1), act: z.literal('ack'), rule: z.string(), class: classification }),
  z.object({ v: z.literal(1), act: z.literal('turn'), rule: z.string(), class: classification }),
  /** An edit carries what its new text is. */
  z.object({ v: z.literal(1), act: z.literal('apply'), rule: z.string(), class: classification.optional() }),
])
export type Decision = z.infer<typeof decision>

/**
 * What was said is an answer, if it still can be when it is routed: then `answer` stands in the place of its event. Else `otherwise` holds.
 * It is never stored.
 */
export type SaidAnswer = {
  readonly act: 'answer'
  readonly rule: string
  /** Of `messages` it names what was said, and of the question only its id and kind: the rest comes from there. */
  readonly answer: AnswerEvent
  /** Whether its person has an administrator's rights here. */
  readonly asAdmin: boolean
  readonly otherwise: Decision
}
/** What the router says of an event. */
export type Ruling = Decision | SaidAnswer
