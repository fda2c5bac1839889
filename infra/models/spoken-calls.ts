// Finds calls of tools that a model wrote as its text, as small models and endpoints that do not know a model's own form do: the whole text is a
// call as JSON, bare, in a block of code, or between `<tool_call>` tags. Whatever else stands in it makes it an answer.
import { z } from 'zod'
import type { ToolCall } from '#shared/model/model-port.ts'

const mostChars = 16_000
const mostCalls = 8
const spoken = z.object({
  name: z.string(),
  arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
})

/** Calls of the tools with these names, in order; none where the text is an answer. */
export function findSpokenCalls(text: string, names: readonly string[]): readonly ToolCall[] {
  const whole = text.trim()
  if (names.length === 0 || whole.length > mostChars || !/^[[{`<]/.test(whole)) return []
  const calls = toPieces(whole).flatMap((piece) => readCalls(piece))
  if (calls.length === 0 || calls.length > mostCalls) return []
  const known = calls.flatMap((call) => (call && names.includes(call.name) ? [call] : []))
  if (known.length < calls.length) return []
  return known.map(({ name, arguments: given, parameters }, i) => {
    const input = given ?? parameters ?? {}
    return { id: `call_${i}`, name, arguments: typeof input === 'string' ? input : JSON.stringify(input) }
  })
}

/** The JSON within tags or a block of code; the text itself where there are neither. */
function toPieces(text: string): readonly string[] {
  if (text.startsWith('<tool_call>'))
    return text
      .split('<tool_call>')
      .slice(1)
      .map((piece) => piece.replace(/<\/tool_call>\s*$/, ''))
  const fence = /^```(?:json)?\n([^`]*)```$/.exec(text)
  return [fence?.[1] ?? text]
}

/** Undefined in it for what is none. */
function readCalls(json: string): readonly (z.infer<typeof spoken> | undefined)[] {
  try {
    const read: unknown = JSON.parse(json)
    return (Array.isArray(read) ? read : [read]).map((one) => spoken.safeParse(one).data)
  } catch {
    return [undefined]
  }
}
