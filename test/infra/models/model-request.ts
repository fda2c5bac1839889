// A request with defaults, for the tests of model ports.
import type { ModelRequest, PromptMessage } from '#shared/model/model-port.ts'

export function toRequest(
  messages: readonly PromptMessage[] | string,
  changes: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    role: 'main',
    messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
    tools: [],
    maxOutputTokens: 800,
    temperature: 0.7,
    metadata: { depth: 'standard', conversation: 'web:test' },
    ...changes,
  }
}
