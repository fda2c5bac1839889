// Words of people that an endpoint repeats in a refusal: they teach nothing that is kept, are never told, and a refusal beside them is understood all the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutEchoes } from '#infra/models/echoes.ts'
import { createOpenAiProvider } from '#infra/models/openai-provider.ts'
import type { ModelPort, PromptMessage } from '#shared/model/model-port.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { toRequest } from './model-request.ts'
import { event, piece, startStream, startStreamServer, usageAndDone, type StreamServer } from './stream-server.ts'

let server: StreamServer
beforeAll(async () => void (server = await startStreamServer()))
afterAll(() => server[Symbol.asyncDispose]())

const words = [
  'My model does not support tools, why?',
  'The system role is not supported here.',
  'temperature is not supported with this model',
  'conversation roles must alternate user/assistant',
  'Unrecognized request argument supplied: stream_options',
  'max_tokens is too large: it supports at most 100 tokens',
  'Tool call id was x but must be a-z, with a length of 9',
  '模型不支持工具，温度不允许',
]
const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }]
const said: string[] = []
const open = (): ModelPort =>
  createOpenAiProvider({
    apiKey: 'k',
    baseUrl: server.baseUrl,
    model: 'm',
    contextTokens: 1000,
    say: (what) => said.push(what),
  })
const ask = async (port: ModelPort, text: string) =>
  await port.complete(
    toRequest(
      [
        { role: 'system', content: 'RULES' },
        { role: 'user', content: text },
      ],
      { tools, maxOutputTokens: 6000 },
    ),
    () => {},
    AbortSignal.timeout(5000),
  )

/** The shapes in which endpoints repeat what they refuse. */
const shapes: readonly (readonly [string, (text: string) => string])[] = [
  ['plain text', (text) => `Bad request: content policy: "${text}"`],
  ['plain text, cut', (text) => `Blocked input: ${text.slice(0, -2)}...`],
  ['a page', (text) => `Error 400. You sent: ${text.toUpperCase()}`],
  [
    'a message',
    (text) => JSON.stringify({ error: { message: `Could not read your message '${text}'`, code: 'blocked' } }),
  ],
  ['a detail', (text) => JSON.stringify({ detail: [{ loc: ['body', 'messages', 1], msg: `Odd value: ${text}` }] })],
  [
    'JSON within JSON',
    (text) => JSON.stringify({ message: JSON.stringify({ messages: [{ content: `\n${text}\n` }] }) }),
  ],
  [
    'the request within words',
    (text) => `cannot parse {"messages":[{"role":"user","content":${JSON.stringify(`${text}\n`)}}]}`,
  ],
]

test.each(shapes)('%s teaches nothing that is kept, and no word of it is told', async (_, shape) => {
  for (const one of words) {
    const text = `Zanzibar. ${one}`
    server.answer((response) => void response.writeHead(400).end(shape(text)))
    const port = open()
    const result = await ask(port, text)
    expect([text, result.kind]).toEqual([text, 'failure'])
    expect(JSON.stringify(result)).not.toMatch(/zanzibar/i)
    expect([text, port.dialect?.('main')]).toEqual([text, []])
    // It answers again: with tools, as before.
    server.answer((response) => {
      startStream(response)
      response.end(piece('fine', 'stop') + usageAndDone)
    })
    expect(await ask(port, 'hi')).toMatchObject({ text: 'fine' })
    expect(server.seen.at(-1)?.body).toMatchObject({ tools: [{}], temperature: 0.7, max_tokens: 6000 })
  }
  expect(said).toEqual([])
})

test('a refusal of the endpoint is understood where people say the same, for their answer only', async () => {
  const port = open()
  server.answer((response, { body }) => {
    if (body['tools']) return void response.writeHead(400).end('registry.ollama.ai/library/x does not support tools')
    startStream(response)
    response.end(piece('fine', 'stop') + usageAndDone)
  })
  expect(await ask(port, 'It says "does not support tools".')).toMatchObject({ text: 'fine' })
  expect(port.dialect?.('main')).toEqual([])
  expect(await ask(port, 'hi')).toMatchObject({ text: 'fine' })
  expect(port.dialect?.('main')).toHaveLength(1)
})

test('of an error within the stream, and of its codes, nothing is told either', async () => {
  server.answer((response) => {
    startStream(response)
    response.end(event({ error: { message: 'you said: too many requests', code: 'hunter2' } }))
  })
  const result = await ask(open(), 'too many requests, hunter2')
  expect(result).toMatchObject({ failure: 'unavailable' })
  expect(JSON.stringify(result)).not.toContain('hunter2')
})

test('a prompt is not too long because somebody says so; it is where the endpoint counts', async () => {
  const text = 'my prompt is too long for the context window'
  server.answer((response) => void response.writeHead(400).end(`Refused: ${text}`))
  expect(await ask(open(), text)).toMatchObject({ failure: 'bad-request' })
  server.answer((response) => void response.writeHead(400).end('prompt is too long: 210000 tokens > 200000 maximum'))
  expect(await ask(open(), text)).toMatchObject({ failure: 'too-long' })
})

const cut = (text: string, ...messages: readonly PromptMessage[]): string =>
  withoutEchoes({ status: 400, code: '', said: text }, messages).said

test('only what stands in the request is cut out', () => {
  const user = { role: 'user', content: 'The cat sat on the mat. It was warm.' } as const
  expect(cut('Bad value "the cat sat", tools are not supported', user)).toBe('Bad value " … ", tools are not supported')
  expect(cut('cat and mat: it is fine', user)).toBe('cat and mat: it is fine')
  expect(cut('Bad value: hi', { role: 'user', content: 'hi' })).toBe('Bad value:  … ')
  expect(cut('hi there, no tools', { role: 'user', content: 'tools' })).toBe('hi there, no tools')
  expect(cut('不支持：你好吗朋友', { role: 'user', content: '你好吗朋友' })).toBe('不支持： … ')
  const call = { id: 'a', name: 'look', arguments: '{"at":"a secret place\\nof mine"}' }
  expect(cut('bad: a secret place of mine', { role: 'assistant', content: '', toolCalls: [call] })).toBe('bad:  … ')
})

test('hostile texts take time in proportion to their length', () => {
  const beganMs = processorMs()
  cut('a '.repeat(4000), { role: 'user', content: 'a '.repeat(100_000) })
  cut('a b '.repeat(2000), { role: 'user', content: 'a b c '.repeat(50_000) })
  expect(processorMs() - beganMs).toBeLessThan(1500)
})
