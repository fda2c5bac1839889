// The baseline: three BullMQ workers that pass a message on, all in one process or those that are named. The middle one makes the same model call as our
// executor, over a bare keep-alive connection; the last one appends to the same kind of stream.
import './count-writes.ts'
import http from 'node:http'
import process from 'node:process'
import { Queue, Worker, type Job } from 'bullmq'
import { Redis } from 'ioredis'
import { toBody, widestDialect } from '#infra/models/chat-request.ts'
import { assemblePrompt } from '#services/executor/context/prompt.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { parseState } from '#services/executor/state/stored.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { serveParent } from './child.ts'
import { readStats } from './count-writes.ts'

export type BaselineJob = { readonly conversation: string; readonly id: string; readonly text: string }

const noFeatures = indexFeatures([])
const url = process.env['REDIS_URL'] ?? ''
const connection = { url, maxRetriesPerRequest: null }
const defaultJobOptions = { removeOnComplete: true }
const second = new Queue('second', { connection, defaultJobOptions })
const third = new Queue('third', { connection, defaultJobOptions })
const redis = new Redis(url)
const endpoint = `${process.env['OPENAI_BASE_URL'] ?? ''}/chat/completions`
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1024 })
const placeholder = '@@text@@'
const template = toTemplate()
let notifies = false

const hops: Record<string, (job: Job<BaselineJob>) => Promise<unknown>> = {
  first: async (job) => await second.add('m', job.data),
  second: async (job) => (await callModel(job.data.text), await third.add('m', job.data)),
  third: (job) => append(job.data),
}
const workers = Object.entries(hops)
  .filter(([name]) => process.argv.length === 2 || process.argv.includes(name))
  .map(([name, hop]) => new Worker(name, pass(hop), { connection, concurrency: 50 }))
await Promise.all(workers.map((worker) => worker.waitUntilReady()))

serveParent(async (question) => {
  if (isNotify(question)) notifies = question.on
  return readStats()
})
process.once('SIGTERM', () => process.exit(0))

function pass(hop: (job: Job<BaselineJob>) => Promise<unknown>): (job: Job<BaselineJob>) => Promise<void> {
  return async (job) => void (await hop(job))
}

async function append({ conversation, id, text }: BaselineJob): Promise<void> {
  const body = JSON.stringify({ v: 1, kind: 'send', text: `echo: ${text}`, answers: [id], language: 'en' })
  const stream = `out:${conversation}`
  const item = `b${Date.now()}${body}`
  if (!notifies) return void (await redis.rpush(stream, item))
  await redis.pipeline().rpush(stream, item).publish(`fl:live:${conversation}`, 'out').exec()
}

function callModel(text: string): Promise<void> {
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

function isNotify(question: unknown): question is { kind: 'notify'; on: boolean } {
  return typeof question === 'object' && question !== null && 'kind' in question && question.kind === 'notify'
}

/** The request of a first message as our executor makes it, with a place for the text. */
function toTemplate(): string {
  const { messages } = assemblePrompt({
    principal: 'web:owner',
    state: parseState(noFeatures, { parts: {} }, Date.now()),
    class: { type: 'query', depth: 'standard', complex: false, rule: 'default', confidence: 'low' },
    tools: [],
    items: [{ role: 'user', text: placeholder }],
    clock: '2026-11-21 12:00 (UTC)',
    budgetTokens: 95_000,
    estimate: (piece) => estimateTokens(piece).upperBound,
  })
  const metadata = { depth: 'standard', conversation: '' } as const
  const request = { role: 'main', messages, tools: [], maxOutputTokens: 800, temperature: 0.7, metadata } as const
  return JSON.stringify(toBody(request, 'simulated', widestDialect))
}
