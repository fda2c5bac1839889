// A call of a tool that is not in the prompt's list is made by another tool, `tool_call`. It is unwrapped where the model's answer comes in, so that
// rights, limits, records and whoever else looks at calls see the tool inside, and nothing but that.
import { readArguments } from './call-arguments.ts'
import type { ToolCall } from './model-port.ts'

export const wrapperName = 'tool_call'
const toolName = /^[a-zA-Z0-9_-]{1,64}$/

/** The call inside; the call itself where it wraps none, or another wrapper: that one fails by itself and says why. */
export function unwrapCall(call: ToolCall): ToolCall {
  if (call.name !== wrapperName) return call
  const read = readArguments(call.arguments)
  if (read.kind === 'unreadable' || !('name' in read.input)) return call
  const { name } = read.input
  if (typeof name !== 'string' || !toolName.test(name) || name === wrapperName) return call
  const inner = 'arguments' in read.input ? read.input.arguments : {}
  // Some models write the arguments as text, as they do for any other call.
  return { ...call, name, arguments: typeof inner === 'string' ? inner : JSON.stringify(inner ?? {}) }
}
