// How servers write an answer: each takes one reply and writes its bytes in a way of its own. The same is to be read from all of them.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

export type Written = {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[]
}
export type Bytes = { readonly body: string | Buffer; readonly headers?: Readonly<Record<string, string>> }
export type Writer = (reply: Written) => Bytes

const thought = 'I think about it first.'
const chunk = (delta: unknown, finish: unknown = null, more = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
})
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const done = 'data: [DONE]\n\n'
const pieces = (text: string): readonly string[] => text.match(/[^]{1,5}/gu) ?? []
const toCall = ({ name, input }: Written['calls'][number], index: number) => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})

type Parts = {
  /** Before the text. */
  readonly before?: readonly unknown[]
  content?(piece: string): unknown
  readonly usage?: unknown
  readonly finish?: string
  call?(call: ReturnType<typeof toCall>): readonly unknown[]
  readonly end?: string
}

/** As OpenAI streams it, but for these parts. */
function stream({ text, calls }: Written, parts: Parts = {}): string {
  const { before = [], content = (piece) => piece, usage, end = done } = parts
  const { finish = calls.length > 0 ? 'tool_calls' : 'stop', call = (one) => [one] } = parts
  return [
    event(chunk({ role: 'assistant', content: '' })),
    ...before.map((delta) => event(chunk(delta))),
    ...pieces(text).map((piece) => event(chunk({ content: content(piece) }))),
    ...calls.flatMap((one, i) => call(toCall(one, i)).map((delta) => event(chunk({ tool_calls: [delta] })))),
    event(chunk({}, finish, usage === undefined ? {} : { usage })),
    ...(usage === undefined ? [event({ choices: [], usage: { prompt_tokens: 50, completion_tokens: 9 } })] : []),
    end,
  ].join('')
}
const plain =
  (parts: Parts = {}): Writer =>
  (reply) => ({ body: stream(reply, parts) })
const packed =
  (encoding: string, pack: (body: string) => Buffer): Writer =>
  (reply) => ({ body: pack(stream(reply)), headers: { 'content-encoding': encoding } })
/** Thoughts and answer in the text. */
const aloud =
  (opens: string, closes: string): Writer =>
  (reply) => ({
    body: stream(reply.calls.length > 0 ? reply : { ...reply, text: `${opens}${thought}${closes}${reply.text}` }),
  })
/** Calls as text. */
const spoken =
  (say: (calls: Written['calls']) => string): Writer =>
  (reply) => ({
    body: stream(reply.calls.length > 0 ? { text: `Let me see.\n${say(reply.calls)}`, calls: [] } : reply),
  })
const whole = ({ text, calls }: Written, more = {}) => ({
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: text,
        ...(calls.length > 0 ? { tool_calls: calls.map(toCall) } : {}),
        ...more,
      },
      finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 5 },
})
const toJson = (input: unknown): string => JSON.stringify(input)
const toPython = ({ name, input }: Written['calls'][number]): string =>
  `${name}(${Object.entries(input)
    .map(([key, value]) => `${key}=${toJson(value)}`)
    .join(', ')})`
/** As Gemma writes values: keys as they are, texts between marks. */
const toCompact = (input: Readonly<Record<string, unknown>>, mark: string): string =>
  Object.entries(input)
    .map(([key, value]) => `${key}:${typeof value === 'string' ? `${mark}${value}${mark}` : String(value)}`)
    .join(',')

export const writers: Readonly<Record<string, Writer>> = {
  'as usual': plain(),
  'thoughts in reasoning_content': plain({ before: [{ reasoning_content: thought, content: null }] }),
  'thoughts in reasoning and reasoning_details': plain({
    before: [{ reasoning: thought, reasoning_details: [{ type: 'reasoning.text', text: thought, signature: 's' }] }],
  }),
  'content in parts, with thoughts': plain({
    before: [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: thought }] }] }],
    content: (text) => [{ type: 'text', text }],
  }),
  'thoughts in `<think>`': aloud('<think>\n', '\n</think>\n\n'),
  'thoughts in `<thinking>`': aloud('<thinking>', '</thinking>'),
  'thoughts without their beginning': aloud('', '\n</think>\n\n'),
  'thoughts in `[THINK]`': aloud('[THINK]', '[/THINK]'),
  'thoughts in the marks of Kimi': aloud('◁think▷', '◁/think▷'),
  'channels of gpt-oss': aloud(
    '<|channel|>analysis<|message|>',
    '<|end|><|start|>assistant<|channel|>final<|message|>',
  ),
  'usage without a part': plain({ usage: { prompt_tokens: 11 } }),
  'usage as text': plain({ usage: { prompt_tokens: '11', completion_tokens: '3', total_tokens: null } }),
  'ids and index as other types': plain({ call: (one) => [{ ...one, id: 17 + one.index, index: String(one.index) }] }),
  'the name in each piece': plain({
    call: (one) =>
      one.function.arguments
        .match(/[^]{1,4}/gu)
        ?.map((piece) => ({ ...one, function: { name: one.function.name, arguments: piece } })) ?? [],
  }),
  'no id and no index': plain({ call: ({ function: given }) => [{ type: 'function', function: given }] }),
  'arguments as an object': plain({
    call: (one) => [
      { ...one, function: { name: one.function.name, arguments: JSON.parse(one.function.arguments) as unknown } },
    ],
  }),
  'arguments encoded twice': plain({
    call: (one) => [{ ...one, function: { name: one.function.name, arguments: toJson(one.function.arguments) } }],
  }),
  'empty data as a heartbeat': (reply) => ({ body: `data:\n\n${stream(reply).replaceAll('\n\n', '\n\ndata: \n\n')}` }),
  'comments and named events': (reply) => ({
    body: `: ping\n\nevent: ping\ndata: {"type": "ping"}\n\n${stream(reply).replaceAll('data: {', 'event: message\nid: 1\nretry: 10\ndata: {')}`,
  }),
  'CR alone': (reply) => ({ body: stream(reply).replaceAll('\n', '\r') }),
  'CRLF, and a byte order mark': (reply) => ({ body: `\uFEFF${stream(reply).replaceAll('\n', '\r\n')}` }),
  'no end of the last line': (reply) => ({ body: stream(reply, { end: '' }).trimEnd() }),
  gzip: packed('gzip', gzipSync),
  deflate: packed('deflate', deflateSync),
  'deflate without its header': packed('deflate', deflateRawSync),
  'deflate that is gzip': packed('deflate', gzipSync),
  'gzip that is deflate': packed('gzip', deflateSync),
  'gzip that is plain': packed('gzip', (body) => Buffer.from(body)),
  'brotli that is plain': packed('br', (body) => Buffer.from(body)),
  'gzip twice': packed('gzip, gzip', (body) => gzipSync(gzipSync(body))),
  brotli: packed('br', brotliCompressSync),
  zstd: packed('zstd', zstdCompressSync),
  'JSON in place of a stream': (reply) => ({
    body: toJson(whole(reply)),
    headers: { 'content-type': 'application/json' },
  }),
  'a message in each piece, and all at the end': (reply) => ({
    body: stream(reply).replaceAll('"delta":', '"message":'),
  }),
  'JSON within another answer, without a reason for the end': (reply) => ({
    body: JSON.stringify({ code: 0, data: whole(reply) }).replaceAll(/,"finish_reason":"[^"]*"/g, ''),
  }),
  'JSON with thoughts, indented': (reply) => ({
    body: JSON.stringify(whole(reply, { reasoning_content: thought }), null, 2),
  }),
  'a document a line': (reply) => ({
    body: stream(reply, { end: '' }).replaceAll('data: ', '').replaceAll('\n\n', '\n'),
  }),
  'another word for the end': plain({ finish: 'end_turn' }),
  'no reason for the end': (reply) => ({
    body: stream(reply).replaceAll(/"finish_reason":"[^"]*"/g, '"finish_reason":null'),
  }),
  'calls in `<tool_call>`': spoken((calls) =>
    calls.map(({ name, input }) => `<tool_call>\n${toJson({ name, arguments: input })}\n</tool_call>`).join('\n'),
  ),
  'calls in `<function=name>`': spoken((calls) =>
    calls
      .map(
        ({ name, input }) =>
          `<tool_call>\n<function=${name}>\n${Object.entries(input)
            .map(([key, value]) => `<parameter=${key}>\n${String(value)}\n</parameter>`)
            .join('\n')}\n</function>\n</tool_call>`,
      )
      .join('\n'),
  ),
  'calls in `[TOOL_CALLS]`': spoken(
    (calls) => `[TOOL_CALLS]${toJson(calls.map(({ name, input }) => ({ name, arguments: input })))}`,
  ),
  'calls as JSON behind a sentence': spoken((calls) =>
    calls.map(({ name, input }) => toJson({ name, parameters: input })).join('\n'),
  ),
  'calls in the section of Kimi': spoken(
    (calls) =>
      `<|tool_calls_section_begin|>${calls
        .map(
          ({ name, input }, i) =>
            `<|tool_call_begin|>functions.${name}:${i}<|tool_call_argument_begin|>${toJson(input)}<|tool_call_end|>`,
        )
        .join('')}<|tool_calls_section_end|>`,
  ),
  'calls in the marks of DeepSeek': spoken(
    (calls) =>
      `<｜tool▁calls▁begin｜>${calls
        .map(
          ({ name, input }) =>
            `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${toJson(input)}\n\`\`\`<｜tool▁call▁end｜>`,
        )
        .join('')}<｜tool▁calls▁end｜>`,
  ),
  'calls in the keys of GLM': spoken((calls) =>
    calls
      .map(
        ({ name, input }) =>
          `<tool_call>${name}\n${Object.entries(input)
            .map(([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${String(value)}</arg_value>`)
            .join('\n')}\n</tool_call>`,
      )
      .join('\n'),
  ),
  'calls in `<invoke>`': spoken(
    (calls) =>
      `<function_calls>\n${calls
        .map(
          ({ name, input }) =>
            `<invoke name="${name}">\n${Object.entries(input)
              .map(([key, value]) => `<parameter name="${key}">${String(value)}</parameter>`)
              .join('\n')}\n</invoke>`,
        )
        .join('\n')}\n</function_calls>`,
  ),
  'calls in `<tool_call>`, with words behind': spoken(
    (calls) =>
      `${calls.map(({ name, input }) => `<tool_call>\n${toJson({ name, arguments: input })}\n</tool_call>`).join('\n')}\nI wait for what the tool says.`,
  ),
  'calls in a list of Python': spoken((calls) => `[${calls.map(toPython).join(', ')}]`),
  'calls behind the mark of Python': spoken(
    (calls) => `<|python_tag|>${calls.map((one) => toPython(one).replace('(', '.call(')).join('; ')}<|eom_id|>`,
  ),
  'calls in a block of Python': spoken(
    (calls) => `\`\`\`tool_code\n${calls.map((one) => `print(${toPython(one)})`).join('\n')}\n\`\`\``,
  ),
  'calls of FunctionGemma': spoken((calls) =>
    calls
      .map(({ name, input }) => `<start_function_call>call:${name}{${toCompact(input, '<escape>')}}<end_function_call>`)
      .join(''),
  ),
  'calls of Gemma 4': spoken((calls) =>
    calls.map(({ name, input }) => `<|tool_call>call:${name}{${toCompact(input, '<|"|>')}}<tool_call|>`).join(''),
  ),
  'calls in `<TOOLCALL>`': spoken(
    (calls) => `<TOOLCALL>${toJson(calls.map(({ name, input }) => ({ name, arguments: input })))}</TOOLCALL>`,
  ),
  'calls of MiniMax M2': spoken(
    (calls) =>
      `<minimax:tool_call>\n${calls
        .map(
          ({ name, input }) =>
            `<invoke name="${name}">\n${Object.entries(input)
              .map(([key, value]) => `<parameter name="${key}">${String(value)}</parameter>`)
              .join('\n')}\n</invoke>`,
        )
        .join('\n')}\n</minimax:tool_call>`,
  ),
  'calls of MiniMax M3': spoken((calls) =>
    `<tool_call>\n${calls
      .map(
        ({ name, input }) =>
          `<invoke name="${name}">${Object.entries(input)
            .map(([key, value]) => `<${key}>${String(value)}</${key}>`)
            .join('\n')}</invoke>`,
      )
      .join('\n')}\n</tool_call>`.replaceAll(/<\/?[\w:]+(?: name="\w+")?>/g, ']<]minimax[>[$&'),
  ),
  'calls in the channels of gpt-oss': spoken(
    (calls) =>
      `<|channel|>analysis<|message|>${thought}<|end|>${calls
        .map(
          ({ name, input }, i) =>
            `<|start|>assistant<|channel|>${i === 0 ? 'analysis' : 'commentary'} to=functions.${name} <|constrain|>json<|message|>${toJson(input)}<|call|>`,
        )
        .join('')}`,
  ),
  'calls behind a thought that nothing closes': spoken(
    (calls) =>
      `<|channel|>analysis<|message|>${thought}${calls
        .map(({ name, input }) => `<|channel|>commentary to=functions.${name} code<|message|>${toJson(input)}<|call|>`)
        .join('')}`,
  ),
  'calls of ByteDance Seed': spoken((calls) =>
    calls
      .map(
        ({ name, input }) =>
          `<seed:tool_call>\n<function=${name}>\n${Object.entries(input)
            .map(([key, value]) => `<parameter=${key}>${String(value)}</parameter>`)
            .join('\n')}\n</function>\n</seed:tool_call>`,
      )
      .join('\n'),
  ),
  'calls in `[TOOL_REQUEST]`': spoken((calls) =>
    calls.map(({ name, input }) => `[TOOL_REQUEST]${toJson({ name, arguments: input })}[END_TOOL_REQUEST]`).join('\n'),
  ),
  'calls of LFM': spoken((calls) => `<|tool_call_start|>[${calls.map(toPython).join(', ')}]<|tool_call_end|>`),
  'calls in `functools`': spoken(
    (calls) => `functools${toJson(calls.map(({ name, input }) => ({ name, arguments: input })))}`,
  ),
}
