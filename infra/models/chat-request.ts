// The body of a Chat Completions request, in the dialect an endpoint understands. `max_tokens` first, as most know only that;
// a 400 that names a field changes the dialect for this model from then on.
import { APIError } from 'openai'
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type { ModelRequest, PromptMessage, ToolSchema } from '#shared/model/model-port.ts'

export type Dialect = {
  readonly limit: 'max_tokens' | 'max_completion_tokens'
  readonly sendsTemperature: boolean
  readonly asksUsage: boolean
  readonly sendsTools: boolean
}

export const widestDialect: Dialect = { limit: 'max_tokens', sendsTemperature: true, asksUsage: true, sendsTools: true }

/** The request's `metadata` stays here: endpoints refuse unknown fields, and a conversation id is nobody's business. */
export function toBody(request: ModelRequest, model: string, dialect: Dialect): ChatCompletionCreateParamsStreaming {
  return {
    model,
    messages: request.messages.map(toMessage),
    stream: true,
    ...(dialect.asksUsage ? { stream_options: { include_usage: true } } : {}),
    ...(request.tools.length > 0 && dialect.sendsTools ? { tools: toTools(request.tools) } : {}),
    [dialect.limit]: request.maxOutputTokens,
    ...(dialect.sendsTemperature ? { temperature: request.temperature } : {}),
  }
}

/** Tools live as long as the process: the same ones give the same array, whose text is known to `lean-client.ts`. */
const toolsSent = new WeakMap<ModelRequest['tools'], ChatCompletionFunctionTool[]>()
function toTools(tools: ModelRequest['tools']): ChatCompletionFunctionTool[] {
  const sent = toolsSent.get(tools) ?? tools.map(toTool)
  toolsSent.set(tools, sent)
  return sent
}

/** A tool has more to it than its schema; endpoints refuse what they do not know, or show it to the model. */
const toTool = ({ name, description, parameters }: ToolSchema): ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, description, parameters },
})

/** The dialect to try after this error, or undefined when the error is about something else. Each field changes at most once. */
export function findDialect(dialect: Dialect, error: unknown): Dialect | undefined {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return undefined
  const said = `${error.param ?? ''} ${error.message}`
  if (dialect.limit === 'max_tokens' && said.includes('max_completion_tokens')) {
    return { ...dialect, limit: 'max_completion_tokens' }
  }
  if (dialect.asksUsage && said.includes('stream_options')) return { ...dialect, asksUsage: false }
  if (dialect.sendsTemperature && said.includes('temperature')) return { ...dialect, sendsTemperature: false }
  // Ollama refuses every request with tools of a model whose template has none.
  if (dialect.sendsTools && /does not support tools/i.test(said)) return { ...dialect, sendsTools: false }
  return undefined
}

function toMessage(message: PromptMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: message.content }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content }
    case 'assistant':
      return message.toolCalls && message.toolCalls.length > 0
        ? {
            role: 'assistant',
            content: message.content || null,
            tool_calls: message.toolCalls.map((call) => ({
              id: call.id,
              type: 'function' as const,
              function: { name: call.name, arguments: call.arguments },
            })),
          }
        : { role: 'assistant', content: message.content }
  }
}
