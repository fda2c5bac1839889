// What an endpoint sends with a call goes back with it, to the same model only, and counts for no longer than it may.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packGivenBack, unpackGivenBack } from '#infra/models/given-back.ts'
import { createOpenAiProvider } from '#infra/models/openai-provider.ts'
import type { ModelResult, ToolCall } from '#shared/model/model-port.ts'
import { toRequest } from './model-request.ts'
import { event, startStream, startStreamServer, usageAndDone, type StreamServer } from './stream-server.ts'

let server: StreamServer
beforeAll(async () => {
  server = await startStreamServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const call = { index: 0, id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }
const open = (model: string) =>
  createOpenAiProvider({ apiKey: 'k', baseUrl: server.baseUrl, model, contextTokens: 100_000 })

async function ask(model: string, toolCalls: readonly ToolCall[] = []): Promise<ModelResult> {
  const done =
    toolCalls.length === 0
      ? []
      : [
          { role: 'assistant', content: '', toolCalls } as const,
          { role: 'tool', callId: toolCalls[0]?.id ?? '', content: 'found' } as const,
        ]
  const request = toRequest([{ role: 'user', content: 'look' }, ...done])
  return await open(model).complete(request, () => {}, AbortSignal.timeout(5000))
}

async function answered(deltas: readonly unknown[]): Promise<readonly ToolCall[]> {
  server.answer((response) => {
    startStream(response)
    const chunks = deltas.map((delta) => event({ choices: [{ delta, finish_reason: null }] }))
    response.end(`${chunks.join('')}${event({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] })}${usageAndDone}`)
  })
  const result = await ask('m')
  return result.kind === 'reply' ? result.toolCalls : []
}

test.each([
  [
    'a thought in pieces',
    [{ reasoning_content: 'one ' }, { reasoning_content: 'two' }, { tool_calls: [call] }],
    { reasoning_content: 'one two' },
    {},
  ],
  [
    'details as a list',
    [{ reasoning_details: [{ type: 'a', data: 'x' }] }, { reasoning_details: [{ type: 'b' }] }, { tool_calls: [call] }],
    { reasoning_details: [{ type: 'a', data: 'x' }, { type: 'b' }] },
    {},
  ],
  [
    'a signature on the call',
    [{ tool_calls: [{ ...call, extra_content: { google: { thought_signature: 's' } } }] }],
    {},
    { extra_content: { google: { thought_signature: 's' } } },
  ],
  [
    'a field that nobody knows yet',
    [{ opaque_state: { k: 1 } }, { tool_calls: [call] }],
    { opaque_state: { k: 1 } },
    {},
  ],
])('%s goes back as it came', async (_name, deltas, message, onCall) => {
  const calls = await answered(deltas)
  expect(calls).toMatchObject([{ name: 'look', arguments: '{}' }])
  await ask('m', calls)
  expect(server.seen.at(-1)?.body['messages']).toMatchObject([
    {},
    { ...message, role: 'assistant', tool_calls: [{ ...onCall, function: { name: 'look' } }] },
    {},
  ])
  await ask('other', calls)
  for (const key of [...Object.keys(message), ...Object.keys(onCall)])
    expect(JSON.stringify(server.seen.at(-1)?.body)).not.toContain(key)
})

test('ids go back as they came, also those of Kimi, in calls and in text', async () => {
  const calls = await answered([{ tool_calls: [{ ...call, id: 'functions.look:0' }] }])
  await ask('m', calls)
  expect(server.seen.at(-1)?.body['messages']).toMatchObject([
    {},
    { tool_calls: [{ id: 'functions.look:0' }] },
    { tool_call_id: 'functions.look:0' },
  ])
})

test('nothing that came is nothing, and what is too much loses its end', () => {
  const calls = [{ id: 'a', name: 'look', arguments: '{}' }]
  expect(packGivenBack({ model: 'm', message: {}, calls: [{}] })).toBeUndefined()
  const packed = packGivenBack({
    model: 'm',
    message: { reasoning_content: 'x'.repeat(1_000_000), list: [1] },
    calls: [],
  })
  expect(packed?.length).toBeLessThan(20_000)
  expect(packGivenBack({ model: 'm', message: {}, calls: [{ signature: 'x'.repeat(1_000_000) }] })).toBeUndefined()
  const broken = [{ ...calls[0], id: 'a', name: 'look', arguments: '{}', opaque: '{"model":"m","message":3' }]
  expect(unpackGivenBack(broken, 'm', { givesBack: 'kept' })).toEqual({ message: {}, calls: [] })
})
