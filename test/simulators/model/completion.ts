// Turns a scripted answer into deltas, finish reason and usage, as a stream or as one body. Pure; the wire is elsewhere.
import { lastUserText, textOf, type CompletionRequest } from './request.ts'
import type { ModelAnswer } from './script.ts'

const pieceChars = 24
const hugePieceBytes = 64 * 1024
const toolArgumentChars = 12

export type ToolCallDelta = {
  readonly index: number
  readonly id?: string
  readonly type?: 'function'
  readonly function: { readonly name?: string; readonly arguments: string | object }
}

export type Delta = {
  readonly content?: string
  readonly reasoning_content?: string
  readonly reasoning?: string
  readonly tool_calls?: readonly [ToolCallDelta]
}

export type Completion = {
  /** May be walked once; huge answers are made on the way. */
  readonly deltas: Iterable<Delta>
  readonly finish: 'stop' | 'length' | 'content_filter' | 'tool_calls'
  readonly completionTokens: number
}

/** One token per four UTF-16 units, rounded up: the simulator's own, deterministic measure. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

export function countPromptTokens(request: CompletionRequest): number {
  let tokens = 3
  for (const one of request.messages) tokens += 4 + countTokens(textOf(one))
  return tokens
}

export function usageOf(promptTokens: number, completionTokens: number): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}

/** What the answer says to this request. `error` answers never come here. */
export function toCompletion(
  answer: Exclude<ModelAnswer, { kind: 'error' }>,
  request: CompletionRequest,
  serial: number,
): Completion {
  switch (answer.kind) {
    case 'echo':
      return saysWithin(`echo: ${lastUserText(request)}`, request)
    case 'text':
      return says(answer.text, answer.finish)
    case 'long':
      return { deltas: longText(answer.chunks), finish: 'stop', completionTokens: answer.chunks * 2 }
    case 'huge':
      return { deltas: hugeText(answer.bytes), finish: 'stop', completionTokens: Math.ceil(answer.bytes / 4) }
    case 'empty':
      return { deltas: [], finish: 'stop', completionTokens: 0 }
    case 'whitespace':
      return says(' \n\t \n')
    case 'reasoning':
      return {
        deltas: [{ [answer.field]: answer.text }, ...(answer.answer === undefined ? [] : textDeltas(answer.answer))],
        finish: 'stop',
        completionTokens: countTokens(answer.text + (answer.answer ?? '')),
      }
    case 'tools':
      return answer.shape ? callsAtOnce(answer, answer.shape) : callsTools(answer, serial)
  }
}

function says(text: string, finish: Completion['finish'] = 'stop'): Completion {
  return { deltas: textDeltas(text), finish, completionTokens: countTokens(text) }
}

/** Ends where the request says so, as every endpoint does. */
function saysWithin(text: string, { max_completion_tokens, max_tokens }: CompletionRequest): Completion {
  const mostTokens = max_completion_tokens ?? max_tokens
  if (!mostTokens || countTokens(text) <= mostTokens) return says(text)
  return says(text.slice(0, mostTokens * 4).replace(/[\uD800-\uDBFF]$/, ''), 'length')
}

function textDeltas(text: string): Delta[] {
  if (text.length <= pieceChars) return [{ content: text }]
  // By code points, so that no piece ends within a surrogate pair.
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${pieceChars}}`, 'gu')) ?? []
  return pieces.map((content) => ({ content }))
}

function* longText(chunks: number): Generator<Delta> {
  for (let index = 1; index <= chunks; index += 1) yield { content: `piece ${index} ` }
}

function* hugeText(bytes: number): Generator<Delta> {
  const piece = 'x'.repeat(hugePieceBytes)
  for (let left = bytes; left > 0; left -= hugePieceBytes)
    yield { content: left < hugePieceBytes ? piece.slice(0, left) : piece }
}

function callsTools(answer: Extract<ModelAnswer, { kind: 'tools' }>, serial: number): Completion {
  const deltas: Delta[] = answer.text === undefined ? [] : textDeltas(answer.text)
  let tokens = countTokens(answer.text ?? '')
  for (const [index, call] of answer.calls.entries()) {
    const id = call.id ?? `call_${serial}_${index}`
    deltas.push({ tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] })
    for (let from = 0; from < call.arguments.length; from += toolArgumentChars) {
      const piece = call.arguments.slice(from, from + toolArgumentChars)
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
    tokens += countTokens(call.name) + countTokens(call.arguments)
  }
  return { deltas, finish: 'tool_calls', completionTokens: tokens }
}

/** As Ollama does: an id only where one is given, and nothing that tells the calls apart but their names. */
function callsAtOnce(
  { calls, text }: Extract<ModelAnswer, { kind: 'tools' }>,
  shape: 'ollama' | 'ollama-object',
): Completion {
  const deltas = calls.map(({ id = '', name, arguments: given }): Delta => {
    const input: unknown = shape === 'ollama' ? given : JSON.parse(given)
    const said = typeof input === 'object' && input !== null ? input : given
    return { content: '', tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: said } }] }
  })
  const tokens = countTokens(text ?? '') + countTokens(JSON.stringify(calls))
  return { deltas: [...textDeltas(text ?? ''), ...deltas], finish: 'stop', completionTokens: tokens }
}

const toWritten = (given: string | object): string => (typeof given === 'string' ? given : JSON.stringify(given))

/** The message of a non-streaming answer: the deltas put together. */
export function toMessage(deltas: Iterable<Delta>): object {
  const parts: string[] = []
  const reasoning: string[] = []
  const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = []
  for (const delta of deltas) {
    if (delta.content !== undefined) parts.push(delta.content)
    if (delta.reasoning_content !== undefined) reasoning.push(delta.reasoning_content)
    const part = delta.tool_calls?.[0]
    if (part === undefined) continue
    const call = calls[part.index]
    if (call === undefined) {
      calls.push({ id: part.id ?? '', type: 'function', function: { name: part.function.name ?? '', arguments: '' } })
    } else call.function.arguments += toWritten(part.function.arguments)
  }
  return {
    role: 'assistant',
    content: calls.length > 0 && parts.length === 0 ? null : parts.join(''),
    refusal: null,
    ...(reasoning.length > 0 ? { reasoning_content: reasoning.join('') } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}
