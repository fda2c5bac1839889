// How servers refuse a request, each in its own words and shape: of each difference of `infra/models/dialects.ts` several.
export type Body = {
  readonly messages: readonly {
    readonly role: string
    readonly content?: unknown
    readonly tool_calls?: readonly unknown[] | undefined
    readonly tool_call_id?: unknown
  }[]
  readonly tools?: readonly { readonly function: { readonly parameters?: unknown } }[] | undefined
  readonly max_tokens?: number | null | undefined
  readonly max_completion_tokens?: number | null | undefined
}
/** A status and a body where it refuses. */
export type Refuses = (body: Body & Readonly<Record<string, unknown>>) => readonly [number, unknown] | undefined

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

/** An id of a call that is not of nine letters and digits; a result's id is its call's. */
function findLongId({ messages }: Body): unknown {
  const calls = messages.flatMap(({ tool_calls: given }) => given ?? [])
  const ids = calls.map((call) => (typeof call === 'object' && call !== null && 'id' in call ? call.id : undefined))
  const of = messages.flatMap(({ role, tool_call_id: id }) => (role === 'tool' ? [id] : []))
  return [...ids, ...of.filter((id) => !ids.includes(id))].find((id) => !/^[a-zA-Z0-9]{9}$/.test(String(id)))
}
const idRefusal =
  (status: number, say: (id: unknown) => unknown): Refuses =>
  (body) => {
    const id = findLongId(body)
    return id === undefined ? undefined : [status, say(id)]
  }

/** Which difference, whose words, and when it refuses. */
export const refusals: readonly (readonly [string, string, Refuses])[] = [
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
  [
    'not-given-back',
    'a strict gateway',
    (body) =>
      body.messages.some((one) => 'reasoning_note' in one)
        ? [400, error("Unknown parameter: 'messages[3].reasoning_note'.", { param: 'messages[3].reasoning_note' })]
        : undefined,
  ],
  [
    'short-ids',
    'Mistral',
    idRefusal(400, (id) => ({
      object: 'error',
      message: `Tool call id was ${String(id)} but must be a-z, A-Z, 0-9, with a length of 9.`,
      type: 'invalid_function_call',
      param: null,
      code: '3280',
      raw_status_code: 400,
    })),
  ],
  [
    'short-ids',
    'a template of Mistral',
    idRefusal(500, () => error('Jinja Exception: Tool call IDs should be alphanumeric strings with length 9!')),
  ],
  [
    'short-ids',
    'OpenAI',
    idRefusal(400, () =>
      error(
        "Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 53 instead.",
        { param: 'messages[3].tool_calls[0].id', code: 'string_above_max_length' },
      ),
    ),
  ],
  [
    'short-ids',
    'Anthropic',
    idRefusal(400, () => error("messages.3.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")),
  ],
  [
    'short-ids',
    'Bedrock',
    idRefusal(400, (id) =>
      error(
        `Value '${String(id)}' at 'messages.4.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
      ),
    ),
  ],
]
