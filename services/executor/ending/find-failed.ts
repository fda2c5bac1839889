// The newest call of a turn that failed, as people are told of it. Pure.
import { z } from 'zod'
import type { FailedCall } from '#shared/feature/left.ts'
import { readArguments } from '#shared/model/call-arguments.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'

const mostChars = { what: 300, reason: 160 }

export function findFailed({ features }: Pick<ExecutorDeps, 'features'>, turn: OpenTurn): FailedCall | undefined {
  const { entries, start } = turn
  if (start.for !== undefined) return undefined
  const done = entries.findLast((entry) => entry.t === 'tool:fin')
  if (done?.t !== 'tool:fin' || done.ok || done.malformed || done.refused || done.awaits) return undefined
  const asked = entries.find((entry) => entry.t === 'llm:fin' && entry.step === done.step)
  const call = asked?.t === 'llm:fin' ? asked.toolCalls.find(({ id }) => id === done.callId) : undefined
  const tool = call && features.findTool(call.name)?.found
  if (!call || !tool) return undefined
  const what = toWhat(tool, call)
  const [reason = ''] = done.result.replace(`"${tool.name}" failed: `, '').trim().split('\n', 1)
  return {
    name: tool.name,
    ...(what === undefined ? {} : { what: what.slice(0, mostChars.what).toWellFormed() }),
    reason: reason.slice(0, mostChars.reason).toWellFormed(),
  }
}

/** By the tool's own line, else by the address or the query that it sends. */
function toWhat({ brief, sends }: Tool, call: ToolCall): string | undefined {
  const read = readArguments(call.arguments)
  if (read.kind === 'unreadable') return undefined
  if (brief) return brief(read.input)
  const sent = sends && z.record(z.string(), z.unknown()).safeParse(read.input).data?.[sends.argument]
  return typeof sent === 'string' ? sent : undefined
}
