// What an endpoint says where it refuses a request, and what of it is about the size of the prompt. The text is looked at and never passed on. Pure.
import { APIError } from 'openai'
import { toErrorBody } from './error-body.ts'
import { parseJson, toObject } from '#shared/json.ts'

export type Refusal = { readonly status: number; readonly code: string; readonly said: string }

/** Undefined for what no endpoint answered. */
export function toRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof APIError) || typeof error.status !== 'number') return undefined
  // The SDK puts the status before the words, where it would be taken for a limit.
  const said = `${typeof error.param === 'string' ? error.param : ''} ${error.message.replace(/^\d{3} /, '')}`
  return { status: error.status, code: toCode(error.code) || toCode(error.type), said }
}

/** Of an error inside a stream, or in a body that came with status 200. */
export function toRefusalOfStream(error: unknown): Refusal {
  const read = toObject(parseJson(toErrorBody(JSON.stringify({ error }))))
  const { message, code, type } = toObject(read?.['error']) ?? {}
  const status = Number(toObject(error)?.['status'] ?? code)
  return {
    status: status >= 400 && status <= 599 ? status : 0,
    code: toCode(code) || toCode(type),
    said: typeof message === 'string' ? message : '',
  }
}

/** As OpenAI, llama.cpp, vLLM, TGI, LM Studio, Anthropic, Gemini, Mistral and others say it. */
export function isTooLong({ status, code, said }: Refusal): boolean {
  if (status === 429 || status === 401 || status === 403 || status === 402) return false
  if (status === 413) return true
  if (
    /^(context_length_exceeded|exceed_context_size_error|string_above_max_length|context_window_exceeded|model_context_window_exceeded)$/i.test(
      code,
    )
  )
    return true
  const text = said.slice(0, 2000)
  // Of a server that fails, only where it says that it is too much.
  return tooLong.test(text) && (status < 500 || /exceed|too (?:long|large|big|many)|larger|longer|超/i.test(text))
}

const tooLong =
  /context[ _-]?(?:length|window|size|limit)|(?:prompt|input|request|message|conversation|sequence)s?(?: \w+){0,3} (?:is |are )?(?:too (?:long|large|big)|exceeds?|longer than)|too large for model|(?:input|prompt) tokens? (?:count|exceed|limit)|input token count|reduce (?:the|your) (?:length|prompt|input|messages?)|(?:maximum|max)(?:imum)? (?:allowed )?(?:input|prompt|sequence|context) (?:length|tokens?|size)|exceeds? (?:the )?(?:model['’]s |available |maximum )?(?:context|max(?:imum)? (?:input|tokens|length))|too many (?:input )?tokens|n_ctx|max_model_len|token limit|超长|超出.{0,12}(?:长度|上下文)|上下文.{0,12}(?:超|过长|限制)|输入.{0,8}(?:过长|超)/i

/** How many tokens of output the window has room for beside this prompt, where the refusal names both; it is of this prompt alone. */
export function findRoom(said: string, asked: number): number | undefined {
  const text = said
    .slice(0, 2000)
    .toLowerCase()
    .replaceAll(/(\d)[,_](?=\d{3})/g, '$1')
  const window =
    /(?:context (?:length|window|size)|(?:context|sequence|total) length|must be <=|n_ctx|max_model_len)\D{0,40}(\d{3,8})/.exec(
      text,
    )
  const prompt =
    /(\d{1,8}) (?:`?inputs?`? tokens|prompt tokens|tokens? (?:from|in|of) (?:the |your )?(?:input|prompt|messages?)|(?:tokens )?(?:in|of) (?:the |your )?(?:messages?|prompt|input|text input))|\(?\d{2,8} > \d{3,8} - (\d{1,8})/.exec(
      text,
    )
  const sum = /(?:exceeds?|over) (?:the )?context (?:limit|window|length)\D{0,20}(\d{1,8}) \+ \d{1,8} > (\d{3,8})/.exec(
    text,
  )
  const besides = /(\d{1,8}) (?:of tool input|in the functions|of (?:the )?tools)/.exec(text)
  const room = sum
    ? Number(sum[2]) - Number(sum[1])
    : Number(window?.[1]) - Number(prompt?.[1] ?? prompt?.[2]) - Number(besides?.[1] ?? 0)
  return room >= leastRoom && room < asked ? room : undefined
}
const leastRoom = 64

/** A code as it stands, or nothing when it is not one: never a sentence. */
export function toCode(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return /^[A-Za-z0-9_.]{1,48}$/.test(text) ? text : ''
}
