// The body of a Chat Completions request, in the dialect an endpoint understands (`dialects.ts`).
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type { ModelRequest, PromptMessage, ToolCall, ToolSchema } from '#shared/model/model-port.ts'
import { arrangeMessages } from './arrange-messages.ts'
import type { Dialect } from './dialects.ts'
import { unpackGivenBack } from './given-back.ts'
import { toLeanSchema } from './lean-schema.ts'
import { withShortIds } from './short-ids.ts'

/** The request's `metadata` stays here: endpoints refuse unknown fields, and a conversation id is nobody's business. */
export function toBody(request: ModelRequest, model: string, dialect: Dialect): ChatCompletionCreateParamsStreaming {
  const { limit, mostOutputTokens = Infinity } = dialect
  const messages = dialect.sendsTools ? request.messages : request.messages.map(withoutTools)
  const arranged = arrangeMessages(messages, dialect)
  const sent = dialect.callIds === 'short' ? withShortIds(arranged) : arranged
  return {
    model,
    messages: sent.map((message) => toMessage(message, model, dialect)),
    stream: true,
    ...(dialect.asksUsage ? { stream_options: { include_usage: true } } : {}),
    ...(request.tools.length > 0 && dialect.sendsTools ? { tools: toTools(request.tools, dialect) } : {}),
    ...(limit === 'none' ? {} : { [limit]: Math.min(request.maxOutputTokens, mostOutputTokens) }),
    ...(dialect.sendsTemperature ? { temperature: request.temperature } : {}),
  }
}

/** Tools live as long as the process: the same ones give the same array, whose text is known to `lean-client.ts`. */
const toolsSent = {
  whole: new WeakMap<ModelRequest['tools'], ChatCompletionFunctionTool[]>(),
  lean: new WeakMap<ModelRequest['tools'], ChatCompletionFunctionTool[]>(),
}
function toTools(tools: ModelRequest['tools'], { schemas }: Dialect): ChatCompletionFunctionTool[] {
  const sent = toolsSent[schemas].get(tools) ?? tools.map((tool) => toTool(tool, schemas))
  toolsSent[schemas].set(tools, sent)
  return sent
}

/** A tool has more to it than its schema; endpoints refuse what they do not know, or show it to the model. */
const toTool = (
  { name, description, parameters }: ToolSchema,
  schemas: Dialect['schemas'],
): ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, description, parameters: schemas === 'lean' ? toLeanSchema(parameters) : parameters },
})

/** Where tools are not known, what was called and found is told in words. */
function withoutTools(message: PromptMessage): PromptMessage {
  if (message.role === 'tool') return { role: 'user', content: `[result]\n${message.content}` }
  if (message.role !== 'assistant' || !message.toolCalls?.length) return message
  const calls = message.toolCalls.map(({ name, arguments: given }) => `[${name} ${given}]`)
  return { role: 'assistant', content: [message.content, ...calls].filter((text) => text !== '').join('\n') }
}

function toMessage(message: PromptMessage, model: string, dialect: Dialect): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: message.content }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content }
    case 'assistant': {
      const { content, toolCalls = [] } = message
      if (toolCalls.length === 0) return { role: 'assistant', content }
      const back = unpackGivenBack(toolCalls, model, dialect)
      const tool_calls = toolCalls.map((call, i) => ({ ...back.calls[i], ...toCall(call) }))
      return { ...back.message, role: 'assistant', content: content || null, tool_calls }
    }
    default:
      return message satisfies never
  }
}

const toCall = ({ id, name, arguments: given }: ToolCall) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: given },
})
