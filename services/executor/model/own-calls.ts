// Calls of an answer as they are journaled, whatever the endpoint made of them: each with an id of its own, and a name that endpoints take back.
import type { ToolCall } from '#shared/model/model-port.ts'

export function toOwnCalls(calls: readonly ToolCall[]): ToolCall[] {
  const taken = new Set<string>()
  return calls.map((call, at) => {
    let id = /^[\w.:-]{1,64}$/.test(call.id) ? call.id : `call_${at}`
    // Two of one id could not be told apart: one would go without a result, or run again.
    for (let n = at; taken.has(id); n++) id = `call_${n}`
    taken.add(id)
    return { ...call, id, name: call.name.slice(0, 64).replaceAll(/[^\w-]/g, '_') || 'unnamed' }
  })
}
