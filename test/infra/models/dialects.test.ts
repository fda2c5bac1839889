// What endpoints that call themselves compatible refuse, in the words of many servers: each is understood, answered in another form, and remembered.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrangeMessages } from '#infra/models/arrange-messages.ts'
import { describeDialect, dialectRows, readDialect } from '#infra/models/dialects.ts'
import { createOpenAiProvider } from '#infra/models/openai-provider.ts'
import { findRoom } from '#infra/models/refusal.ts'
import type { ModelPort, ModelRequest, PromptMessage, ToolSchema } from '#shared/model/model-port.ts'
import { toRequest } from './model-request.ts'
import { piece, startStream, startStreamServer, usageAndDone, type StreamServer } from './stream-server.ts'

let server: StreamServer
beforeAll(async () => void (server = await startStreamServer()))
afterAll(() => server[Symbol.asyncDispose]())

type Body = {
  readonly messages: readonly {
    readonly role: string
    readonly content: unknown
    readonly tool_calls?: readonly unknown[]
  }[]
  readonly tools?: readonly { readonly function: { readonly parameters: Readonly<Record<string, unknown>> } }[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
}
/** A status and a body where it refuses. */
type Refuses = (body: Body & Readonly<Record<string, unknown>>) => readonly [number, unknown] | undefined

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
  { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] },
  { role: 'tool', callId: 'a', content: 'FOUND' },
  { role: 'user', content: 'two' },
  { role: 'user', content: 'three' },
  { role: 'system', content: 'STATE' },
]
const request: ModelRequest = toRequest(conversation, { tools, maxOutputTokens: 6000 })
const asks = async (port: ModelPort) => await port.complete(request, () => {}, AbortSignal.timeout(10_000))

const error = (message: string, more = {}) => ({ error: { message, type: 'invalid_request_error', ...more } })
const systemsOf = ({ messages }: Body): readonly number[] =>
  messages.flatMap(({ role }, i) => (role === 'system' ? [i] : []))
const hasLateSystem = (body: Body): boolean => systemsOf(body).some((at) => at > 0)
const isInTurn = ({ messages }: Body): boolean => {
  const roles = messages
    .filter((one) => one.role === 'user' || (one.role === 'assistant' && !one.tool_calls))
    .map(({ role }) => role)
  return roles.every((role, i) => role === (i % 2 === 0 ? 'user' : 'assistant'))
}
const hasWord = (body: Body, word: string): boolean => JSON.stringify(body.tools ?? []).includes(word)

const servers: readonly (readonly [string, string, Refuses])[] = [
  [
    'one-system',
    'vLLM, Qwen 3.5',
    (body) =>
      hasLateSystem(body)
        ? [400, { object: 'error', message: 'System message must be at the beginning.', code: 400 }]
        : undefined,
  ],
  [
    'one-system',
    'llama.cpp',
    (body) =>
      hasLateSystem(body)
        ? [500, error('Jinja Exception: System message must be at the beginning. at row 12')]
        : undefined,
  ],
  [
    'one-system',
    'another gateway',
    (body) =>
      hasLateSystem(body)
        ? [
            422,
            {
              detail: [
                { msg: 'Only one system message is allowed and it must come first', loc: ['body', 'messages', 7] },
              ],
            },
          ]
        : undefined,
  ],
  [
    'no-system',
    'Gemma',
    (body) => (systemsOf(body).length > 0 ? [400, { message: 'System role not supported' }] : undefined),
  ],
  [
    'no-system',
    'o1',
    (body) =>
      systemsOf(body).length > 0
        ? [
            400,
            error("Unsupported value: 'messages[0].role' does not support 'system' with this model.", {
              param: 'messages[0].role',
              code: 'unsupported_value',
            }),
          ]
        : undefined,
  ],
  [
    'no-system',
    'Gemini',
    (body) =>
      systemsOf(body).length > 0
        ? [
            400,
            [
              {
                error: {
                  code: 400,
                  message: 'Developer instruction is not enabled for models/gemma: system instruction not supported',
                  status: 'INVALID_ARGUMENT',
                },
              },
            ],
          ]
        : undefined,
  ],
  [
    'alternating',
    'Mistral',
    (body) =>
      !isInTurn(body) || hasLateSystem(body)
        ? [
            400,
            {
              message:
                'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
            },
          ]
        : undefined,
  ],
  [
    'alternating',
    'La Plateforme',
    (body) =>
      body.messages.at(-1)?.role === 'system' || !isInTurn(body)
        ? [
            400,
            {
              detail:
                'Expected last role User or Tool (or Assistant with prefix or continue_final_message set to True) for serving but got system',
            },
          ]
        : undefined,
  ],
  [
    'alternating',
    'Perplexity',
    (body) =>
      !isInTurn(body) || hasLateSystem(body)
        ? [
            400,
            error(
              'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).',
            ),
          ]
        : undefined,
  ],
  [
    'no-tools',
    'Ollama',
    (body) => (body.tools ? [400, error('registry.ollama.ai/library/x does not support tools')] : undefined),
  ],
  [
    'no-tools',
    'OpenRouter',
    (body) =>
      body.tools
        ? [
            404,
            error('No endpoints found that support tool use. To learn more about provider routing, visit the docs.', {
              code: 404,
            }),
          ]
        : undefined,
  ],
  [
    'no-tools',
    'vLLM',
    (body) =>
      body.tools
        ? [
            400,
            {
              object: 'error',
              message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
              type: 'BadRequestError',
              code: 400,
            },
          ]
        : undefined,
  ],
  ['no-tools', 'llama.cpp', (body) => (body.tools ? [500, error('tools param requires --jinja flag')] : undefined)],
  [
    'no-tools',
    'a strict server',
    (body) =>
      body.tools
        ? [
            422,
            {
              detail: [
                {
                  type: 'extra_forbidden',
                  loc: ['body', 'tools'],
                  msg: 'Extra inputs are not permitted',
                  input: [{ secret: 'temperature' }],
                },
              ],
            },
          ]
        : undefined,
  ],
  [
    'no-tools',
    'Groq',
    (body) => (body.tools ? [400, error('`tool calling` is not supported with this model')] : undefined),
  ],
  [
    'lean-schemas',
    'Gemini',
    (body) =>
      hasWord(body, '$schema')
        ? [
            400,
            [
              {
                error: {
                  code: 400,
                  message:
                    'Invalid JSON payload received. Unknown name "$schema" at \'tools[0].function_declarations[0].parameters\': Cannot find field.',
                },
              },
            ],
          ]
        : undefined,
  ],
  [
    'lean-schemas',
    'OpenAI',
    (body) =>
      hasWord(body, 'anyOf')
        ? [
            400,
            error("Invalid schema for function 'look': 'anyOf' is not permitted.", {
              param: 'tools[0].function.parameters',
              code: 'invalid_function_parameters',
            }),
          ]
        : undefined,
  ],
  [
    'lean-schemas',
    'a gateway',
    (body) =>
      hasWord(body, 'additionalProperties')
        ? [400, '{"message":"additionalProperties is not supported in input_schema"}']
        : undefined,
  ],
  [
    'no-stream-options',
    'an old server',
    (body) =>
      body['stream_options'] ? [400, error('Unrecognized request argument supplied: stream_options')] : undefined,
  ],
  [
    'no-temperature',
    'o3',
    (body) =>
      'temperature' in body
        ? [
            400,
            error(
              "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
              { param: 'temperature' },
            ),
          ]
        : undefined,
  ],
  [
    'no-temperature',
    'Kimi',
    (body) =>
      'temperature' in body ? [400, error('invalid temperature: only 1 is allowed for this model')] : undefined,
  ],
  [
    'max-completion-tokens',
    'GPT-5',
    (body) =>
      body.max_tokens
        ? [
            400,
            error(
              "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
              { param: 'max_tokens' },
            ),
          ]
        : undefined,
  ],
  [
    'max-completion-tokens',
    'a renaming server',
    (body) => (body.max_tokens ? [400, { detail: 'Extra inputs are not permitted: max_tokens' }] : undefined),
  ],
  [
    'output-limit',
    'OpenAI',
    (body) =>
      Number(body.max_tokens) > 4096
        ? [
            400,
            error(
              'max_tokens is too large: 6000. This model supports at most 4096 completion tokens, whereas you provided 6000.',
            ),
          ]
        : undefined,
  ],
  [
    'output-limit',
    'DeepSeek',
    (body) =>
      Number(body.max_tokens) > 4096
        ? [400, error('Invalid max_tokens value, the valid range of max_tokens is [1, 4096]')]
        : undefined,
  ],
  [
    'output-limit',
    'Gemini',
    (body) =>
      Number(body.max_tokens) > 4096
        ? [
            400,
            [
              {
                error: {
                  message:
                    'Unable to submit request because it has a maxOutputTokens value of 6000 but the supported range is from 1 (inclusive) to 4097 (exclusive).',
                },
              },
            ],
          ]
        : undefined,
  ],
  [
    'output-limit',
    'Anthropic',
    (body) =>
      Number(body.max_tokens) > 4096
        ? [400, error('max_tokens: 6000 > 4,096, which is the maximum allowed number of output tokens for this model')]
        : undefined,
  ],
  [
    'output-limit',
    'one that names no number',
    (body) => (Number(body.max_tokens) > 4096 ? [400, error('max_tokens exceeds the limit of this model')] : undefined),
  ],
  [
    'given-back',
    'DeepSeek',
    (body) =>
      body.messages.some((one) => one.tool_calls && !('reasoning_content' in one))
        ? [400, error('The `reasoning_content` in the thinking mode must be passed back to the API.')]
        : undefined,
  ],
  [
    'given-back',
    'Gemini 3',
    (body) =>
      body.messages.some((one) => one.tool_calls && !JSON.stringify(one).includes('thought_signature'))
        ? [
            400,
            [
              {
                error: {
                  message: 'Function call is missing a thought_signature in functionCall parts.',
                  status: 'INVALID_ARGUMENT',
                },
              },
            ],
          ]
        : undefined,
  ],
]

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

test.each(servers)('%s, as %s says it', async (id, _server, refuses) => {
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
    (id) => servers.find(([of]) => of === id)?.[2] ?? (() => undefined),
  )
  wanted = (body) => all.map((refuses) => refuses(body)).find(Boolean)
  expect(await asks(openPort())).toMatchObject({ kind: 'reply', text: 'fine' })
})

test.each([
  ['a wrong key', 401, error('temperature: no key')],
  ['a rate', 429, error('does not support tools so often')],
  ['an empty account', 402, error('max_tokens: you can only afford 12 tokens')],
  [
    'a message of a person that is repeated',
    422,
    { detail: [{ msg: 'Field required', input: 'the system role is not supported' }] },
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
  const { dialect, unknown } = readDialect('one-system, no-tools,output-limit=4096,odd')
  expect(dialect).toMatchObject({ systems: 'one', sendsTools: false, mostOutputTokens: 4096 })
  expect(unknown).toEqual(['odd'])
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
