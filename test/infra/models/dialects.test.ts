// What endpoints that call themselves compatible refuse, in the words of many servers: each is understood, answered in another form, and remembered.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrangeMessages } from '#infra/models/arrange-messages.ts'
import { describeDialect, dialectRows, readDialect } from '#infra/models/dialects.ts'
import { createOpenAiProvider } from '#infra/models/openai-provider.ts'
import { findRoom } from '#infra/models/refusal.ts'
import type { ModelPort, ModelRequest, PromptMessage, ToolSchema } from '#shared/model/model-port.ts'
import { refusals, type Refuses } from '#test/simulators/model/dialects/refusals.ts'
import { toRequest } from './model-request.ts'
import { piece, startStream, startStreamServer, usageAndDone, type StreamServer } from './stream-server.ts'

let server: StreamServer
beforeAll(async () => void (server = await startStreamServer()))
afterAll(() => server[Symbol.asyncDispose]())

const tools: readonly ToolSchema[] = [
  {
    name: 'look',
    description: 'Looks.',
    parameters: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { at: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] }, n: { const: 3 } },
      required: ['at'],
      additionalProperties: false,
    },
  },
]
const conversation: readonly PromptMessage[] = [
  { role: 'system', content: 'RULES' },
  { role: 'system', content: 'SUMMARY' },
  { role: 'user', content: 'one' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      {
        id: 'a',
        name: 'look',
        arguments: '{}',
        opaque: JSON.stringify({ model: 'm', message: { reasoning_note: 'N' }, calls: [] }),
      },
    ],
  },
  { role: 'tool', callId: 'a', content: 'FOUND' },
  { role: 'user', content: 'two' },
  { role: 'user', content: 'three' },
  { role: 'system', content: 'STATE' },
]
const request: ModelRequest = toRequest(conversation, { tools, maxOutputTokens: 6000 })
const asks = async (port: ModelPort) => await port.complete(request, () => {}, AbortSignal.timeout(10_000))

const error = (message: string, more = {}) => ({ error: { message, type: 'invalid_request_error', ...more } })

let wanted: Refuses = () => undefined
function openPort(said: string[] = []): ModelPort {
  server.answer((response, { body }) => {
    const refused = wanted(body as Parameters<Refuses>[0])
    if (!refused) {
      startStream(response)
      return void response.end(piece('fine', 'stop') + usageAndDone)
    }
    const [status, told] = refused
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof told === 'string' ? told : JSON.stringify(told))
  })
  return createOpenAiProvider({
    apiKey: 'k',
    baseUrl: server.baseUrl,
    model: 'm',
    contextTokens: 100_000,
    say: (text) => said.push(text),
  })
}

test.each(refusals)('%s, as %s says it', async (id, _server, refuses) => {
  wanted = refuses
  const said: string[] = []
  const port = openPort(said)
  expect(await asks(port)).toMatchObject({ kind: 'reply', text: 'fine' })
  const what = dialectRows.find((one) => one.id === id)?.what.replace(/\{.*/, '') ?? 'no row'
  expect(port.dialect?.('main').join('; ')).toContain(what)
  // No word of the prompt is lost on the way.
  const sent = JSON.stringify(server.seen.at(-1)?.body)
  for (const word of ['RULES', 'SUMMARY', 'one', 'FOUND', 'two', 'three', 'STATE']) expect(sent).toContain(word)
  // Tools go only where they are refused.
  if (id !== 'no-tools') expect(sent).toContain('"tools"')
  // It is known now, and told once.
  const before = server.seen.length
  expect(await asks(port)).toMatchObject({ kind: 'reply', text: 'fine' })
  expect(server.seen.length).toBe(before + 1)
  expect(new Set(said).size).toBe(said.length)
  expect(said.join()).toContain('The endpoint of m')
})

test('several differences of one server are found one after the other', async () => {
  const all = ['one-system', 'no-temperature', 'lean-schemas', 'no-stream-options'].map(
    (id) => refusals.find(([of]) => of === id)?.[2] ?? (() => undefined),
  )
  wanted = (body) => all.map((refuses) => refuses(body)).find(Boolean)
  expect(await asks(openPort())).toMatchObject({ kind: 'reply', text: 'fine' })
})

test.each([
  [
    'a limit that is too small',
    400,
    error(
      'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.',
    ),
  ],
  [
    'a prompt that is too long',
    400,
    error(
      "'max_tokens' or 'max_completion_tokens' is too large: 6000. This model's maximum context length is 8192 tokens and your request has 9000 input tokens (6000 > 8192 - 9000).",
    ),
  ],
  ['a call that could not be read', 500, error("error parsing tool call: raw='{', err=invalid character")],
  ['a function that rests', 400, { detail: "Function id 'a-b': DEGRADED function cannot be invoked" }],
  ['a fault of a gateway', 500, error("Cannot read properties of undefined (reading 'length')")],
  ['a page of a proxy', 502, '<html><script>function f() { return undefined } // not supported</script></html>'],
  [
    'a message that is out of place',
    400,
    error("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."),
  ],
  ['a wrong key', 401, error('temperature: no key')],
  ['a rate', 429, error('does not support tools so often')],
  ['an empty account', 402, error('max_tokens: you can only afford 12 tokens')],
  [
    'a message of a person that is repeated',
    422,
    { detail: [{ msg: 'Field required', input: 'the system role is not supported' }] },
  ],
  [
    'a call that the model wrote wrongly',
    400,
    {
      error: {
        message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        type: 'invalid_request_error',
        code: 'tool_use_failed',
        failed_generation: '<function=calculate',
      },
    },
  ],
  [
    'arguments that are wrong',
    400,
    {
      error: {
        message: 'The "function.arguments" parameter of the code model must be in JSON format.',
        type: 'invalid_request_error',
        code: 'invalid_parameter_error',
      },
    },
  ],
  [
    'a call that is wrong',
    400,
    error(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    ),
  ],
])('%s teaches nothing', async (_name, status, told) => {
  wanted = () => [status, told]
  const port = openPort()
  expect(await asks(port)).toMatchObject({ kind: 'failure' })
  expect(port.dialect?.('main')).toEqual([])
})

test('what was refused by chance is not kept: a lesson holds once its answer came', async () => {
  let asked = 0
  wanted = (body) => {
    asked += 1
    return asked === 1 || body.tools === undefined ? [400, error('tools are not supported here')] : undefined
  }
  const port = openPort()
  expect(await asks(port)).toMatchObject({ kind: 'failure' })
  expect(port.dialect?.('main')).toEqual([])
  expect(await asks(port)).toMatchObject({ kind: 'reply' })
})

test('what is refused in every form ends', async () => {
  wanted = () => [
    400,
    error(
      'max_tokens exceeds the limit of temperature, tools, the system role is not supported, roles must alternate, bad schema',
    ),
  ]
  const before = server.seen.length
  expect(await asks(openPort())).toMatchObject({ kind: 'failure' })
  expect(server.seen.length - before).toBeLessThan(20)
})

test.each([
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (3000 in the messages, 6000 in the completion).",
    5192,
  ],
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 6000. This model's maximum context length is 4096 tokens and your request has 300 input tokens (6000 > 4096 - 300).",
    3796,
  ],
  ['`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 6000 `max_new_tokens`', 1096],
  ["This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.", undefined],
])('%s leaves room for %s tokens', (said, room) => {
  expect(findRoom(said, 6000)).toBe(room)
})

test('a setting names what is known before', () => {
  const { dialect, unknown, waitMs } = readDialect('one-system, no-tools,output-limit=4096,wait=300,odd,wait=1')
  expect(dialect).toMatchObject({ systems: 'one', sendsTools: false, mostOutputTokens: 4096 })
  expect(unknown).toEqual(['odd', 'wait=1'])
  expect(waitMs).toBe(300_000)
  expect(describeDialect(dialect)).toHaveLength(3)
})

test('the state of a turn stands before the last words of the user, and what stands before stays as it is', () => {
  const arranged = arrangeMessages(conversation, { systems: 'one', alternates: false })
  expect(arranged.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user', 'user'])
  expect(arranged[0]?.content).toBe('RULES\n\nSUMMARY')
  expect(arranged[1]?.content).toBe('one')
  expect(arranged.at(-1)?.content).toBe('<instructions>\nSTATE\n</instructions>\n\nthree')
  const alone = arrangeMessages([{ role: 'system', content: 'RULES' }], { systems: 'none', alternates: true })
  expect(alone).toEqual([{ role: 'user', content: '<instructions>\nRULES\n</instructions>' }])
})
