// The one way to a tool: finds it, checks the rights of the turn's principal, parses its input, runs it under a time limit.
// Every outcome is a text the model reads; nothing thrown by a tool leaves here, except an abort.
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool, ToolContext } from '#shared/model/tool.ts'

export type ToolOutcome = { readonly ok: boolean; readonly result: string }

export type GatewayDeps = {
  readonly tools: readonly Tool[]
  /** Rights of the turn's principal, checked for every call. */
  mayUse(tool: Tool, context: ToolContext): boolean
  readonly maxResultChars: number
  readonly timeoutMs: number
}

export async function runTool(
  deps: GatewayDeps,
  call: ToolCall,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const tool = deps.tools.find((candidate) => candidate.name === call.name)
  if (!tool) return { ok: false, result: `There is no tool "${call.name.slice(0, 64)}".` }
  if (!deps.mayUse(tool, context))
    return { ok: false, result: `The person this turn serves may not use "${tool.name}".` }
  let input: unknown
  try {
    input = JSON.parse(call.arguments || '{}', (key, value: unknown) => (key === '__proto__' ? undefined : value))
  } catch {
    return { ok: false, result: `The arguments of "${tool.name}" are not JSON. Send one JSON object.` }
  }
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.timeoutMs)])
    const result = await tool.run(input, context, limit)
    return { ok: true, result: result.slice(0, deps.maxResultChars).toWellFormed() }
  } catch (error) {
    if (signal.aborted) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { ok: false, result: `"${tool.name}" failed: ${reason.slice(0, 500)}` }
  }
}
