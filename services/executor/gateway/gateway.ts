// The one way to a tool: finds it, looks up the rights of the turn's principal, reads its input, judges what it would do, and runs it under a
// time limit. Every outcome has a text the model reads; nothing thrown by a tool leaves here, except an abort.
import { BotError, findAfterMs } from '#shared/errors.ts'
import { readArguments } from '#shared/model/call-arguments.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool, ToolContext } from '#shared/model/tool.ts'
import { z } from 'zod'
import { mostArtifactBytes } from '#shared/run/artifact.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { cameOf, type CameOf } from '#shared/feature/came-of.ts'
import { readRetold, type Retelling } from '#shared/feature/kept.ts'
import { source, type Source } from '#shared/model/source.ts'
import { joinTaint, taint, toTainted, type Taint } from '#shared/model/taint.ts'
import type { Awaits, AwaitsFirst, Refusal, Refused } from '#shared/run/approval.ts'
import type { Right } from '#shared/run/tool-right.ts'
import { stripMadeUp } from '#services/executor/context/made-up.ts'
import { newest, toNames } from '#services/executor/state/came-of.ts'
import { within } from '#services/executor/run/within.ts'
import type { Known } from './reach.ts'
import { judge } from './verdict.ts'

/**
 * `malformed`: it could not be called as the model wrote it. `awaits`: it was not made, or not a second time, since a person is to approve it first.
 * `refused`: it was not made, and nobody is asked about it. `failure`: it was made and failed, with the time after which the same may succeed, where the tool knows of one.
 */
export type ToolOutcome = {
  readonly ok: boolean
  /** What the model reads, whose words it is, what others wrote that it is made of, and of which messages besides those of the turn. */
  readonly text: string
  readonly source: Source
  readonly taint?: Taint | undefined
  readonly about?: readonly string[] | undefined
  /** Those of other conversations among them. */
  readonly cameOf?: readonly CameOf[]
  readonly artifact?: string | undefined
  readonly effects?: readonly StepEffect[]
  readonly ends?: 'suspended'
  readonly waits?: string
  readonly malformed?: true
  readonly awaits?: Awaits
  readonly failure?: { readonly afterMs: number | undefined }
  readonly refused?: Refused
}

export type GatewayDeps = {
  readonly tools: readonly Tool[]
  /** Why this turn may not use it, whoever it serves. */
  refuse(tool: Tool): string | undefined
  /** Rights of the turn's principal, or of who approved the call, looked up for every call. */
  findRight(tool: Tool): Promise<Right>
  /** A person approved exactly this call. */
  readonly isApproved: boolean
  /** It was made before, and failed: made again under the key that it had. */
  readonly isRepeat?: boolean
  /** How people are asked; undefined where nothing of this fleet asks them. */
  readonly approvals:
    | {
        /** Whether an owner approved such calls for good. */
        isCovered(): Promise<boolean>
        /** Whether as many calls wait for approval as one card can show. */
        isFull(): boolean
        /** Why nobody is asked about this call. */
        refuse(why: Awaits, taint: Taint): Promise<Refusal | undefined>
      }
    | undefined
  /** What stands in the prompt, and whose it is. */
  known(): Known
  /** What of it the model has read and not written. */
  read(): readonly string[]
  /** Resolves once what announced the call cannot be lost any more, where it must not be made twice. */
  announced?(): Promise<void>
  readonly timeoutMs: number
}

const graceMs = 100
/** It is journaled, so it must be one that can be read again. Its effects are read when they are carried out. */
const retelling = z.object({ text: z.string(), source, taint, about: z.array(z.string()) })
const toolResult = z.object({
  text: z
    .unknown()
    .transform((text) => readRetold(text) ?? text)
    .pipe(z.union([retelling, z.string()])),
  // Only what was kept is known to be a person's.
  source: z.enum(['own', 'others']).catch('others'),
  taint: taint.optional(),
  cameOf: z.array(cameOf).optional(),
  artifact: z.string().optional().catch(undefined),
  effects: z.custom<readonly StepEffect[]>().optional(),
  ends: z.literal('suspended').optional(),
  waits: z.string().max(1000).optional(),
})

/** What a refusal begins with; no page and no list does. */
export const notRun = (name: string): string => `"${name}" was not run:`
export const failed = (text: string): ToolOutcome => ({ ok: false, text, source: 'own' })

const refuse = (text: string, { why, againInMs }: Refused = { why: 'rules' }): ToolOutcome => ({
  ...failed(text),
  refused: { why, ...(againInMs === undefined ? {} : { againInMs }) },
})

export const malformed = (text: string): ToolOutcome => ({ ...failed(text), malformed: true })

/** Tools read their input by schemas, whose words are our own; the names of fields are the model's. */
function toMisfit(name: string, { issues }: z.ZodError): string {
  const said = issues
    .slice(0, 5)
    .map(({ path, message }) => `"${path.join('.').slice(0, 60)}": ${message.slice(0, 100)}`)
  return `The arguments of "${name}" do not fit. ${said.join('; ')}`
}

const tooMany = 'too many calls of this answer wait for approval already. Ask for it again once these are decided.'

async function toAwaiting(
  { approvals }: GatewayDeps,
  { name }: Tool,
  { why, taint: read }: { readonly why: AwaitsFirst; readonly taint: Taint },
): Promise<ToolOutcome> {
  if (!approvals) return refuse(`${notRun(name)} ${toReason(why, read)}.`)
  if (approvals.isFull()) return refuse(`${notRun(name)} ${tooMany}`)
  const refusal = await approvals.refuse(why, read)
  if (refusal !== undefined) return refuse(`${notRun(name)} ${toReason(why, read)}. ${refusal.text}`, refusal)
  const text = `${notRun(name)} a person is asked to approve it. Their answer begins the next turn; it may be that nobody answers.`
  return { ...failed(text), awaits: why, ends: 'suspended' }
}

/** A call of a worker that was lost while it made it, and which must not be repeated: a person says what is to become of it. */
export async function awaitLost({ approvals }: GatewayDeps, { name }: Tool, read: Taint): Promise<ToolOutcome> {
  const lost = `The worker was lost during this call of "${name}". Whether it took effect is unknown; it was not repeated.`
  if (!approvals || approvals.isFull()) return failed(`${lost} Tell the person.`)
  const refusal = await approvals.refuse('lost', read)
  if (refusal !== undefined) return failed(`${lost} ${refusal.text} Tell the person.`)
  return { ...failed(`${lost} A person is asked what is to become of it.`), awaits: 'lost', ends: 'suspended' }
}

function toReason(why: AwaitsFirst, read: Taint): string {
  if (why === 'no-right') return 'the person this turn serves may not use it'
  if (why === 'destructive') return 'it cannot be taken back'
  return `this turn has read what others wrote (${read.join(', ')}), and it changes something`
}

/** What an error says may repeat what the tool has read, unless it is one of ours about a service. */
export function toFailure(name: string, error: unknown): ToolOutcome {
  const reason = error instanceof Error ? error.message : String(error)
  const isOwn = error instanceof BotError && error.code === 'platform'
  return { ...failed(`"${name}" failed: ${reason.slice(0, 500)}`), ...(isOwn ? {} : { source: 'others' as const }) }
}

export async function runTool(
  deps: GatewayDeps,
  call: ToolCall,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const tool = deps.tools.find((candidate) => candidate.name === call.name)
  if (!tool) return malformed(`There is no tool "${call.name.slice(0, 64)}".`)
  const refusal = deps.refuse(tool)
  if (refusal) return refuse(`${notRun(tool.name)} ${refusal}`)
  const right = await deps.findRight(tool)
  if (right === 'none' || (right === 'ask' && (deps.isApproved || tool.effect !== 'write')))
    return refuse(
      `${deps.isApproved ? 'Who approved this' : 'The person this turn serves'} may not use "${tool.name}".`,
    )
  const read = readArguments(call.arguments, isShown(tool, context) ? stripMadeUp(deps.read) : undefined)
  if (read.kind === 'unreadable') return malformed(`The arguments of "${tool.name}" ${read.why}`)
  const { isApproved, isRepeat = false, known } = deps
  const verdict = judge(tool, read.input, { taint: context.taint, right, isApproved, isRepeat, known })
  if (verdict.do === 'refuse') return refuse(`${notRun(tool.name)} ${verdict.why}`)
  if (verdict.do === 'ask' && !(verdict.why === 'no-right' && (await deps.approvals?.isCovered())))
    return await toAwaiting(deps, tool, { why: verdict.why, taint: context.taint })
  const { input, note } = verdict.do === 'ask' ? { input: read.input, note: undefined } : verdict
  await deps.announced?.()
  // A stop may have come meanwhile.
  signal.throwIfAborted()
  const outcome = await runWithin(deps, tool, { input, context }, signal)
  return note === undefined ? outcome : { ...outcome, text: `${note}\n${outcome.text}` }
}

/** What it keeps or asks is shown to people, sooner or later, and others may have chosen it. */
const isShown = ({ effect }: Tool, context: ToolContext): boolean =>
  context.taint.length > 0 && (effect === 'write-local' || effect === 'ask')

async function runWithin(
  { timeoutMs }: GatewayDeps,
  tool: Tool,
  { input, context }: { readonly input: unknown; readonly context: ToolContext },
  signal: AbortSignal,
): Promise<ToolOutcome> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    // One that does not listen to its signal must not hold the turn; one that does says by itself why it ended.
    const made = await within(tool.run(input, context, limit), timeoutMs + graceMs, signal)
    const found = toolResult.safeParse(made)
    if (!found.success)
      throw new Error(`its result has no "${found.error.issues[0]?.path.join('.')}" of the right kind.`)
    const { text: said, source: as, taint: own, cameOf: came = [], artifact, effects, ends, waits } = found.data
    const {
      text,
      source: whose,
      taint: told,
      about = [],
    }: Partial<Retelling> & { text: string; source: Source } = typeof said === 'string'
      ? { text: said, source: as }
      : said
    const all = newest(came)
    const names = [...about, ...toNames(context.conversation, all)]
    const read = {
      source: whose,
      ...toTainted(joinTaint(told, own)),
      ...(names.length > 0 ? { about: names } : {}),
      ...(all.length > 0 ? { cameOf: all } : {}),
      ...(artifact === undefined ? {} : { artifact }),
      text: text.slice(0, mostArtifactBytes + 1).toWellFormed(),
    }
    return {
      ok: true,
      ...read,
      ...(effects ? { effects } : {}),
      ...(ends ? { ends, ...(waits ? { waits: waits.toWellFormed() } : {}) } : {}),
    }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof z.ZodError) return malformed(toMisfit(tool.name, error))
    return { ...toFailure(tool.name, error), failure: { afterMs: findAfterMs(error) } }
  }
}
