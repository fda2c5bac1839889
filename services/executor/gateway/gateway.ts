// The one way to a tool: finds it, looks up the rights of the turn's principal, reads its input, judges what it would do, and runs it under a
// time limit. Every outcome has a text the model reads; nothing thrown by a tool leaves here, except an abort.
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'
import { z } from 'zod'
import { source } from '#shared/model/source.ts'
import { withoutMadeUp } from '#services/executor/shown/made-up.ts'
import { within } from '#services/executor/within.ts'
import type { Known } from './reach.ts'
import { judge } from './verdict.ts'

export type ToolOutcome = ToolResult & { readonly ok: boolean }

export type GatewayDeps = {
  readonly tools: readonly Tool[]
  /** Rights of the turn's principal, looked up for every call. */
  mayUse(tool: Tool): Promise<boolean>
  /** What stands in the prompt, and whose it is. */
  known(): Known
  /** What of it the model has read and not written. */
  read(): readonly string[]
  readonly maxResultChars: number
  readonly timeoutMs: number
}

const graceMs = 100
/** It is journaled, so it must be one that can be read again. Its effects are read when they are carried out. */
const toolResult = z.object({
  text: z.string(),
  source: source.catch('others'),
  effects: z.custom<ToolResult['effects']>().optional(),
  ends: z.literal('suspended').optional(),
})

/** What a refusal begins with; no page and no list does. */
export const notRun = (name: string): string => `"${name}" was not run:`
export const failed = (text: string): ToolOutcome => ({ ok: false, text, source: 'own' })

/** What an error says may repeat what the tool has read. */
export function toFailure(name: string, error: unknown): ToolOutcome {
  const reason = error instanceof Error ? error.message : String(error)
  return { ...failed(`"${name}" failed: ${reason.slice(0, 500)}`), source: 'others' }
}

export async function runTool(
  deps: GatewayDeps,
  call: ToolCall,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const tool = deps.tools.find((candidate) => candidate.name === call.name)
  if (!tool) return failed(`There is no tool "${call.name.slice(0, 64)}".`)
  if (!(await deps.mayUse(tool))) return failed(`The person this turn serves may not use "${tool.name}".`)
  const read = readArguments(call, isShown(tool, context) ? (text) => withoutMadeUp(text, deps.read) : undefined)
  if (!read) return failed(`The arguments of "${tool.name}" are not JSON. Send one JSON object.`)
  const verdict = judge(tool, read.input, context.taint, deps.known)
  if (verdict.do === 'refuse') return failed(`${notRun(tool.name)} ${verdict.why}`)
  const outcome = await runWithin(deps, tool, { input: verdict.input, context }, signal)
  return verdict.note === undefined ? outcome : { ...outcome, text: `${verdict.note}\n${outcome.text}` }
}

/** What it keeps or asks is shown to people, sooner or later, and others may have chosen it. */
const isShown = ({ effect }: Tool, { taint }: ToolContext): boolean =>
  taint.length > 0 && (effect === 'write-local' || effect === 'ask')

/** `toSafe` is done to each text in it. */
function readArguments(
  call: ToolCall,
  toSafe: (text: string) => string = (text) => text,
): { readonly input: unknown } | undefined {
  try {
    const input: unknown = JSON.parse(call.arguments || '{}', (key, value: unknown) =>
      key === '__proto__' ? undefined : typeof value === 'string' ? toSafe(value) : value,
    )
    return { input }
  } catch {
    return undefined
  }
}

async function runWithin(
  { timeoutMs, maxResultChars }: GatewayDeps,
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
    const { text, source: whose, effects, ends } = found.data
    const read = { text: text.slice(0, maxResultChars).toWellFormed(), source: whose }
    return { ok: true, ...read, ...(effects ? { effects } : {}), ...(ends ? { ends } : {}) }
  } catch (error) {
    if (signal.aborted) throw error
    return toFailure(tool.name, error)
  }
}
