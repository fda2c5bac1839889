// Answers that are odd in what is only counted, repeated or named: each is read as it was meant. What endpoints in use were reported to send, and more of its kind.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOpenAiProvider } from '#infra/models/openai-provider.ts'
import type { ModelResult } from '#shared/model/model-port.ts'
import { toRequest } from './model-request.ts'
import { event, piece, startStreamServer, usageAndDone, type StreamServer } from './stream-server.ts'

let server: StreamServer
beforeAll(async () => void (server = await startStreamServer()))
afterAll(() => server[Symbol.asyncDispose]())

const tools = [{ name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } }]
const done = 'data: [DONE]\n\n'
const said = 'The sum is 42.'

async function read(body: string, type = 'text/event-stream'): Promise<ModelResult> {
  server.answer((response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  })
  const port = createOpenAiProvider({ apiKey: 'k', baseUrl: server.baseUrl, model: 'm', contextTokens: 1000 })
  return await port.complete(toRequest('hi', { tools }), () => {}, AbortSignal.timeout(5000))
}

const delta = (given: unknown, more: object = {}, finish: unknown = null): string =>
  event({ id: 'c', model: 'm', choices: [{ index: 0, delta: given, finish_reason: finish }], ...more })
const call = (given: object, more: object = {}): string =>
  delta({ tool_calls: [{ index: 0, ...more, function: given }] })
const ended = (reason: unknown = 'tool_calls'): string => delta({}, {}, reason) + usageAndDone
const text = (content: unknown, more: object = {}): string => delta({ content }, more)

const answers: Readonly<Record<string, string>> = {
  // Content in parts.
  'a thought as a part':
    text([{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }]) +
    text([{ type: 'text', text: said }]) +
    ended('stop'),
  'parts and texts in turn': text([{ type: 'text', text: 'The sum ' }]) + text('is 42.') + ended('stop'),
  'parts that are texts': text(['The sum ', 'is 42.']) + ended('stop'),
  'a part of a type that is not known':
    text([
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: said },
    ]) + ended('stop'),
  'a text within a text': text([{ type: 'output_text', text: { value: said } }]) + ended('stop'),
  // What is only counted or shown.
  'a usage without a part': text(said, { usage: { prompt_tokens: 3 } }) + ended('stop'),
  'a usage that is empty': text(said, { usage: {} }) + ended('stop'),
  'a usage as texts': text(said, { usage: { prompt_tokens: '3', completion_tokens: 'n/a' } }) + ended('stop'),
  'a usage as a list, below zero, or none':
    text(said, { usage: [] }) +
    delta({}, { usage: { prompt_tokens: -1, completion_tokens: 1e99 } }) +
    delta({}, { usage: null }) +
    ended('stop'),
  'an id, a model and a time of other types':
    text(said, { id: 7, model: 42, created: 'now', system_fingerprint: [] }) + ended('stop'),
  'calls that are an object, or null':
    delta({ content: said, tool_calls: {} }) + delta({ tool_calls: null, function_call: null }) + ended('stop'),
  'no number, which is no JSON': text(said).replace('"index":0', '"index":0,"logprobs":NaN') + ended('stop'),
  'a choice without an index, and a role as null':
    event({ choices: [{ delta: { role: null, content: said } }] }) + ended('stop'),
  // Events.
  'empty data': `data:\n\n${text(said)}data: \n\n${ended('stop')}`,
  'CR alone': (text(said) + ended('stop')).replaceAll('\n', '\r'),
  'no last line end': (text(said) + ended('stop')).trimEnd(),
  'data in two lines': (text(said) + ended('stop')).replaceAll('"choices"', '\ndata: "choices"'),
  'names, ids, comments and a pause': `: hi\n\nevent: ping\ndata: {"type":"ping"}\n\nretry: 5\n\nid: 1\n${text(said)}event: done\n${ended('stop')}`,
  'no space behind the colon': (text(said) + ended('stop')).replaceAll('data: ', 'data:'),
  // JSON in place of a stream.
  'a completion': JSON.stringify({ choices: [{ message: { content: said }, finish_reason: 'stop' }] }),
  'a completion in another answer': JSON.stringify({ code: 0, result: { choices: [{ message: { content: said } }] } }),
  'a completion behind white space': `\n\n  ${JSON.stringify({ choices: [{ message: { content: [{ type: 'text', text: said }] } }] }, null, 2)}\n`,
  'an old completion': JSON.stringify({ choices: [{ text: said, finish_reason: 'stop' }] }),
  // Ends by other names, and by none.
  ...Object.fromEntries(
    ['end_turn', 'eos', 'COMPLETE', 'FinishReason.STOP', 'STOP', 'stop_sequence', 'eos_token'].map((reason) => [
      `the end ${reason}`,
      text(said) + ended(reason),
    ]),
  ),
  'no reason, and [DONE]': text(said) + done,
  'no reason in a list, and [DONE]': text('- The sum is 42.\n') + done,
  // Thoughts.
  'a thought in tags': text(`<think>hm</think>\n\n${said}`) + ended('stop'),
  'a thought without its beginning': text(`hm\n</think>\n\n${said}`) + ended('stop'),
  'a thought in other tags': text(`<thinking>hm</thinking>${said}`) + ended('stop'),
  'thoughts in fields of three names':
    delta({ reasoning_content: 'hm', reasoning: 'hm', thinking: 'hm' }) + text(said) + ended('stop'),
  // Signs that come in halves.
  'a sign in two halves': `${delta({ content: 'X' }).replace('X', String.raw`The sum is 4\ud83d`)}${delta({ content: 'X' }).replace('X', String.raw`\ude00`)}${ended('stop')}`,
}
test.each(Object.entries(answers))('%s is an answer', async (name, body) => {
  const reply = await read(body, body.startsWith('{') ? 'application/json' : undefined)
  expect(reply).toMatchObject({ kind: 'reply', finish: 'stop', toolCalls: [] })
  const shown = reply.kind === 'reply' ? reply.text.trim() : ''
  expect(shown.replace(/^- /, '')).toBe(name === 'a sign in two halves' ? 'The sum is 4😀' : said)
})

const whole = { name: 'add', arguments: '{"a":42}' }
const calls: Readonly<Record<string, string>> = {
  // Names that are repeated.
  'the name in each piece':
    call({ name: 'add', arguments: '{"a"' }, { id: 'x' }) +
    call({ name: 'add', arguments: ':42' }, { id: 'x' }) +
    call({ name: 'add', arguments: '}' }, { id: 'x' }),
  'the name in each piece, without ids':
    call({ name: 'add', arguments: '{"a"' }) + call({ name: 'add', arguments: ':42}' }),
  'the name in pieces': call({ name: 'ad' }, { id: 'x' }) + call({ name: 'd', arguments: '{"a":42}' }),
  'an empty name later':
    call({ name: 'add', arguments: '{"a":' }, { id: 'x' }) + call({ name: '', arguments: '42}' }, { id: '' }),
  'a name of null later':
    call({ name: 'add', arguments: '{"a":' }, { id: 'x' }) +
    call({ name: null, arguments: '42}' }, { id: null, type: null }),
  'all of it once more at the end': call(whole, { id: 'x' }) + call(whole, { id: 'x' }),
  // Arguments of other forms.
  'arguments within a text': call({ name: 'add', arguments: '"{\\"a\\":42}"' }),
  'arguments as an object': call({ name: 'add', arguments: { a: 42 } }),
  'a call that is no list': delta({ tool_calls: { index: 0, function: whole } }),
  'a call of the old form': delta({ function_call: whole }),
  'a call beside empty content in parts': delta({ content: [], tool_calls: [{ index: '0', id: 9, function: whole }] }),
  'a call that is flat': delta({ tool_calls: [{ ...whole, id: 'x' }] }),
  'a call in a completion': JSON.stringify({
    choices: [{ message: { content: null, tool_calls: [{ id: 'x', function: whole }] } }],
  }),
}
test.each(Object.entries(calls))('%s is a call', async (_, body) => {
  const reply = await read(body.startsWith('{') ? body : body + ended())
  expect(reply).toMatchObject({ kind: 'reply', finish: 'tool-calls', text: '', toolCalls: [{ name: 'add' }] })
  expect(reply.kind === 'reply' && reply.toolCalls.map((one) => JSON.parse(one.arguments) as unknown)).toEqual([
    { a: 42 },
  ])
})

test('arguments within a text keep their digits', async () => {
  const body = call({ name: 'add', arguments: '"{\\"a\\":1234567890123456789}"' })
  expect(await read(body + ended())).toMatchObject({ toolCalls: [{ arguments: '{"a":1234567890123456789}' }] })
})

test.each([
  ['null', call({ name: 'add', arguments: 'null' })],
  ['nothing', call({ name: 'add', arguments: '' })],
  ['no arguments', call({ name: 'add' })],
  ['null itself', call({ name: 'add', arguments: null })],
])('a tool is called with nothing by %s', async (_, body) => {
  expect(await read(body + ended())).toMatchObject({ toolCalls: [{ name: 'add', arguments: '{}' }] })
})

test.each([
  ['all of index 0', [0, 1, 2].map((n) => call({ name: 'add', arguments: `{"a":${n}}` }, { id: `x${n}` })).join('')],
  ['without ids', [0, 1, 2].map((n) => call({ name: 'add', arguments: `{"a":${n}}` })).join('')],
  [
    'without ids and indexes',
    [0, 1, 2].map((n) => delta({ tool_calls: [{ function: { name: 'add', arguments: `{"a":${n}}` } }] })).join(''),
  ],
  [
    'at once',
    delta({
      tool_calls: [0, 1, 2].map((n) => ({ index: n, id: 'same', function: { name: 'add', arguments: `{"a":${n}}` } })),
    }),
  ],
])('calls side by side are three: %s', async (_, body) => {
  const reply = await read(body + ended())
  const made = reply.kind === 'reply' ? reply.toolCalls : []
  expect(made.map((one) => one.arguments)).toEqual(['{"a":0}', '{"a":1}', '{"a":2}'])
  expect(new Set(made.map(({ id }) => id)).size).toBe(3)
})

test.each(['length', 'MAX_TOKENS', 'max_output_tokens', 'model_context_window_exceeded', 'a_name_of_tomorrow'])(
  'half a sentence that ends by %s is cut',
  async (reason) => {
    expect(await read(text('The sum of all the numbers that you gave me is') + ended(reason))).toMatchObject({
      kind: 'reply',
      finish: 'length',
    })
  },
)

test.each(['insufficient_system_resource', 'network_error', 'error', 'ERROR_TIMEOUT', 'aborted'])(
  'half a sentence that ends by %s broke off',
  async (reason) => {
    expect(await read(text('The sum of all the numbers that you gave me is') + ended(reason))).toMatchObject({
      kind: 'failure',
      failure: 'cut-off',
    })
  },
)

test.each(['content_filter', 'sensitive', 'SAFETY', 'PROHIBITED_CONTENT'])('%s is told as filtered', async (reason) => {
  expect(await read(text('The sum') + ended(reason))).toMatchObject({ kind: 'reply', finish: 'filtered' })
})

test('a page is told as a wrong address, half an answer without an end as cut off, and a thought alone as no answer', async () => {
  expect(await read('<!doctype html><p>hi', 'text/html')).toMatchObject({ kind: 'failure', failure: 'no-model' })
  expect(await read(text('The sum of all the numbers that you gave me is') + done)).toMatchObject({
    kind: 'failure',
    failure: 'cut-off',
  })
  for (const body of [
    delta({ reasoning_content: said }),
    text(`<think>${said}`),
    text(`<think>${said}</think>`),
    text([{ type: 'thinking', thinking: said }]),
  ])
    expect(await read(body + ended('stop'))).toMatchObject({ kind: 'reply', text: '', toolCalls: [] })
})

test('an answer that repeats the chunk of its end says it once', async () => {
  const body =
    piece('The sum is ') + piece('42.') + event({ choices: [{ message: { content: said }, finish_reason: 'stop' }] })
  expect(await read(body + usageAndDone)).toMatchObject({ text: said })
})
