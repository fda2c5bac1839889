// What a call cost: as the endpoint says, unless that cannot be. One false count would use up a whole day's budget for everybody.
import type { ModelRequest, ModelResult, ToolCall, Usage } from '#shared/model/model-port.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'

type Reply = { readonly text: string; readonly toolCalls: readonly ToolCall[] }
type Judged = Pick<Extract<ModelResult, { kind: 'reply' }>, 'usage' | 'distrusted' | 'dropped'>

/** What endpoints add of their own: the words around messages and tools. */
const mostHiddenTokens = 8000
/** What a model may think before it answers; some endpoints do not count that against the limit of the output. */
const mostThoughtTokens = 32_000

/** What was told, or our estimate where nothing was, or nothing that is possible. */
export function judgeUsage(told: Usage | undefined, request: ModelRequest, reply: Reply): Judged {
  if (told && isPossible(told, request)) return { usage: told, ...(isCut(told, request) ? { dropped: true } : {}) }
  const usage = estimateUsage(request, reply)
  return told ? { usage, distrusted: told } : { usage }
}

/** For endpoints that send no usage. Four tokens a message are its frame. */
export function estimateUsage(request: ModelRequest, { text, toolCalls }: Reply): Usage {
  let promptTokens = request.tools.length > 0 ? estimateTokens(JSON.stringify(request.tools)).tokens : 0
  for (const message of request.messages) {
    promptTokens += 4 + estimateTokens(message.content).tokens
    if (message.role === 'assistant') {
      for (const call of message.toolCalls ?? []) promptTokens += 4 + estimateTokens(call.name + call.arguments).tokens
    }
  }
  let completionTokens = estimateTokens(text).tokens
  for (const call of toolCalls) completionTokens += 4 + estimateTokens(call.name + call.arguments).tokens
  return { promptTokens, completionTokens }
}

/** No model makes more tokens of a text than it has bytes, which are at most three for each unit. */
function isPossible({ promptTokens, completionTokens }: Usage, request: ModelRequest): boolean {
  const isWhole = Number.isSafeInteger(promptTokens) && Number.isSafeInteger(completionTokens)
  if (!isWhole || completionTokens > 4 * request.maxOutputTokens + mostThoughtTokens) return false
  // Most requests are small, so that most need not be measured.
  return promptTokens <= mostHiddenTokens || promptTokens <= mostHiddenTokens + 3 * sizeOf(request)
}

/** No vocabulary makes so few tokens of running text: most make one of four letters, or of one sign of Chinese. */
const mostUnitsPerToken = 8
const leastUnits = 8000

/** Whether the endpoint has read less than it was sent: some drop what is beyond their window without saying so. */
function isCut({ promptTokens, cachedTokens = 0 }: Usage, request: ModelRequest): boolean {
  const units = sizeOf({ ...request, tools: [] })
  return units > leastUnits && promptTokens > 0 && (promptTokens + cachedTokens) * mostUnitsPerToken < units
}

/** UTF-16 units, tools and their calls included. */
function sizeOf({ messages, tools }: ModelRequest): number {
  let units = tools.length > 0 ? JSON.stringify(tools).length : 0
  for (const message of messages) {
    units += message.content.length
    for (const call of (message.role === 'assistant' && message.toolCalls) || [])
      units += call.name.length + call.arguments.length
  }
  return units
}
