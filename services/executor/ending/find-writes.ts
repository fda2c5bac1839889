// What a turn changed outside, as those are told who may have to take it back. Pure.
import type { OutsideWrite } from '#shared/feature/left.ts'
import { readArguments } from '#shared/model/call-arguments.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { findKeptKey, findUnsure, toCallKey, toFirst, type FindTool } from '#services/executor/gateway/kept-keys.ts'
import { toCrashRule } from '#services/executor/gateway/tries.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'
import { mostUnsure } from '#shared/run/approval.ts'

const mostWrites = 50
const whatChars = 200
const mostUndoBytes = 8000

export function findWrites(
  { features }: Pick<ExecutorDeps, 'features'>,
  turn: OpenTurn,
  conversation: string,
): readonly OutsideWrite[] {
  const { entries } = turn
  const find: FindTool = (name) => features.findTool(name)?.found
  const found = entries.flatMap((done): OutsideWrite[] => {
    if (done.t !== 'tool:fin' || done.refused) return []
    // One that a worker was lost at waits for what people say of it, and may have been made.
    if (done.awaits ? done.awaits !== 'lost' : !done.ok && !done.unsure) return []
    const asked = entries.find((entry) => entry.t === 'llm:fin' && entry.step === done.step)
    const call = asked?.t === 'llm:fin' ? asked.toolCalls.find(({ id }) => id === done.callId) : undefined
    const tool = call && features.findTool(call.name)?.found
    if (!call || tool?.effect !== 'write') return []
    const own = `${conversation}/${toCallKey(turn.start.turn, done.step, call)}`
    const key = findKeptKey(turn, { call, own, conversation }, find) ?? toFirst(turn, call, own)
    return toWrite(tool, call, { ...done, key })
  })
  const keys = new Set(found.flatMap(({ again }) => again?.key ?? []))
  // What was cut short may have left.
  const cut = findUnsure(turn, conversation, find).filter(
    ({ name, key }) => find(name)?.effect === 'write' && !keys.has(key),
  )
  const unsure = cut.map(({ name, ...again }): OutsideWrite => ({ name, isSure: false, again }))
  return [...found, ...unsure].slice(-mostWrites)
}

type Done = { readonly ok: boolean; readonly result: string; readonly key: string }

function toWrite(tool: Tool, call: ToolCall, done: Done): OutsideWrite[] {
  const read = readArguments(call.arguments)
  if (read.kind === 'unreadable' || tool.onlyReads?.(read.input) === true) return []
  const what = tool.brief?.(read.input)?.slice(0, whatChars).toWellFormed()
  const rule = toCrashRule(tool, call)
  // What must not be made twice is known as well, where nobody knows whether it was made.
  const isAgain = rule === 'rerun-with-key' || (rule === 'ask' && !done.ok)
  const again = { arguments: call.arguments, key: done.key, ...(rule === 'ask' ? ({ asks: true } as const) : {}) }
  const undo = done.ok ? tool.undo?.(read.input, done.result) : undefined
  const taken = undo && { name: undo.tool, arguments: JSON.stringify(undo.input) }
  return [
    {
      name: tool.name,
      ...(what === undefined ? {} : { what }),
      isSure: done.ok,
      ...(isAgain && call.arguments.length <= mostUnsure.chars ? { again } : {}),
      ...(taken && Buffer.byteLength(taken.arguments) <= mostUndoBytes ? { undo: taken } : {}),
    },
  ]
}
