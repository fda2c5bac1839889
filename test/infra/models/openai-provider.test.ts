// The provider's good paths against a local endpoint, with the real SDK: what is sent, and what a stream becomes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOpenAiProvider, type OpenAiOptions } from '#infra/models/openai-provider.ts'
import type { ModelPort, ModelRequest, ModelResult } from '#shared/model/model-port.ts'
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
const never = new AbortController().signal
const tool = { name: 'demo_wait', description: 'waits', parameters: { type: 'object' } }

function createPort(changes: Partial<OpenAiOptions> = {}): ModelPort {
  return createOpenAiProvider({
    apiKey: 'sk-secret',
    baseUrl: server.baseUrl,
    model: 'm',
    contextTokens: 1000,
    ...changes,
  })
}

async function complete(
  request: ModelRequest,
  port = createPort(),
): Promise<{ result: ModelResult; pieces: string[] }> {
  const pieces: string[] = []
  const result = await port.complete(request, (text) => pieces.push(text), never)
  return { result, pieces }
}

beforeEach(async () => {
  server = await startStreamServer()
  server.answer((response) => {
    startStream(response)
    response.end(piece('Hel') + piece('lo') + piece('', 'stop') + usageAndDone)
  })
})
afterEach(async () => server[Symbol.asyncDispose]())

describe('createOpenAiProvider', () => {
  it('streams the text and returns it whole with usage and model', async () => {
    const { result, pieces } = await complete(toRequest('hi'))
    expect(pieces).toEqual(['Hel', 'lo'])
    expect(result).toEqual({
      kind: 'reply',
      text: 'Hello',
      toolCalls: [],
      finish: 'stop',
      usage: { promptTokens: 7, completionTokens: 3 },
      model: 'sim-1',
    })
  })

  it('sends messages, tools and limits in the shape of the protocol, and no metadata', async () => {
    const call = { id: 'c1', name: 'demo_wait', arguments: '{"seconds":1}' }
    await complete(
      toRequest(
        [
          { role: 'system', content: 's' },
          { role: 'assistant', content: '', toolCalls: [call] },
          { role: 'tool', callId: 'c1', content: 'waited' },
        ],
        { tools: [tool] },
      ),
    )
    expect(server.seen[0]?.headers.authorization).toBe('Bearer sk-secret')
    expect(server.seen[0]?.body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 's' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'demo_wait', arguments: '{"seconds":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'waited' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: tool }],
      max_tokens: 800,
      temperature: 0.7,
    })
  })

  it('maps roles to models, and to the main one where none is set', async () => {
    const port = createPort({ fastModel: 'f' })
    await complete(toRequest('x', { role: 'fast' }), port)
    await complete(toRequest('x', { role: 'fallback' }), port)
    expect(server.seen.map((each) => each.body['model'])).toEqual(['f', 'm'])
    expect([port.hasFallback, createPort({ fallbackModel: 'b' }).hasFallback]).toEqual([false, true])
  })

  it('puts interleaved tool calls together by index', async () => {
    server.answer((response) => {
      startStream(response)
      response.write(toolPiece([{ index: 1, id: 'b', function: { name: 'two', arguments: '' } }]))
      response.write(toolPiece([{ index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } }]))
      response.write(toolPiece([{ index: 1, function: { arguments: '{"__proto__":1}' } }]))
      response.end(toolPiece([{ index: 0, function: { arguments: ':1}' } }], 'tool_calls') + usageAndDone)
    })
    const { result } = await complete(toRequest('x'))
    expect(result).toMatchObject({
      finish: 'tool-calls',
      toolCalls: [
        { id: 'a', name: 'one', arguments: '{"x":1}' },
        { id: 'b', name: 'two', arguments: '{"__proto__":1}' },
      ],
    })
  })

  it('takes tool calls without index, id or arguments, ended with `stop`', async () => {
    server.answer((response) => {
      startStream(response)
      response.end(toolPiece([{ function: { name: 'demo_wait' } }], 'stop') + usageAndDone)
    })
    const { result } = await complete(toRequest('x'))
    expect(result).toMatchObject({
      finish: 'tool-calls',
      toolCalls: [{ id: 'call_0', name: 'demo_wait', arguments: '{}' }],
    })
  })

  it('gives no tool call whose arguments the length cut', async () => {
    server.answer((response) => {
      startStream(response)
      const calls = [
        { index: 0, id: 'a', function: { name: 'whole', arguments: '{"x":1}' } },
        { index: 1, id: 'b', function: { name: 'cut', arguments: '{"x":' } },
      ]
      response.end(toolPiece(calls, 'length') + usageAndDone)
    })
    const { result } = await complete(toRequest('x'))
    expect(result).toMatchObject({ finish: 'length', toolCalls: [{ name: 'whole' }] })
  })

  it('estimates the usage an endpoint does not send', async () => {
    server.answer((response) => {
      startStream(response)
      response.end(`${piece('four words of reply')}${piece('', 'stop')}data: [DONE]\n\n`)
    })
    const { result } = await complete(toRequest('What is the weather like in Berlin today?'))
    if (result.kind !== 'reply') throw new Error(result.message)
    expect(result.usage.promptTokens).toBeGreaterThan(8)
    expect(result.usage.promptTokens).toBeLessThan(24)
    expect(result.usage.completionTokens).toBeGreaterThanOrEqual(4)
  })

  it('reads characters and lines cut anywhere, CRLF, comments and an unended stream after the finish reason', async () => {
    const bytes = Buffer.from(
      `: ping\r\n\r\nevent: x\r\n${(piece('你好🙂') + piece('', 'stop')).replaceAll('\n', '\r\n')}`,
    )
    server.answer((response) => {
      startStream(response)
      for (const byte of bytes) response.write(Buffer.from([byte]))
      response.end()
    })
    const { result } = await complete(toRequest('x'))
    expect(result).toMatchObject({ kind: 'reply', text: '你好🙂', finish: 'stop' })
  })

  it('learns the dialect of an endpoint from its 400s, once per model', async () => {
    const refusals = [
      [
        'max_tokens',
        { error: { message: "Unsupported parameter. Use 'max_completion_tokens' instead.", param: 'max_tokens' } },
      ],
      ['temperature', { error: { message: 'Only the default (1) value is supported.', param: 'temperature' } }],
      ['stream_options', { detail: 'Extra inputs are not permitted: stream_options' }],
    ] as const
    server.answer((response, seen) => {
      const refusal = refusals.find(([field]) => field in seen.body)
      if (refusal)
        return void response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal[1]))
      startStream(response)
      response.end(piece('ok', 'stop') + usageAndDone)
    })
    const port = createPort()
    expect((await complete(toRequest('x'), port)).result.kind).toBe('reply')
    expect(server.seen).toHaveLength(4)
    expect((await complete(toRequest('x'), port)).result.kind).toBe('reply')
    expect(server.seen).toHaveLength(5)
    expect(server.seen[4]?.body).toMatchObject({ max_completion_tokens: 800 })
  })

  it('keeps connections for the next call, and runs 1,000 calls at once', async () => {
    const port = createPort()
    await complete(toRequest('x'), port)
    await complete(toRequest('x'), port)
    expect(server.connections()).toBe(1)
    const waiting: (() => void)[] = []
    server.answer((response) => {
      startStream(response)
      response.write(piece('a'))
      waiting.push(() => response.end(piece('b', 'stop') + usageAndDone))
      if (waiting.length === 1000) for (const end of waiting) end()
    })
    await Promise.all(
      Array.from({ length: 1000 }, async () => {
        const { result } = await complete(toRequest('x'), port)
        expect(result).toMatchObject({ kind: 'reply', text: 'ab' }) // and the first that fails says why
      }),
    )
  }, 20_000)

  it('stops reading 50 MB at its limit, without growing by 64 MB', async () => {
    const block = piece('混'.repeat(20_000))
    let sent = 0
    server.answer((response) => {
      startStream(response)
      const more = (): void => {
        while (sent < 50_000_000 && !response.destroyed) {
          sent += block.length * 3
          if (!response.write(block)) return
        }
        response.end()
      }
      response.on('drain', more)
      more()
    })
    const before = process.memoryUsage().rss
    const { result, pieces } = await complete(toRequest('x'))
    expect(result).toMatchObject({ kind: 'reply', finish: 'length' })
    expect(Buffer.byteLength(pieces.join(''))).toBeLessThanOrEqual(256 * 1024)
    expect(pieces.join('')).toMatch(/^混+$/)
    expect(process.memoryUsage().rss - before).toBeLessThan(64_000_000)
  })

  it('describes itself without credentials', () => {
    const port = createPort({ baseUrl: 'https://user:pass@models.example/v1' })
    expect(port.describe()).toEqual({ name: 'm', endpoint: 'models.example', offline: false })
  })

  it('refuses a base URL that is none', () => {
    expect(() => createPort({ baseUrl: 'models.example' })).toThrow(/OPENAI_BASE_URL/)
  })

  it('ignores unknown fields and choices it did not ask for', async () => {
    server.answer((response) => {
      startStream(response)
      response.write(event({ choices: [], prompt_filter_results: [{ x: 1 }] }))
      response.write(event({ choices: [{ index: 0, delta: { reasoning_content: 'hm', content: null } }] }))
      response.end(piece('ok', 'stop') + usageAndDone)
    })
    expect((await complete(toRequest('x'))).result).toMatchObject({ text: 'ok' })
  })
})
