// Puts a reply together from the chunks of a stream: text, tool calls by index, usage, and why it ended.
// It stops at a limit of bytes, and gives no tool call whose arguments were cut.
import type { ModelRequest, ModelResult, ToolCall, Usage } from '#shared/model/model-port.ts'
import type { ChatChunk, ToolDelta } from './chat-chunk.ts'
import { createGrowingJson, type GrowingJson } from './growing-json.ts'
import { findSpokenCalls } from './spoken-calls.ts'
import { createThoughtFilter } from './thoughts.ts'
import { judgeUsage } from './usage.ts'

export type ModelReply = Extract<ModelResult, { kind: 'reply' }>

export type ReplyAssembly = {
  /** Adds a chunk; `full` when the limit is reached and reading further is useless. */
  add(chunk: ChatChunk): 'more' | 'full'
  /** Whether the endpoint has said why it ended. */
  isFinished(): boolean
  /** The reply so far; meaningful once finished. Usage is estimated when the endpoint sent none that can be. */
  toReply(request: ModelRequest): ModelReply
}

const maxToolCalls = 64

function toUsage(told: NonNullable<ChatChunk['usage']>): Usage {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = told
  const cachedTokens = told.prompt_tokens_details?.cached_tokens ?? told.prompt_cache_hit_tokens ?? 0
  const isCached = cachedTokens > 0 && cachedTokens <= promptTokens
  return { promptTokens, completionTokens, ...(isCached ? { cachedTokens } : {}) }
}

export function createAssembly(model: string, maxOutputBytes: number, onText: (piece: string) => void): ReplyAssembly {
  const calls: GrowingCall[] = []
  const growing = new Map<number, GrowingCall>()
  const thoughts = createThoughtFilter()
  let text = ''
  let bytes = 0
  let finish: string | undefined
  let usage: Usage | undefined
  let answering = model

  function say(piece: string): void {
    if (piece === '') return
    text += piece
    onText(piece)
  }

  /** What of a piece fits, whole characters only. */
  function fit(piece: string): string {
    const size = Buffer.byteLength(piece)
    const room = maxOutputBytes - bytes
    bytes += size
    if (size <= room) return piece
    finish = 'length'
    return Buffer.from(piece)
      .toString('utf8', 0, Math.max(0, room))
      .replace(/(?<!\ufffd)\ufffd+$/, '')
  }

  function addTool(delta: ToolDelta): void {
    // Some endpoints send no index: then an id begins a call, and what has none continues the last.
    const index = delta.index ?? (delta.id ? calls.length : Math.max(0, calls.length - 1))
    let call = growing.get(index)
    if (!call || isAnother(call, delta)) {
      if (calls.length >= maxToolCalls) return
      call = { index, id: '', name: '', arguments: createGrowingJson() }
      calls.push(call)
      growing.set(index, call)
    }
    if (delta.id) call.id = delta.id
    call.name += fit(delta.function?.name ?? '')
    call.arguments.add(fit(delta.function?.arguments ?? ''))
  }

  function toCalls(): ToolCall[] {
    const ordered = calls.toSorted((one, other) => one.index - other.index)
    const ids = toIds(ordered.map(({ index, id }) => ({ given: id, made: `call_${index}` })))
    const all = ordered.map(({ id, name, arguments: given }, i) => ({
      id: ids[i] ?? id,
      name,
      arguments: given.text(),
    }))
    const whole = finish === 'length' ? all.filter((call) => isJson(call.arguments)) : all
    // A tool without parameters is called with nothing by some.
    return whole.map((call) => ({ ...call, arguments: call.arguments || '{}' }))
  }

  return {
    add(chunk) {
      if (chunk.model) answering = chunk.model
      if (chunk.usage) {
        usage = toUsage(chunk.usage)
      }
      const choice = chunk.choices?.[0]
      say(thoughts.take(fit(choice?.delta?.content ?? '')))
      for (const delta of choice?.delta?.tool_calls ?? []) addTool(delta)
      if (bytes > maxOutputBytes) return 'full'
      if (choice?.finish_reason) finish = choice.finish_reason
      return 'more'
    },
    isFinished: () => finish !== undefined,
    toReply(request) {
      say(thoughts.rest())
      const made = toCalls()
      const spoken = made.length > 0 || finish === 'length' ? [] : findSpokenCalls(text, namesOf(request))
      const toolCalls = made.length > 0 ? made : spoken
      return {
        kind: 'reply',
        text: spoken.length > 0 ? '' : text,
        toolCalls,
        finish: toFinish(finish, toolCalls.length > 0),
        ...judgeUsage(usage, request, { text, toolCalls }),
        model: answering,
      }
    },
  }
}

type GrowingCall = { readonly index: number; id: string; name: string; readonly arguments: GrowingJson }

/** Ollama has numbered every call of an answer 0: what begins with a name after another's end is a call of its own. */
function isAnother(call: GrowingCall, { id, function: given }: ToolDelta): boolean {
  if (!given?.name || call.name === '') return false
  return id && call.id ? id !== call.id : call.arguments.isWhole()
}

const namesOf = ({ tools }: ModelRequest): readonly string[] => tools.map(({ name }) => name)

/** Ids become part of what the fleet stores: one that is missing, strange, too long or there before is made anew. */
function toIds(calls: readonly { readonly given: string; readonly made: string }[]): string[] {
  const taken = new Set<string>()
  return calls.map(({ given, made }) => {
    let id = /^[\w-]{1,64}$/.test(given) && !taken.has(given) ? given : made
    while (taken.has(id)) id += '_'
    taken.add(id)
    return id
  })
}

function toFinish(reason: string | undefined, hasCalls: boolean): ModelReply['finish'] {
  if (reason === 'length') return 'length'
  if (reason === 'content_filter') return 'filtered'
  return hasCalls ? 'tool-calls' : 'stop' // some endpoints say `stop` with tool calls, some have reasons of their own
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
