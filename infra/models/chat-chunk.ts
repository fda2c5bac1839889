// One event of a Chat Completions stream, or a whole completion, as far as it is used. Strict is only what the product relies on: the text, the calls, and
// an error. What is only counted, shown or repeated is taken in any shape, or is unknown. Pure.

import { toList, toObject, parseJson, type Fields } from '#shared/json.ts'

export type ToolDelta = {
  readonly index?: number
  readonly id?: string
  readonly name?: string
  /** As text; what came as an object is whole. */
  readonly arguments?: string
  /** What else stands on it. */
  readonly fields: Fields
}

export type ToldUsage = {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
}

export type ChatChunk = {
  readonly text: string
  readonly calls: readonly ToolDelta[]
  /** What else stands on the message, such as thoughts. */
  readonly fields: Fields
  readonly finish?: string
  readonly model?: string
  readonly usage?: ToldUsage
  /** Of an endpoint that fails in the midst of its answer. */
  readonly error?: unknown
  /** It holds a message, not a piece of one. */
  readonly isWhole: boolean
}

const mostCallsAtOnce = 64

/** Undefined for what is no object of JSON. */
export function parseChunk(data: string): ChatChunk | undefined {
  const read = toObject(parseJson(data) ?? parseJson(data.replaceAll(/:\s{0,4}-?(?:NaN|Infinity)\b/g, ':null')))
  return read && toChunk(read)
}

function toChunk(given: Fields): ChatChunk {
  const read = unwrap(given)
  const choice = toObject(toList(read['choices'])[0]) ?? {}
  const delta = toObject(choice['delta'])
  const message = delta ?? toObject(choice['message']) ?? {}
  const { content, tool_calls: calls, function_call: only, role: _, refusal, ...others } = message
  const { finish_reason: ended, finishReason, stop_reason: stopped, ...fields } = others
  const error = findError(read)
  const reasons = [choice['finish_reason'], choice['finishReason'], choice['stop_reason'], read['finish_reason']]
  const finish = [...reasons, ended, finishReason, stopped].find((one) => typeof one === 'string' && one !== '')
  const isDocument =
    delta === undefined && choice['message'] !== undefined && read['object'] !== 'chat.completion.chunk'
  const { model } = read
  const usage = toUsage(read['usage'])
  return {
    text: toText(content) || toText(choice['text']) || (typeof refusal === 'string' ? refusal : ''),
    calls: [...toList(calls).slice(0, mostCallsAtOnce), ...(only ? [{ function: only }] : [])].flatMap(toDelta),
    fields: onlyFilled(fields),
    // A document says by itself that it is whole.
    ...(typeof finish === 'string' ? { finish } : isDocument ? { finish: 'stop' } : {}),
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
    ...(usage ? { usage } : {}),
    ...(error === undefined ? {} : { error }),
    isWhole: delta === undefined && choice['message'] !== undefined,
  }
}

/** Gateways put the endpoint's answer into one of their own. */
function unwrap(given: Fields): Fields {
  if ('choices' in given) return given
  const inner = [given['data'], given['result'], given['response']].map(toObject)
  return inner.find((one) => one && 'choices' in one) ?? given
}

/** Nested, or flat as vLLM and others send it with status 200. An empty one is none. */
function findError(read: Fields): unknown {
  const { error, object, type, choices } = read
  if (object === 'error' || (type === 'error' && !error)) return read
  if (error && !(typeof error === 'object' && Object.keys(error).length === 0)) return error
  if (choices !== undefined && choices !== null && toList(choices).length > 0) return undefined
  const { base_resp: base, code, message, msg, detail, errors, success } = read
  const status = toObject(base)?.['status_code']
  const isRefused = (status !== undefined && status !== 0) || success === false || toList(errors).length > 0
  const isCoded = code !== undefined && code !== 0 && code !== '0' && code !== 200 && (message ?? msg) !== undefined
  return isRefused || isCoded || typeof detail === 'string' ? read : undefined
}

/** Of a content in parts, those of text. */
function toText(content: unknown): string {
  if (typeof content === 'string') return content
  return toList(content)
    .map((part) => {
      if (typeof part === 'string') return part
      const { type = 'text', text } = toObject(part) ?? {}
      const said = toObject(text)?.['value'] ?? text
      const isText = type === 'text' || type === 'output_text'
      return isText && typeof said === 'string' ? said : ''
    })
    .join('')
}

function toDelta(given: unknown): ToolDelta[] {
  const call = toObject(given)
  if (!call) return []
  const { index, id, type: _, function: inner, ...fields } = call
  const { name, arguments: written } = toObject(inner) ?? call
  const at = toCount(index)
  const args = toArguments(written)
  if (typeof name !== 'string' && args === undefined && (id === undefined || id === null)) return []
  return [
    {
      ...(at !== undefined && Number.isInteger(at) ? { index: at } : {}),
      ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}),
      ...(typeof name === 'string' ? { name } : {}),
      ...(args === undefined ? {} : { arguments: args }),
      fields: inner ? onlyFilled(fields) : {},
    },
  ]
}

const toArguments = (written: unknown): string | undefined =>
  typeof written === 'string' ? written : toObject(written) ? JSON.stringify(written) : undefined

/** As OpenAI, DeepSeek and Anthropic say it; undefined where one of both counts is not known, so that it is estimated. */
function toUsage(told: unknown): ToldUsage | undefined {
  const usage = toObject(told)
  if (!usage) return undefined
  const promptTokens = toCount(usage['prompt_tokens']) ?? toCount(usage['input_tokens'])
  const completionTokens = toCount(usage['completion_tokens']) ?? toCount(usage['output_tokens'])
  if (promptTokens === undefined || completionTokens === undefined) return undefined
  const { cached_tokens: cached } = toObject(usage['prompt_tokens_details']) ?? {}
  const cachedTokens = toCount(cached) ?? toCount(usage['prompt_cache_hit_tokens']) ?? 0
  return { promptTokens, completionTokens, cachedTokens }
}

/** A number that is none below zero, also as text. */
function toCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : undefined
}

/** Without what holds nothing. */
const onlyFilled = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isBlank(value)))
const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
