// Facts about the model simulator, seen through the real openai SDK.
import OpenAI, { APIError } from 'openai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startModelSimulator, type ModelSimulator } from '#test/simulators/model/simulator.ts'

let simulator: ModelSimulator
let client: OpenAI

beforeEach(async () => {
  simulator = await startModelSimulator()
  client = new OpenAI({ apiKey: 'key-abcd', baseURL: simulator.url, maxRetries: 0, logLevel: 'off' })
})
afterEach(() => simulator.close())

const ask = (text: string) => ({ model: 'm', messages: [{ role: 'user' as const, content: text }] })

async function streamed(text: string, signal?: AbortSignal) {
  const stream = await client.chat.completions.create({ ...ask(text), stream: true }, signal ? { signal } : {})
  const chunks: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return { chunks, text: chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('') }
}

/** How far a stream came, and how it ended. */
async function readToEnd(text: string) {
  const stream = await client.chat.completions.create({ ...ask(text), stream: true })
  const seen: { pieces: number; finish: string | null; error: unknown } = { pieces: 0, finish: null, error: undefined }
  try {
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) seen.pieces += 1
      seen.finish = chunk.choices[0]?.finish_reason ?? seen.finish
    }
  } catch (error) {
    seen.error = error
  }
  return seen
}

async function statusOf(call: Promise<unknown>): Promise<number | undefined> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof APIError ? error.status : undefined
}

test('echoes the last user text with usage', async () => {
  const reply = await client.chat.completions.create(ask('hello'))
  expect(reply.choices[0]?.message.content).toBe('echo: hello')
  expect(reply.usage).toEqual({ prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 })
})

test('streams a long echo in several pieces without breaking surrogate pairs', async () => {
  const long = '😀'.repeat(40)
  const { chunks, text } = await streamed(long)
  expect(text).toBe(`echo: ${long}`)
  expect(chunks.length).toBeGreaterThan(3)
  for (const chunk of chunks) expect(chunk.choices[0]?.delta.content?.isWellFormed() ?? true).toBe(true)
})

test('sends usage in a last chunk only when asked', async () => {
  const stream = await client.chat.completions.create({
    ...ask('hello'),
    stream: true,
    stream_options: { include_usage: true },
  })
  const chunks: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  expect(chunks.at(-1)?.usage?.total_tokens).toBe(12)
  expect(chunks.at(-1)?.choices).toEqual([])
  expect(chunks.at(0)?.usage).toBeNull()
  expect((await streamed('hello')).chunks.some((chunk) => 'usage' in chunk)).toBe(false)
})

test('lists its models', async () => {
  const page = await client.models.list()
  expect(page.data.map((model) => model.id)).toEqual(['simulated'])
})

test('keeps the request in the ledger, the key redacted', async () => {
  await client.chat.completions.create(ask('hello'))
  const entry = await simulator.ledger.waitFor((one) => one.outcome !== 'open')
  expect(entry).toMatchObject({ n: 1, model: 'm', stream: false, outcome: 'finished', status: 200, openThen: 1 })
  expect(entry.messages).toEqual([{ role: 'user', content: 'hello' }])
  expect(entry.headers['authorization']).toBe('***abcd')
})

test('answers 429 with Retry-After as often as told, then goes on', async () => {
  simulator.script({ times: 1, answer: { kind: 'error', status: 429, retryAfterS: 7 } })
  const error: unknown = await client.chat.completions.create(ask('a')).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(OpenAI.RateLimitError)
  expect(error instanceof APIError && error.headers?.get('retry-after')).toBe('7')
  expect((await streamed('b')).text).toBe('echo: b')
  expect(simulator.ledger.counters).toMatchObject({ requests: 2, refused: 1, finished: 1 })
})

test.each([401, 500, 503])('answers %i on demand', async (status) => {
  simulator.script({ answer: { kind: 'error', status } })
  expect(await statusOf(client.chat.completions.create(ask('a')))).toBe(status)
})

test('applies a rule only to the text, model or predicate it names', async () => {
  simulator.script({ when: { text: 'weather' }, answer: { kind: 'text', text: 'rain' } })
  simulator.script({ when: { model: 'other' }, answer: { kind: 'text', text: 'never' } })
  simulator.script({ when: (text) => text.length === 2, answer: { kind: 'text', text: 'two' } })
  expect((await streamed('the weather?')).text).toBe('rain')
  expect((await streamed('ab')).text).toBe('two')
  expect((await streamed('abc')).text).toBe('echo: abc')
})

test('refuses a rule with a field it does not know', () => {
  expect(() => simulator.script(JSON.parse('{"answr":{"kind":"empty"}}'))).toThrow(/answr/)
})

test('stalls after k chunks with the connection open, until the client leaves', async () => {
  simulator.script({ answer: { kind: 'long', chunks: 9 }, fault: { kind: 'stall', afterChunks: 3 } })
  const aborter = new AbortController()
  const stream = await client.chat.completions.create({ ...ask('a'), stream: true }, { signal: aborter.signal })
  let pieces = 0
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content) pieces += 1
    if (pieces === 3) break
  }
  aborter.abort()
  const entry = await simulator.ledger.waitFor((one) => one.outcome !== 'open')
  expect(entry.outcome).toBe('aborted')
})

test('ends the stream without a finish reason', async () => {
  simulator.script({ answer: { kind: 'long', chunks: 9 }, fault: { kind: 'end', afterChunks: 2 } })
  expect(await readToEnd('a')).toEqual({ pieces: 2, finish: null, error: undefined })
  expect((await simulator.ledger.waitFor((one) => one.outcome !== 'open')).outcome).toBe('cut')
})

test('ends the stream in the middle of a chunk', async () => {
  simulator.script({ answer: { kind: 'long', chunks: 9 }, fault: { kind: 'mid-json', afterChunks: 2 } })
  const seen = await readToEnd('a')
  expect(seen.finish).toBeNull()
  expect(seen.pieces).toBe(2)
})

test('resets the connection', async () => {
  simulator.script({ answer: { kind: 'long', chunks: 9 }, fault: { kind: 'reset', afterChunks: 2 } })
  const failure = await readToEnd('a').then(
    (seen) => seen.error,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Error)
})

test('sends a chunk that is not JSON', async () => {
  simulator.script({ fault: { kind: 'malformed' } })
  const seen = await readToEnd('a')
  expect(seen.error).toBeInstanceOf(SyntaxError)
})

test('strikes with a fault before the finish when the answer is shorter than its place', async () => {
  simulator.script({ fault: { kind: 'end', afterChunks: 50 } })
  expect((await readToEnd('a')).finish).toBeNull()
})

test.each([
  ['empty', ''],
  ['whitespace', ' \n\t \n'],
  ['reasoning', ''],
] as const)('answers %s', async (kind, text) => {
  simulator.script({ answer: { kind } })
  expect((await streamed('a')).text).toBe(text)
  expect((await client.chat.completions.create(ask('a'))).choices[0]?.message.content).toBe(text)
})

test('sends 50 MB when asked for huge output', async () => {
  simulator.script({ answer: { kind: 'huge' } })
  const stream = await client.chat.completions.create({ ...ask('a'), stream: true })
  let bytes = 0
  for await (const chunk of stream) bytes += chunk.choices[0]?.delta.content?.length ?? 0
  expect(bytes).toBe(50_000_000)
})

test('streams a long text chunk by chunk', async () => {
  simulator.script({ answer: { kind: 'long', chunks: 100 } })
  const { text } = await streamed('a')
  expect(text.startsWith('piece 1 piece 2 ')).toBe(true)
  expect(text.endsWith('piece 100 ')).toBe(true)
})

test('splits tool calls over chunks and keeps malformed arguments and duplicate ids', async () => {
  const malformed = '{"seconds": 12, "why": "no end'
  const calls = [
    { id: 'same', name: 'demo_wait', arguments: '{"seconds":1}' },
    { id: 'same', name: 'no_such_tool', arguments: malformed },
  ]
  simulator.script({ answer: { kind: 'tools', calls } })
  const { chunks } = await streamed('a')
  const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])
  const argumentsOf = (index: number) =>
    deltas.filter((delta) => delta.index === index).map((delta) => delta.function?.arguments ?? '')
  expect(argumentsOf(1).join('')).toBe(malformed)
  expect(argumentsOf(1).length).toBeGreaterThan(2)
  expect(deltas.filter((delta) => delta.id === 'same').map((delta) => delta.index)).toEqual([0, 1])
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
  const whole = await client.chat.completions.create(ask('a'))
  expect(whole.choices[0]?.message).toMatchObject({ content: null, tool_calls: [{ id: 'same' }, { id: 'same' }] })
})

test('holds a request at a gate until it is opened', async () => {
  simulator.script({ gate: { name: 'go' } })
  const reply = client.chat.completions.create(ask('held'))
  await simulator.ledger.waitForCounters((counters) => counters.open === 1)
  simulator.open('go')
  expect((await reply).choices[0]?.message.content).toBe('echo: held')
})

test('counts the most requests open at once', async () => {
  simulator.script({ gate: { name: 'go' } })
  const replies = ['a', 'b', 'c'].map((text) => client.chat.completions.create(ask(text)))
  await simulator.ledger.waitForCounters((counters) => counters.open === 3)
  simulator.open('go')
  await Promise.all(replies)
  expect(simulator.ledger.counters).toMatchObject({ open: 0, maxOpen: 3, finished: 3 })
})

test('marks a request as aborted when the client leaves before the answer', async () => {
  simulator.script({ latencyMs: 60_000 })
  const aborter = new AbortController()
  const reply = client.chat.completions.create(ask('a'), { signal: aborter.signal }).catch(() => 'left')
  await simulator.ledger.waitForCounters((counters) => counters.open === 1)
  aborter.abort()
  expect(await reply).toBe('left')
  await simulator.ledger.waitForCounters((counters) => counters.aborted === 1)
})

test('waits before the first byte and between chunks as told', async () => {
  simulator.script({ latencyMs: 60, chunkDelayMs: 20, answer: { kind: 'long', chunks: 3 } })
  const startedAt = performance.now()
  await streamed('a')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(115)
})

test('drips single bytes', async () => {
  simulator.script({ byteDelayMs: 1, answer: { kind: 'empty' } })
  expect((await streamed('a')).text).toBe('')
})

test('refuses a tool result that answers no call, and a call without a result', async () => {
  const orphan = client.chat.completions.create({
    model: 'm',
    messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }],
  })
  expect(await statusOf(orphan)).toBe(400)
  const unanswered = client.chat.completions.create({
    model: 'm',
    messages: [
      {
        role: 'assistant',
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'demo_wait', arguments: '{}' } }],
      },
      { role: 'user', content: 'go on' },
    ],
  })
  expect(await statusOf(unanswered)).toBe(400)
})

test('refuses stream options without streaming', async () => {
  const call = client.chat.completions.create({ ...ask('a'), stream: false, stream_options: { include_usage: true } })
  expect(await statusOf(call)).toBe(400)
})

test('refuses another key than the configured one, and an unknown model', async () => {
  const strict = await startModelSimulator({ apiKey: 'right', models: ['m'] })
  const wrong = new OpenAI({ apiKey: 'wrong', baseURL: strict.url, maxRetries: 0 })
  const right = new OpenAI({ apiKey: 'right', baseURL: strict.url, maxRetries: 0 })
  expect(await statusOf(wrong.chat.completions.create(ask('a')))).toBe(401)
  expect(await statusOf(right.chat.completions.create({ ...ask('a'), model: 'other' }))).toBe(404)
  await strict.close()
})

test('keeps counters only when told so', async () => {
  const counting = await startModelSimulator({ ledger: 'counters' })
  const other = new OpenAI({ apiKey: 'k', baseURL: counting.url, maxRetries: 0 })
  await other.chat.completions.create(ask('a'))
  expect(counting.ledger.entries).toEqual([])
  expect(counting.ledger.counters.finished).toBe(1)
  await counting.close()
})
