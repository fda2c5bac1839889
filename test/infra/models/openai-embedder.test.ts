// Vectors of an endpoint over HTTP: in batches, of length 1, and a clear refusal of every answer that is none.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toLoggedError } from '#infra/log/log.ts'
import { createOpenAiEmbedder } from '#infra/models/openai-embedder.ts'
import { createMeaning } from '#services/memory/search/meaning.ts'
import { startModelSimulator, type ModelSimulator } from '#test/simulators/model/simulator.ts'
import type { EmbeddingFault } from '#test/simulators/model/embeddings.ts'

let server: ModelSimulator
let nowMs: number
const { signal } = new AbortController()
beforeEach(async () => {
  server = await startModelSimulator()
  nowMs = 0
})
afterEach(() => server.close())

const open = (options: { readonly timeoutMs?: number; readonly baseUrl?: string } = {}) =>
  createOpenAiEmbedder({ model: 'sim-embed', apiKey: 'sk-test', baseUrl: server.url, nowMs: () => nowMs, ...options })

test('gives a vector of length 1 for each text, a hundred texts a request', async () => {
  const texts = Array.from({ length: 250 }, (_, n) => `crate ${n}`)
  const vectors = await open().embed(texts, signal)
  expect(vectors).toHaveLength(250)
  expect(vectors.every((one) => Math.abs(Math.hypot(...(one ?? [])) - 1) < 1e-5)).toBe(true)
  expect(server.embeddings.asked.map((some) => some.length)).toEqual([100, 100, 50])
  expect(server.embeddings.asked.flat()).toEqual(texts)
})

test('takes the address of a whole request, as people copy it', async () => {
  expect(await open({ baseUrl: `${server.url}/chat/completions` }).embed(['tea'], signal)).toHaveLength(1)
})

const faults: readonly (readonly [string, EmbeddingFault, string])[] = [
  ['of another length', 'wrong-length', 'numbers where others have'],
  ['that holds no number', 'not-a-number', 'holds no vectors of numbers'],
  ['of zeros', 'zeros', 'without a direction'],
  ['too few', 'one-missing', 'vectors for'],
  ['no JSON', 'no-json', 'The embedding model cannot be used'],
  ['500', { status: 500 }, 'refused with 500'],
  ['a wrong model', { status: 404 }, 'refused with 404'],
]
describe.each(faults)('an answer with %s', (_, fault, said) => {
  test('is refused, and nobody asks for five seconds', async () => {
    const embedder = open()
    await embedder.embed(['tea', 'coffee'], signal)
    server.embeddings.fault = fault
    const failing = embedder.embed(['a boat', 'a car'], signal)
    await expect(failing).rejects.toMatchObject({ code: 'model', message: expect.stringContaining(said) })
    server.embeddings.fault = undefined
    const asked = server.embeddings.asked.length
    await expect(embedder.embed(['tea'], signal)).rejects.toMatchObject({ retry: { afterMs: 5000 } })
    expect(server.embeddings.asked.length).toBe(asked)
    nowMs = 5001
    expect(await embedder.embed(['tea'], signal)).toHaveLength(1)
  })
})

test('what the endpoint says of a text is not logged', async () => {
  server.embeddings.fault = { status: 503 }
  const failure: unknown = await open()
    .embed(['zebrafinch', 'tea'], signal)
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'model' })
  expect(JSON.stringify(toLoggedError(failure))).not.toContain('zebrafinch')
})

test('says so where the endpoint is slow or away', async () => {
  server.embeddings.latencyMs = 2000
  await expect(open({ timeoutMs: 50 }).embed(['tea'], signal)).rejects.toThrow('did not answer in time')
  await expect(open({ baseUrl: 'http://127.0.0.1:9/v1' }).embed(['tea'], signal)).rejects.toThrow('is not there')
})

test('a text that the endpoint refuses has no vector, and those beside it have theirs', async () => {
  server.embeddings.refused = 'endless'
  const vectors = await open().embed(['tea', 'an endless text', 'coffee'], signal)
  expect(vectors.map((one) => one?.length)).toEqual([1024, undefined, 1024])
})

test.each([
  ['is answered with 500', 500],
  ['has a vector without a direction', undefined],
])('a text that %s has no vector, and nobody waits for that', async (_, status) => {
  const embedder = open()
  if (status === undefined) server.embeddings.empty = 'poison'
  else Object.assign(server.embeddings, { refused: 'poison', refusedWith: status })
  const vectors = await embedder.embed(['tea', 'a poison', 'coffee'], signal)
  expect(vectors.map((one) => one?.length)).toEqual([1024, undefined, 1024])
  expect(await embedder.embed(['poison'], signal)).toEqual([undefined])
  expect(await embedder.embed(['tea'], signal)).toHaveLength(1)
})

test('a question that the endpoint refuses costs the next one no measuring', async () => {
  const meaning = createMeaning({ embedder: open(), weight: 0.7, nowMs: () => nowMs })
  await meaning.ask('my boat', signal)
  server.embeddings.refused = 'endless'
  await expect(meaning.ask('an endless question', signal)).rejects.toMatchObject({ code: 'model' })
  const asked = server.embeddings.asked.length
  await meaning.ask('my car', signal)
  expect(server.embeddings.asked.length).toBe(asked + 1)
})

test('an endpoint that refuses every text is set up wrongly: no text is to blame', async () => {
  const meaning = createMeaning({ embedder: open(), weight: 0.7, nowMs: () => nowMs })
  server.embeddings.fault = { status: 400 }
  await expect(meaning.embed(['tea'], signal)).rejects.toMatchObject({ code: 'model' })
  await expect(meaning.ask('tea', signal)).rejects.toMatchObject({ code: 'model' })
})

test('an endpoint whose vectors have become longer is measured anew', async () => {
  const meaning = createMeaning({ embedder: open(), weight: 0.7, nowMs: () => nowMs })
  expect((await meaning.ask('my boat', signal)).values).toHaveLength(1024)
  server.embeddings.dimensions = 512
  await expect(meaning.ask('my car', signal)).rejects.toThrow('512 numbers where others have 1024')
  nowMs = 5001
  expect((await meaning.ask('my car', signal)).values).toHaveLength(512)
})

test('a question whose asker has left is answered for the next, and forgotten after five minutes', async () => {
  const meaning = createMeaning({ embedder: open(), weight: 0.7, nowMs: () => nowMs })
  server.embeddings.latencyMs = 100
  await expect(meaning.ask('my boat', AbortSignal.timeout(10))).rejects.toThrow(/timeout/)
  await meaning.ask('my  boat', signal)
  const asked = (): number => server.embeddings.asked.filter(([text]) => text === 'my boat').length
  expect(asked()).toBe(1)
  nowMs = 5 * 60_000 + 1
  await meaning.ask('my boat', signal)
  expect(asked()).toBe(2)
})
