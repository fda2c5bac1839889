// Each way a model call fails, against a local endpoint with the real SDK: its name, what it says, and what it never says.
import net from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOpenAiProvider, type OpenAiOptions } from '#infra/models/openai-provider.ts'
import type { ModelResult } from '#shared/model/model-port.ts'
import { toRequest } from './model-request.ts'
import {
  event,
  piece,
  startStream,
  startStreamServer,
  type StreamServer,
  toolPiece,
  usageAndDone,
} from './stream-server.ts'

let server: StreamServer
const nowMs = Date.parse('2026-01-01T00:00:00Z')
const secrets = ['sk-secret', 'PROMPT', 'ECHOED']

async function fail(changes: Partial<OpenAiOptions> = {}, signal = new AbortController().signal): Promise<ModelResult> {
  const options = { apiKey: 'sk-secret', baseUrl: server.baseUrl, model: 'm', contextTokens: 1000, now: () => nowMs }
  const result = await createOpenAiProvider({ ...options, ...changes }).complete(toRequest('PROMPT'), () => {}, signal)
  for (const secret of secrets) expect(JSON.stringify(result)).not.toContain(secret)
  return result
}

function answerStatus(status: number, headers: Record<string, string> = {}, error: Record<string, unknown> = {}): void {
  const body = { error: { message: 'ECHOED PROMPT for sk-secret', ...error } }
  server.answer((response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
}

function answerStream(text: string, end: 'end' | 'destroy' | 'stall' = 'end'): void {
  server.answer((response) => {
    startStream(response)
    if (end === 'destroy') response.write(text, () => response.destroy())
    else if (end === 'stall') response.write(text)
    else response.end(text)
  })
}

beforeEach(async () => {
  server = await startStreamServer()
})
afterEach(async () => server[Symbol.asyncDispose]())

describe('a failed model call', () => {
  it.each([
    [429, 'rate-limited'],
    [401, 'auth'],
    [403, 'auth'],
    [402, 'auth'],
    [400, 'bad-request'],
    [404, 'no-model'],
    [302, 'bad-request'],
    [304, 'unavailable'],
    [408, 'timeout'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [204, 'unavailable'],
  ])('names status %i %s, after one request', async (status, failure) => {
    answerStatus(status)
    expect(await fail()).toMatchObject({ kind: 'failure', failure })
    expect(server.seen).toHaveLength(1)
  })

  it.each([
    [400, { code: 'context_length_exceeded' }],
    [400, { type: 'exceed_context_size_error', message: 'the request exceeds the available context size, ECHOED' }],
    [400, { message: "This model's maximum context length is 4096 tokens. However, you requested 5000, ECHOED" }],
    [400, { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' }],
    [400, { message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
    [422, { message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length' }],
    [413, { message: 'Please reduce the length of the messages or completion. ECHOED' }],
  ])('with status %i and %j is one of a prompt that is too long', async (status, error) => {
    answerStatus(status, {}, error)
    expect(await fail()).toMatchObject({ failure: 'too-long' })
  })

  it('is none of that when it is our own fault of another kind, or a busy endpoint', async () => {
    answerStatus(400, {}, { message: 'max_tokens is too large: 9000. This model supports at most 4096' })
    expect(await fail()).toMatchObject({ failure: 'bad-request' })
    answerStatus(503, {}, { message: 'no slot with such a context length' })
    expect(await fail()).toMatchObject({ failure: 'unavailable' })
  })

  it('says inside its stream that the prompt is too long', async () => {
    answerStream(event({ error: { code: 400, message: 'the request exceeds the available context size' } }))
    expect(await fail()).toMatchObject({ failure: 'too-long' })
  })

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
  ])('reads when to try again from %j', async (headers, retryAfterMs) => {
    answerStatus(429, headers)
    const result = await fail()
    expect(result.kind === 'failure' && result.retryAfterMs).toBe(retryAfterMs)
  })

  it('calls an empty account `auth`, since waiting fills none', async () => {
    answerStatus(429, {}, { code: 'insufficient_quota' })
    expect(await fail()).toMatchObject({ failure: 'auth' })
  })

  it('is `unavailable` when nobody listens, no name resolves, or TLS fails', async () => {
    const refused = await fail({ baseUrl: 'http://127.0.0.1:1/v1' })
    expect(refused).toMatchObject({ failure: 'unavailable', message: expect.stringContaining('ECONNREFUSED') })
    expect(await fail({ baseUrl: 'http://no-such-host.invalid/v1' })).toMatchObject({ failure: 'unavailable' })
    expect(await fail({ baseUrl: server.baseUrl.replace('http:', 'https:') })).toMatchObject({ failure: 'unavailable' })
  })

  it('is `unavailable` when the connection closes before an answer', async () => {
    server.answer((response) => response.destroy())
    expect(await fail()).toMatchObject({ failure: 'unavailable' })
  })

  it('is a `timeout` when no byte comes, before the headers or within the stream', async () => {
    server.answer(() => {})
    expect(await fail({ firstTimeoutMs: 80 })).toMatchObject({ failure: 'timeout' })
    answerStream(event({ choices: [{ delta: { role: 'assistant' } }] }), 'stall')
    expect(await fail({ firstTimeoutMs: 80 })).toMatchObject({ failure: 'timeout' })
    answerStream(piece('half'), 'stall')
    expect(await fail({ idleTimeoutMs: 80 })).toMatchObject({ failure: 'timeout' })
  })

  it('is none while bytes keep coming, however slowly, within the whole time', async () => {
    server.answer((response) => {
      startStream(response)
      let sent = 0
      const timer = setInterval(() => {
        if (++sent < 12) return void response.write(': still thinking\n\n')
        clearInterval(timer)
        response.end(piece('done', 'stop') + usageAndDone)
      }, 50)
    })
    expect(await fail({ firstTimeoutMs: 400 })).toMatchObject({ kind: 'reply', text: 'done' })
  })

  it('is a `timeout` in all, though bytes keep dripping', async () => {
    let timer: NodeJS.Timeout | undefined
    server.answer((response) => {
      startStream(response)
      timer = setInterval(() => response.write(': drip\n\n'), 20)
    })
    const result = await fail({ idleTimeoutMs: 5_000, totalTimeoutMs: 200 })
    clearInterval(timer)
    expect(result).toMatchObject({ failure: 'timeout', message: expect.stringContaining('200 ms') })
  })

  it('is `cut-off` when the stream ends or breaks without a finish reason', async () => {
    answerStream(piece('half'))
    expect(await fail()).toMatchObject({ failure: 'cut-off' })
    answerStream(`${piece('half')}data: [DONE]\n\n`)
    expect(await fail()).toMatchObject({ failure: 'cut-off' })
    answerStream(`${piece('half')}data: {"choices":[{"delta":{"con`)
    expect(await fail()).toMatchObject({ failure: 'cut-off' })
    answerStream(toolPiece([{ index: 0, id: 'a', function: { name: 'x', arguments: '{"a"' } }]), 'destroy')
    expect(await fail()).toMatchObject({ failure: 'cut-off' })
  })

  it('is `malformed` for bytes that are not the protocol', async () => {
    // Asked again it is the same page.
    answerStream('<html>please log in ECHOED</html>')
    expect(await fail()).toMatchObject({ failure: 'no-model' })
    answerStream('data: {"choices":ECHOED\n\n')
    expect(await fail()).toMatchObject({ failure: 'malformed' })
    answerStream(event({ choices: [{ delta: { content: { ECHOED: 1 } } }] }))
    expect(await fail()).toMatchObject({ failure: 'cut-off' })
    answerStream(`data: ${'x'.repeat(70_000)}`)
    expect(await fail({ maxOutputBytes: 8 * 1024 })).toMatchObject({ failure: 'malformed' })
  })

  it('classifies an error sent inside the stream', async () => {
    answerStream(piece('half') + event({ error: { message: 'ECHOED', code: 'rate_limit_exceeded' } }))
    expect(await fail()).toMatchObject({ failure: 'rate-limited' })
    answerStream(event({ error: { message: 'ECHOED', type: 'server_error' } }))
    expect(await fail()).toMatchObject({ failure: 'unavailable' })
    answerStream(event({ error: { message: 'ECHOED', code: 401 } }))
    expect(await fail()).toMatchObject({ failure: 'auth' })
  })

  it('is `aborted` by the caller before, while waiting, and in the stream', async () => {
    expect(await fail({}, AbortSignal.abort())).toMatchObject({ failure: 'aborted' })
    expect(server.seen).toHaveLength(0)

    const waiting = new AbortController()
    server.answer(() => waiting.abort())
    expect(await fail({}, waiting.signal)).toMatchObject({ failure: 'aborted' })

    const streaming = new AbortController()
    const closed = new Promise<void>((resolve) => {
      server.answer((response) => {
        startStream(response)
        response.write(piece('half'), () => streaming.abort())
        response.on('close', resolve)
      })
    })
    expect(await fail({}, streaming.signal)).toMatchObject({ failure: 'aborted' })
    await closed
  })

  it('is none when the connection breaks or stalls after the finish reason', async () => {
    answerStream(piece('whole', 'stop'), 'destroy')
    expect(await fail()).toMatchObject({ kind: 'reply', text: 'whole' })
    answerStream(piece('whole', 'stop') + usageAndDone, 'stall')
    expect(await fail()).toMatchObject({ kind: 'reply', text: 'whole', usage: { promptTokens: 7 } })
  })

  it('reads no more of an error body than it needs', async () => {
    server.answer((response) => {
      response.writeHead(500)
      const flood = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', flood)
      flood()
    })
    expect(await fail()).toMatchObject({ failure: 'unavailable' })
  })

  it('throws what the receiver of the text throws', async () => {
    answerStream(piece('x', 'stop') + usageAndDone)
    const port = createOpenAiProvider({ apiKey: 'k', baseUrl: server.baseUrl, model: 'm', contextTokens: 1000 })
    const receive = (): never => {
      throw new Error('disk full')
    }
    await expect(port.complete(toRequest('x'), receive, new AbortController().signal)).rejects.toThrow('disk full')
  })

  it('asks again by itself only when a kept connection had been closed', async () => {
    const sockets = new Set<net.Socket>()
    const good = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n`
    const body = piece('ok', 'stop')
    let requests = 0
    const raw = net.createServer((socket) => {
      sockets.add(socket)
      let served = 0
      socket.on('error', () => {})
      socket.on('data', () => {
        requests++
        if (served++ > 0) socket.resetAndDestroy()
        else socket.write(`${good}${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`)
      })
    })
    await new Promise<void>((resolve) => void raw.listen(0, '127.0.0.1', resolve))
    const address = raw.address()
    if (!address || typeof address === 'string') throw new Error('not listening on a port')
    const baseUrl = `http://127.0.0.1:${address.port}/v1`
    expect(await fail({ baseUrl })).toMatchObject({ kind: 'reply' })
    expect(await fail({ baseUrl })).toMatchObject({ kind: 'reply' })
    expect([requests, sockets.size]).toEqual([3, 2])
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => void raw.close(resolve))
  })
})
