// What the bare pipelines do at their hops, whatever carries the messages between them: the same model call as our executor's, over a bare
// keep-alive connection, and an append to the same kind of stream.
import http from 'node:http'
import process from 'node:process'
import type { Redis } from 'ioredis'
import { toBody } from '#infra/models/chat-request.ts'
import { widestDialect } from '#infra/models/dialects.ts'
import { assemblePrompt } from '#services/executor/context/prompt.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { parseState } from '#services/executor/state/stored.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'

export type BareMessage = { readonly conversation: string; readonly id: string; readonly text: string }

const noFeatures = indexFeatures([])
const endpoint = `${process.env['OPENAI_BASE_URL'] ?? ''}/chat/completions`
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1024 })
const placeholder = '@@text@@'
const template = toTemplate()

export function callModel(text: string): Promise<void> {
  const body = template.replace(placeholder, text)
  const headers = {
    authorization: 'Bearer bench',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const outgoing = http.request(endpoint, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', resolve)
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** With `notifies` whoever listens to the conversation is told. */
export async function appendAnswer(
  redis: Redis,
  { conversation, id, text }: BareMessage,
  notifies: boolean,
): Promise<void> {
  const body = JSON.stringify({ v: 1, kind: 'send', text: `echo: ${text}`, answers: [id], language: 'en' })
  const stream = `out:${conversation}`
  const item = `b${Date.now()}${body}`
  if (!notifies) return void (await redis.rpush(stream, item))
  await redis.pipeline().rpush(stream, item).publish(`fl:live:${conversation}`, 'out').exec()
}

export function isNotify(question: unknown): question is { kind: 'notify'; on: boolean } {
  return typeof question === 'object' && question !== null && 'kind' in question && question.kind === 'notify'
}

/** The request of a first message as our executor makes it, with a place for the text. */
function toTemplate(): string {
  const { messages } = assemblePrompt({
    principal: 'web:owner',
    state: parseState(noFeatures, { parts: {} }, Date.now()),
    class: { type: 'query', depth: 'standard', complex: false, rule: 'default', confidence: 'low' },
    tools: [],
    items: [{ role: 'user', source: 'person', text: placeholder }],
    clock: '2026-11-21 12:00 (UTC)',
    budgetTokens: 95_000,
    estimate: (piece) => estimateTokens(piece).upperBound,
  })
  const metadata = { depth: 'standard', conversation: '' } as const
  const request = { role: 'main', messages, tools: [], maxOutputTokens: 800, temperature: 0.7, metadata } as const
  return JSON.stringify(toBody(request, 'simulated', widestDialect))
}
