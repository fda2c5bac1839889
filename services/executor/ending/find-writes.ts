// What a turn changed outside, as those are told who may have to take it back. Pure.
import type { OutsideWrite } from '#shared/feature/left.ts'
import { readArguments } from '#shared/model/call-arguments.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'

const mostWrites = 50
const whatChars = 200
const mostUndoBytes = 8000

export function findWrites(
  { features }: Pick<ExecutorDeps, 'features'>,
  { entries }: OpenTurn,
): readonly OutsideWrite[] {
  const found = entries.flatMap((done): OutsideWrite[] => {
    if (done.t !== 'tool:fin' || (!done.ok && !done.unsure) || done.awaits || done.refused) return []
    const asked = entries.find((entry) => entry.t === 'llm:fin' && entry.step === done.step)
    const call = asked?.t === 'llm:fin' ? asked.toolCalls.find(({ id }) => id === done.callId) : undefined
    const tool = call && features.findTool(call.name)?.found
    return call && tool?.effect === 'write' ? toWrite(tool, call, done) : []
  })
  return found.slice(-mostWrites)
}

function toWrite(tool: Tool, call: ToolCall, done: { readonly ok: boolean; readonly result: string }): OutsideWrite[] {
  const read = readArguments(call.arguments)
  if (read.kind === 'unreadable' || tool.onlyReads?.(read.input) === true) return []
  const what = tool.brief?.(read.input)?.slice(0, whatChars).toWellFormed()
  const undo = done.ok ? tool.undo?.(read.input, done.result) : undefined
  const taken = undo && { name: undo.tool, arguments: JSON.stringify(undo.input) }
  return [
    {
      name: tool.name,
      ...(what === undefined ? {} : { what }),
      isSure: done.ok,
      ...(taken && Buffer.byteLength(taken.arguments) <= mostUndoBytes ? { undo: taken } : {}),
    },
  ]
}
