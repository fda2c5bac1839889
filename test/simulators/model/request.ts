// What a Chat Completions request must look like, checked as strictly as the real endpoint does where callers go wrong:
// roles, tool results that answer no call, calls left without a result, tool names, stream options.
import { z } from 'zod'

const contentPart = z.strictObject({ type: z.string(), text: z.string().optional() })
const content = z.union([z.string(), z.array(contentPart)])
const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
})
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer', 'user']), content }),
  z.strictObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z.array(toolCall).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content, tool_call_id: z.string() }),
])

/** A request as the simulator understands it. What it does not know it refuses, as endpoints do. */
export const completionRequest = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }).optional(),
        }),
      }),
    )
    .optional(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
})
export type CompletionRequest = z.infer<typeof completionRequest>
export type CompletionMessage = CompletionRequest['messages'][number]

/** The text of a message, its parts joined. */
export function textOf(one: CompletionMessage): string {
  if (typeof one.content === 'string') return one.content
  return (one.content ?? []).map((part) => part.text ?? '').join('')
}

/** The text of the last message a person wrote; empty when there is none. */
export function lastUserText(request: CompletionRequest): string {
  const last = request.messages.findLast((one) => one.role === 'user')
  return last === undefined ? '' : textOf(last)
}

/** Why the endpoint would answer 400, or undefined. */
export function findRequestProblem(request: CompletionRequest): string | undefined {
  if (request.stream_options && request.stream !== true) {
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
  }
  if (request.tools?.length === 0) return "[] is too short - 'tools'"
  return findToolProblem(request.messages)
}

function findToolProblem(messages: readonly CompletionMessage[]): string | undefined {
  let awaited: string[] = []
  for (const [index, one] of messages.entries()) {
    if (one.role === 'tool') {
      if (!awaited.includes(one.tool_call_id)) {
        return `Invalid parameter: messages.[${index}] with role 'tool' must be a response to a preceding message with 'tool_calls'.`
      }
      awaited = awaited.filter((id) => id !== one.tool_call_id)
    } else {
      if (awaited.length > 0) return missingResults(awaited)
      if (one.role === 'assistant') awaited = (one.tool_calls ?? []).map((call) => call.id)
    }
  }
  return awaited.length > 0 ? missingResults(awaited) : undefined
}

function missingResults(ids: readonly string[]): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`
}
