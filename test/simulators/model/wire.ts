// Sends one completion over HTTP, streaming or whole, at the scripted pace and with the scripted fault.
// It stops writing the moment the client is gone.
import type { ServerResponse } from 'node:http'
import { sendJson } from '#test/simulators/http-server.ts'
import { pause, type Gates } from '#test/simulators/signals.ts'
import { countPromptTokens, toMessage, usageOf, type Completion, type Delta } from './completion.ts'
import type { ModelOutcome } from './ledger.ts'
import type { CompletionRequest } from './request.ts'
import type { ChosenRule } from './script.ts'

const flushBytes = 64 * 1024

export type Sending = {
  readonly res: ServerResponse
  readonly request: CompletionRequest
  readonly completion: Completion
  readonly rule: ChosenRule
  readonly gates: Gates
  readonly id: string
  readonly createdS: number
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal
}

/** Sends a non-streaming answer. A fault other than `stall` cuts the body in the middle. */
export async function sendWhole(sending: Sending): Promise<ModelOutcome> {
  const { res, request, completion, rule } = sending
  const body = {
    id: sending.id,
    object: 'chat.completion',
    created: sending.createdS,
    model: request.model,
    choices: [{ index: 0, message: toMessage(completion.deltas), logprobs: null, finish_reason: completion.finish }],
    ...toUsage(sending),
  }
  if (rule.fault === undefined) {
    sendJson(res, 200, body)
    return 'finished'
  }
  const text = JSON.stringify(body)
  res.writeHead(200, { 'content-type': 'application/json' })
  if (rule.fault.kind === 'malformed') {
    res.end(`${text.slice(0, -1)},`)
    return 'finished'
  }
  await write(sending, text.slice(0, Math.floor(text.length / 2)))
  return breakOff(sending, rule.fault.kind)
}

/** Sends a streaming answer as server-sent events. */
export async function sendStream(sending: Sending): Promise<ModelOutcome> {
  const { res, request, completion, rule, gone } = sending
  const withUsage = request.stream_options?.include_usage === true && rule.usage !== 'none'
  const frame = toFrame(sending, withUsage)
  const isPaced = (rule.chunkDelayMs ?? 0) > 0 || rule.gate?.afterChunks !== undefined || rule.byteDelayMs !== undefined
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  let buffer = frame({ role: 'assistant', content: '' }, null)
  let sent = 0
  if (rule.fault?.afterChunks === 0) {
    const ended = await applyFault(sending, buffer)
    if (ended !== undefined) return ended
    buffer = ''
  }
  for (const delta of completion.deltas) {
    buffer += frame(delta, null)
    sent += 1
    if (isPaced || buffer.length > flushBytes) {
      await write(sending, buffer)
      buffer = ''
    }
    if (rule.gate?.afterChunks === sent) await sending.gates.pass(rule.gate.name, gone)
    if (rule.chunkDelayMs !== undefined) await pause(rule.chunkDelayMs, gone)
    if (gone.aborted) return 'aborted'
    if (rule.fault?.afterChunks !== sent) continue
    const ended = await applyFault(sending, buffer)
    if (ended !== undefined) return ended
    buffer = ''
  }
  // A fault due after more chunks than the answer has strikes before the finish reason, so that it never passes unnoticed.
  if (rule.fault !== undefined && rule.fault.afterChunks > sent) {
    const ended = await applyFault(sending, buffer)
    if (ended !== undefined) return ended
    buffer = ''
  }
  buffer += frame({}, completion.finish)
  if (withUsage) buffer += usageFrame(sending)
  buffer += 'data: [DONE]\n\n'
  if (rule.byteDelayMs !== undefined) await write(sending, buffer)
  res.end(rule.byteDelayMs === undefined ? buffer : '')
  return gone.aborted ? 'aborted' : 'finished'
}

function toFrame(sending: Sending, withUsage: boolean): (delta: Delta | object, finish: string | null) => string {
  const head = `data: {"id":"${sending.id}","object":"chat.completion.chunk","created":${sending.createdS},"model":${JSON.stringify(sending.request.model)},"choices":[{"index":0,"delta":`
  const tail = withUsage ? ',"usage":null}\n\n' : '}\n\n'
  return (delta, finish) =>
    `${head}${JSON.stringify(delta)},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}]${tail}`
}

function toUsage({ request, completion, rule }: Sending): { usage?: object } {
  if (rule.usage === 'none') return {}
  return { usage: usageOf(rule.usage ?? countPromptTokens(request), completion.completionTokens) }
}

function usageFrame(sending: Sending): string {
  const { id, createdS, request } = sending
  const head = { id, object: 'chat.completion.chunk', created: createdS, model: request.model, choices: [] }
  const chunk = { ...head, ...toUsage(sending) }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

/** Sends what is buffered, then the fault; undefined when the stream goes on. */
async function applyFault(sending: Sending, buffer: string): Promise<ModelOutcome | undefined> {
  const kind = sending.rule.fault?.kind
  if (kind === undefined) return undefined
  const half = 'data: {"id":"chatcmpl-half","object":"chat.completion.chunk","choices":[{"index":0,"del'
  if (kind === 'malformed') {
    await write(sending, `${buffer}${half}\n\n`)
    return undefined
  }
  const told = `data: ${JSON.stringify({ error: { message: 'an error was encountered while running the model', type: 'api_error' } })}\n\n`
  await write(sending, buffer + (kind === 'mid-json' ? half : kind === 'told' ? told : ''))
  return breakOff(sending, kind)
}

async function breakOff(
  { res, gone }: Sending,
  kind: 'stall' | 'end' | 'mid-json' | 'reset' | 'told',
): Promise<ModelOutcome> {
  if (kind === 'stall') {
    res.flushHeaders()
    await new Promise<void>((resolve) => {
      if (gone.aborted) resolve()
      else gone.addEventListener('abort', () => resolve(), { once: true })
    })
    return 'aborted'
  }
  if (kind === 'reset') res.socket?.resetAndDestroy()
  else res.end()
  return 'cut'
}

async function write({ res, rule, gone }: Sending, text: string): Promise<void> {
  if (gone.aborted || text === '') return
  if (rule.byteDelayMs !== undefined) {
    for (const byte of Buffer.from(text)) {
      if (gone.aborted) return
      res.write(Buffer.of(byte))
      await pause(rule.byteDelayMs, gone)
    }
    return
  }
  if (res.write(text)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      res.off('drain', done)
      gone.removeEventListener('abort', done)
      resolve()
    }
    res.once('drain', done)
    gone.addEventListener('abort', done)
  })
}
