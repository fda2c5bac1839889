// One question to a model from outside a turn's steps: who pays, when it is not asked, what its answer is read as, and what is tried again.
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { askBy, type ModelCalls } from '#infra/processes/asking.ts'
import { mostAtOnce } from '#services/asking/ask.ts'
import { orLater, type ModelPayer } from '#shared/model/ask.ts'
import type { ModelPort, ModelRequest, ModelResult } from '#shared/model/model-port.ts'
import { ann } from '#test/rig/events.ts'
import { answer, failed, hanging, type Answer } from '#test/services/executor/stage.ts'

const person: ModelPayer = { conversation: 'web:a', principal: ann }
const reader: ModelPayer = { ...person, budget: 'reflection' }
const question = {
  id: 'w/facts',
  messages: [{ role: 'user', content: 'What is known?' }],
  maxOutputTokens: 50,
} as const
const schema = z.strictObject({ facts: z.array(z.string()).max(3) })
const patience = new AbortController().signal
const usage = { promptTokens: 10, completionTokens: 5 }

/** A model that answers so, one after the other, and what happened in order. */
function open(answers: readonly Answer[] = [], more: Partial<ModelCalls> = {}, port: Partial<ModelPort> = {}) {
  const log: string[] = []
  const requests: ModelRequest[] = []
  const left = [...answers]
  const deps: ModelCalls = {
    model: {
      async complete(request, write, signal): Promise<ModelResult> {
        if (signal.aborted) return failed('aborted')
        requests.push(request)
        log.push(`ask ${request.role}`)
        return await answer({ request, write, signal }, left.shift() ?? 'ok')
      },
      describe: () => ({ name: 'm', endpoint: 'memory', offline: true }),
      contextTokens: 1000,
      hasFallback: false,
      ...port,
    },
    enter: async ({ role, budget = '' }) => void log.push(`enter ${role} ${budget}`),
    leave: async (holder) => void log.push(`leave ${holder}`),
    refused: async ({ budget = '' }) => void log.push(`refused ${budget}`),
    sleep: async () => {},
    retryDelaysMs: [0, 0],
    maxRetryAfterMs: 0,
    onFailure() {},
    estimate: (text) => text.length,
    isQuiet: async () => false,
    async reserve({ budget = '' }, id, { role, promptTokens, completionTokens }) {
      log.push(`reserve ${id} ${role} ${budget} ${promptTokens}+${completionTokens}`)
      return undefined
    },
    charge: async (_, id, { role, promptTokens, completionTokens }) =>
      void log.push(`charge ${id} ${role} ${promptTokens}+${completionTokens}`),
    ...more,
  }
  return { ask: askBy(deps), log, requests }
}

test('reserves the most that it may cost, asks the fast model once, and charges what it took', async () => {
  const { ask, log } = open(['It is green.'])
  expect(await ask(reader, question, patience)).toEqual({
    kind: 'answered',
    value: 'It is green.',
    usage,
    isCut: false,
  })
  expect(log).toEqual([
    'reserve web:a/w/facts fast reflection 22+50',
    'enter fast reflection',
    'ask fast',
    'charge web:a/w/facts fast 10+5',
  ])
})

test('asks another model where that is wanted, and nobody waits behind a budget where somebody waits for the answer', async () => {
  const { ask, log, requests } = open(['yes'])
  await ask(person, { ...question, role: 'main', temperature: 1 }, patience)
  expect(log.slice(0, 2)).toEqual(['reserve web:a/w/facts main  22+50', 'enter main '])
  expect(requests).toMatchObject([{ role: 'main', temperature: 1, tools: [], metadata: { conversation: 'web:a' } }])
})

test.each([
  ['{"facts":["a"]}'],
  ['```json\n{"facts":["a"]}\n```'],
  ['<think>Maybe {"facts": 1} or {this}?</think>Here it is: {"facts":["a"]}. See [1].'],
  ["{'facts': ['a'],}"],
])('reads a value of the schema out of %j', async (said) => {
  const { ask, log } = open([said])
  expect(await ask(reader, { ...question, schema }, patience)).toEqual({
    kind: 'answered',
    value: { facts: ['a'] },
    usage,
    isCut: false,
  })
  expect(log.filter((line) => line.startsWith('ask'))).toHaveLength(1)
})

test('tells the model the schema behind the last message, and after a wrong answer once what is wrong with it', async () => {
  const { ask, log, requests } = open(['{"facts":["a","b",3]}', '{"facts":[]}'])
  const result = await ask(reader, { ...question, schema }, patience)
  expect(result).toEqual({
    kind: 'answered',
    value: { facts: [] },
    usage: { promptTokens: 20, completionTokens: 10 },
    isCut: false,
  })
  const [first, second] = requests.map(({ messages }) => messages)
  expect(first).toHaveLength(1)
  expect(first?.[0]?.content).toMatch(/^What is known\?\n\n---\n[^]*"maxItems":3/)
  expect(second?.slice(0, 1)).toEqual(first)
  expect(second?.[1]).toEqual({ role: 'assistant', content: '{"facts":["a","b",3]}' })
  expect(second?.[2]?.content).toContain('facts[2]')
  expect(log.filter((line) => line.startsWith('charge'))).toHaveLength(2)
})

test('a second wrong answer is refused with what is wrong, and no value of it comes through', async () => {
  const { ask, requests } = open(['I would rather not.', `{"facts":"${'x'.repeat(20_000)}"}`, '{"facts":[]}'])
  const result = await ask(reader, { ...question, schema }, patience)
  expect(result).toMatchObject({ kind: 'refused', why: 'misshaped', message: expect.stringContaining('facts') })
  expect(JSON.stringify(result).length).toBeLessThan(1000)
  expect(requests).toHaveLength(2)
  expect(requests[1]?.messages.at(-1)?.content).toContain('There is no JSON value in it.')
})

test('an answer that was cut off is told to be shorter, and a text says that it was', async () => {
  const cut = { text: '{"facts":["a', finish: 'length' } as const
  const { ask, requests } = open([cut, cut, cut])
  expect(await ask(reader, { ...question, schema }, patience)).toMatchObject({
    why: 'misshaped',
    message: expect.stringContaining('cut off'),
  })
  expect(requests[1]?.messages.at(-1)?.content).toContain('Make it shorter.')
  expect(await ask(reader, question, patience)).toMatchObject({ kind: 'answered', value: cut.text, isCut: true })
})

test('what a long wrong answer says goes back to the model in part', async () => {
  const { ask, requests } = open(['y'.repeat(100_000), '{"facts":[]}'])
  await ask(reader, { ...question, schema }, patience)
  expect(JSON.stringify(requests[1]).length).toBeLessThan(6000)
})

test('a budget that is used up is refused before the model is asked', async () => {
  const { ask, log } = open([], { reserve: async () => '/budget person 400000' })
  expect(await ask(reader, question, patience)).toEqual({ kind: 'refused', why: 'over-budget' })
  expect(log).toEqual([])
})

test('in a quiet fleet nothing is begun in the background, and people are answered', async () => {
  const { ask, log } = open([], { isQuiet: async () => true })
  expect(await ask(reader, question, patience)).toEqual({ kind: 'refused', why: 'quiet' })
  expect(log).toEqual([])
  expect(await ask(person, question, patience)).toMatchObject({ kind: 'answered' })
})

test('a fleet that became quiet while a call waited for its place does not make it, and it costs nothing', async () => {
  let isQuiet = false
  const enter = async (): Promise<void> => void (isQuiet = true)
  const { ask, log } = open([], { enter, isQuiet: async () => isQuiet })
  expect(await ask(reader, question, patience)).toEqual({ kind: 'refused', why: 'quiet' })
  expect(log.slice(1)).toEqual(['charge web:a/w/facts fast 0+0'])
})

test('a call that runs when the fleet becomes quiet is broken off, and costs its prompt', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    let isQuiet = false
    const silence = hanging('')
    const { ask, log } = open([silence.answer], { isQuiet: async () => isQuiet })
    const asked = ask(reader, question, patience)
    await silence.written
    await vi.advanceTimersByTimeAsync(1000)
    isQuiet = true
    await vi.advanceTimersByTimeAsync(1000)
    expect(await asked).toEqual({ kind: 'refused', why: 'quiet' })
    expect(log.at(-1)).toBe('charge web:a/w/facts fast 22+0')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('what the model fails at is tried again, then by the fallback, which is charged; then it is refused and says why', async () => {
  const { ask, log } = open(
    [failed('rate-limited'), failed('timeout'), failed('timeout'), 'ok'].map(toAnswer),
    {},
    {
      hasFallback: true,
    },
  )
  expect(await ask(reader, question, patience)).toMatchObject({ kind: 'answered', value: 'ok' })
  expect(log).toContain('refused reflection')
  expect(log.at(-1)).toBe('charge web:a/w/facts fallback 10+5')
  const lost = open([failed('auth')].map(toAnswer))
  expect(await lost.ask(reader, question, patience)).toEqual({
    kind: 'refused',
    why: 'model-failed',
    failure: 'auth',
    message: 'The test says so.',
  })
  expect(lost.log.at(-1)).toBe('charge web:a/w/facts fast 0+0')
})

const toAnswer = (said: ModelResult | string): Answer => (typeof said === 'string' ? said : () => said)

test('an answer without a word is none, and is paid', async () => {
  const { ask, log } = open([' \n'])
  expect(await ask(reader, question, patience)).toMatchObject({ why: 'model-failed', failure: 'empty' })
  expect(log.at(-1)).toBe('charge web:a/w/facts fast 10+5')
})

test('an abort is thrown once the call is charged; before the call nothing is reserved', async () => {
  const leaving = new AbortController()
  const silence = hanging('')
  const { ask, log } = open([silence.answer])
  const asked = ask(reader, question, leaving.signal)
  await silence.written
  leaving.abort(new Error('The process stops.'))
  await expect(asked).rejects.toThrow('The process stops.')
  expect(log.at(-1)).toBe('charge web:a/w/facts fast 22+0')
  log.length = 0
  await expect(ask(reader, question, leaving.signal)).rejects.toThrow('The process stops.')
  expect(log).toEqual([])
})

test('a store that is away is thrown, and gives the place back', async () => {
  const enter = async (): Promise<void> => await Promise.reject(new Error('no Redis'))
  const { ask, log } = open([], { enter })
  await expect(ask(reader, question, patience)).rejects.toThrow('no Redis')
  expect(log.at(-1)).toBe('leave web:a/w/facts')
})

test('so many of one budget are under way at most; of another there may be more, and each that ends makes room', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { ask } = open([], { enter: async () => await promise })
  const all = Array.from({ length: mostAtOnce }, (_, n) => ask(reader, { ...question, id: `q${n}` }, patience))
  expect(await ask(reader, question, patience)).toEqual({ kind: 'refused', why: 'too-many' })
  const other = ask({ ...person, budget: 'curiosity' }, question, patience)
  const peoples = ask(person, question, patience)
  resolve()
  const results = await Promise.all([...all, other, peoples])
  expect(results.every(({ kind }) => kind === 'answered')).toBe(true)
  expect(await ask(reader, question, patience)).toMatchObject({ kind: 'answered' })
})

test('what passes of a refusal is a failure that is tried again; what this question alone can change stays a value', () => {
  const refused = (
    why: 'quiet' | 'too-many' | 'over-budget' | 'model-failed' | 'misshaped',
    failure?: 'too-long' | 'timeout',
  ) => orLater({ kind: 'refused', why, ...(failure && { failure }) })
  for (const why of ['quiet', 'too-many', 'over-budget'] as const) expect(() => refused(why)).toThrow(why)
  expect(() => refused('model-failed', 'timeout')).toThrow('cannot be asked now')
  expect(refused('model-failed', 'too-long')).toMatchObject({ why: 'model-failed' })
  expect(refused('misshaped')).toMatchObject({ why: 'misshaped' })
  const answered = { kind: 'answered', value: 1, usage, isCut: false } as const
  expect(orLater(answered)).toBe(answered)
})
