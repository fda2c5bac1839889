// A run's journal: what was finished, in order. State is a fold of these entries; nothing in the fold reads clock, chance or configuration.
// Texts of people stay in the mailbox and the snapshot; the journal names their events by seq, so that a deletion finds every copy.
import { z } from 'zod'
import { classification } from '#shared/chat/decision.ts'
import { principalId } from '#shared/chat/conversation.ts'
import { modelRoles } from '#shared/model/model-port.ts'
import { source } from '#shared/model/source.ts'
import { taint } from '#shared/model/taint.ts'
import { approvedCall, awaits, humanResponse, unsureCall, refused } from './approval.ts'

/** Why a turn ended. `suspended`: it asked a person and waits. `limit:<name>` names the limit. */
export const turnEnding = z.union([
  z.enum(['answered', 'stopped', 'suspended', 'model-failed', 'over-budget']),
  z.templateLiteral(['limit:', z.string()]),
])
export type TurnEnding = z.infer<typeof turnEnding>

/** How a failed call is made once more: as it was, with less asked for, or by the tool that does the same. */
export const tryings = ['same', 'smaller', 'instead'] as const
export type Trying = (typeof tryings)[number]

export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
  /** What the endpoint wants back with it (`infra/models/given-back.ts`). */
  opaque: z.string().exactOptional(),
})

const base = { v: z.literal(1), at: z.number().int(), turn: z.string() }
export const journalEntry = z.discriminatedUnion('t', [
  z.object({
    ...base,
    t: z.literal('turn:start'),
    principal: principalId,
    firstSeq: z.number().int(),
    /** Seqs taken into the turn, ascending. */
    events: z.array(z.number().int()),
    class: classification,
    /** Text to work on instead of the events' own: a redo or retry. */
    given: z.string().optional(),
    /** What features look for instead of that. */
    seeks: z.string().max(2000).exactOptional(),
    /** Others read it: said where no event of its own tells that. */
    group: z.literal(true).exactOptional(),
    /** What it does with the last answer; nothing when left out. */
    last: z.enum(['rewrite', 'continue']).optional(),
    /** Platform ids of the messages whose texts it works on again. */
    about: z.array(z.string()).optional(),
    /** Whose answer it stays, when another has it rewritten. */
    asker: principalId.optional(),
    /** The clock line of the prompt, journaled so that a rebuilt prompt is the same. */
    clock: z.string(),
    /** Of what began it. */
    taint: taint.optional(),
    /** Who alone may see `given`: it was said in private. */
    for: principalId.exactOptional(),
    /** The model that was chosen for the conversation when it began; the main one when left out. */
    role: z.enum(modelRoles).optional(),
    /** The question whose answer it works on, which is `given`. */
    response: humanResponse.exactOptional(),
    /** Calls that a person approved: its first step, before the model is asked. */
    approved: z.array(approvedCall).exactOptional(),
    /** Calls of the turn that it goes on with of which nobody knows whether they took effect: made again under their keys. */
    unsure: z.array(unsureCall).exactOptional(),
  }),
  z.object({ ...base, t: z.literal('turn:join'), events: z.array(z.number().int()) }),
  z.object({
    ...base,
    t: z.literal('llm:req'),
    step: z.number().int(),
    attempt: z.number().int(),
    role: z.enum(modelRoles),
  }),
  z.object({
    ...base,
    t: z.literal('llm:fin'),
    step: z.number().int(),
    text: z.string(),
    toolCalls: z.array(toolCall),
    /** Nothing that the model answered: the calls that the turn begins with, as a person approved them. */
    approved: z.literal(true).exactOptional(),
    /** Why the model ended before it was done, if it did. */
    broke: z.enum(['length', 'filtered']).optional(),
    usage: z.object({
      promptTokens: z.number(),
      completionTokens: z.number(),
      cachedTokens: z.number().exactOptional(),
    }),
    model: z.string(),
    /** What others wrote that the model had read by then. */
    taint: taint.optional(),
  }),
  z.object({
    ...base,
    t: z.literal('tool:req'),
    step: z.number().int(),
    callId: z.string(),
    name: z.string(),
    key: z.string(),
    /** The call was made before and failed, as `since` says: how it is made now, by the tool that is named. */
    again: z.object({ how: z.enum(tryings), since: z.string() }).exactOptional(),
  }),
  z.object({
    ...base,
    t: z.literal('tool:fin'),
    step: z.number().int(),
    callId: z.string(),
    ok: z.boolean(),
    result: z.string(),
    /** Whose words the result is. */
    source,
    ends: z.literal('suspended').optional(),
    /** What people are told that the turn waits for, where that is asked elsewhere. */
    waits: z.string().exactOptional(),
    /** It was not made: a person is to approve it first, for this reason. */
    awaits: z.enum(awaits).exactOptional(),
    /** It could not be made as the model wrote it. */
    malformed: z.literal(true).optional(),
    /** It was not made, and nobody is asked about it. */
    refused: refused.exactOptional(),
    /** It was made and failed: nobody knows whether it took effect. */
    unsure: z.literal(true).exactOptional(),
    /** What others wrote that the result is made of, beside the tool itself. */
    taint: taint.optional(),
    /** Platform ids of messages whose texts are in it, beside those that the turn is about. */
    about: z.array(z.string()).optional(),
    /** The name under which it is kept whole, of a result that stands here in part. */
    artifact: z.string().optional(),
  }),
  z.object({ ...base, t: z.literal('turn:fin'), ending: turnEnding, answers: z.array(z.string()) }),
  z.object({ ...base, t: z.literal('applied'), seqs: z.array(z.number().int()), what: z.string() }),
])
export type JournalEntry = z.infer<typeof journalEntry>
