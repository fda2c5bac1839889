// One answer of the model: what is tried again, after how long, by which model, and what is given back meanwhile.
import { expect, test } from 'vitest'
import type { CallFor, ModelFailureKind, ModelRequest, ModelResult, ModelRole } from '#shared/model/model-port.ts'
import { callModel, type ModelCall, type ModelDeps } from '#services/executor/run/call-model.ts'
import { failed } from '#test/services/executor/stage.ts'
import { ann } from '#test/rig/events.ts'

const reply: ModelResult = {
  kind: 'reply',
  text: 'Done.',
  toolCalls: [],
  finish: 'stop',
  usage: { promptTokens: 1, completionTokens: 1 },
  model: 'm',
}
const request: ModelRequest = {
  role: 'main',
  messages: [],
  tools: [],
  maxOutputTokens: 10,
  temperature: 0,
  metadata: { depth: 'standard', conversation: 'web:stage' },
}

type Given = { readonly hasFallback: boolean; readonly role: ModelRole }
const toText = ({ role, budget }: CallFor): string => [role, ...(budget ? [budget] : [])].join('/')

/** Calls a model that answers so, one after the other, and tells in order all that happened. */
async function call(
  results: readonly ModelResult[],
  more: Partial<ModelDeps> & Partial<Pick<ModelCall, 'budget' | 'onAttempt'>> & Partial<Given> = {},
  lost = new AbortController(),
): Promise<{ readonly result: ModelResult; readonly log: readonly string[] }> {
  const log: string[] = []
  const { hasFallback = false, onAttempt = async () => true, budget, role: first = 'main', ...rest } = more
  const left = [...results]
  const deps: ModelDeps = {
    model: {
      async complete({ role }) {
        log.push(`ask ${role}`)
        return left.shift() ?? reply
      },
      describe: () => ({ name: 'm', endpoint: 'memory', offline: true }),
      contextTokens: 1000,
      hasFallback,
    },
    enter: async (what) => void log.push(`enter ${toText(what)}`),
    leave: async (holder) => void log.push(`leave ${holder}`),
    refused: async (what, principal, forMs) => void log.push(`refused ${toText(what)} ${principal} ${forMs}`),
    sleep: async (ms) => void log.push(`sleep ${ms}`),
    retryDelaysMs: [100, 200],
    maxRetryAfterMs: 5000,
    onFailure: (kind) => void log.push(`failed ${kind}`),
    ...rest,
  }
  const result = await callModel(
    deps,
    {
      holder: 'h',
      principal: ann,
      request: { ...request, role: first },
      ...(budget ? { budget } : {}),
      firstAttempt: 4,
      onText() {},
      async onAttempt(attempt, role) {
        log.push(`attempt ${attempt} ${role}`)
        return await onAttempt(attempt, role)
      },
    },
    lost.signal,
  )
  return { result, log }
}

test('an answer is one attempt, in a permit of its own', async () => {
  expect(await call([reply])).toEqual({ result: reply, log: ['enter main', 'ask main'] })
})

test('a failure is tried again after each delay, and its permit is given back while it waits', async () => {
  const { result, log } = await call([failed('unavailable'), failed('timeout'), reply])
  expect(result).toEqual(reply)
  expect(log).toEqual([
    'enter main',
    'ask main',
    'failed unavailable',
    'leave h',
    'sleep 100',
    'attempt 5 main',
    'enter main',
    'ask main',
    'failed timeout',
    'leave h',
    'sleep 200',
    'attempt 6 main',
    'enter main',
    'ask main',
  ])
})

test('when no attempt is left the last failure is the result, and nothing waits any more', async () => {
  const { result, log } = await call([failed('timeout'), failed('timeout'), failed('cut-off')])
  expect(result).toEqual(failed('cut-off'))
  expect(log.filter((line) => line.startsWith('ask'))).toHaveLength(3)
  expect(log.at(-1)).toBe('failed cut-off')
})

test.each(['rate-limited', 'unavailable', 'timeout', 'cut-off', 'malformed'] as const)(
  '%s is tried again',
  async (kind) => {
    expect((await call([failed(kind), reply])).result).toEqual(reply)
  },
)

test.each(['auth', 'no-model', 'bad-request'] satisfies ModelFailureKind[])('%s is not tried again', async (kind) => {
  expect(await call([failed(kind)])).toEqual({
    result: failed(kind),
    log: ['enter main', 'ask main', `failed ${kind}`],
  })
})

test('the fallback model has two attempts after the others, each announced', async () => {
  const { result, log } = await call(Array(5).fill(failed('unavailable')), { hasFallback: true })
  expect(result).toEqual(failed('unavailable'))
  expect(log.filter((line) => line.startsWith('ask'))).toEqual([
    'ask main',
    'ask main',
    'ask main',
    'ask fallback',
    'ask fallback',
  ])
  expect(log.filter((line) => line.startsWith('attempt'))).toEqual([
    'attempt 5 main',
    'attempt 6 main',
    'attempt 7 fallback',
    'attempt 8 fallback',
  ])
})

test('a key that is refused leads to the fallback at once', async () => {
  const { log } = await call([failed('auth'), reply], { hasFallback: true })
  expect(log.filter((line) => /^(?:ask|sleep)/.test(line))).toEqual(['ask main', 'ask fallback'])
})

test('an endpoint that says when to come again is heeded up to a limit, and it is told how long it refuses', async () => {
  const refusal = { ...failed('rate-limited'), retryAfterMs: 900 } as ModelResult
  const later = { ...failed('rate-limited'), retryAfterMs: 60_000 } as ModelResult
  const { log } = await call([refusal, later, reply])
  expect(log.filter((line) => /^(?:refused|sleep)/.test(line))).toEqual([
    `refused main ${ann} 900`,
    'sleep 900',
    `refused main ${ann} 5000`,
    'sleep 5000',
  ])
})

test('another failure than a refusal pauses nobody', async () => {
  const { log } = await call([failed('timeout'), reply])
  expect(log.some((line) => line.startsWith('refused'))).toBe(false)
})

test('a turn that may not go on is not asked for again', async () => {
  const { result, log } = await call([failed('timeout'), reply], { onAttempt: async () => false })
  expect(result).toMatchObject({ kind: 'failure', failure: 'aborted' })
  expect(log.filter((line) => line.startsWith('ask'))).toHaveLength(1)
})

test('an abort is no failure of the model, and is not tried again', async () => {
  expect(await call([failed('aborted')])).toEqual({ result: failed('aborted'), log: ['enter main', 'ask main'] })
  const lost = new AbortController()
  lost.abort()
  expect((await call([failed('timeout')], {}, lost)).log).toEqual(['enter main', 'ask main'])
})

test('an abort while a retry waits ends the call', async () => {
  const sleep = async (): Promise<void> => await Promise.reject(new Error('aborted'))
  const { result, log } = await call([failed('timeout'), reply], { sleep })
  expect(result).toMatchObject({ kind: 'failure', failure: 'aborted' })
  expect(log.filter((line) => line.startsWith('ask'))).toHaveLength(1)
})

test('an abort while it waits for a permit ends the call, but a permit that cannot be given is an error', async () => {
  const enter = async (): Promise<void> => await Promise.reject(new Error('no Redis'))
  await expect(call([reply], { enter })).rejects.toThrow('no Redis')
  const lost = new AbortController()
  lost.abort()
  expect(await call([reply], { enter }, lost)).toMatchObject({ result: { failure: 'aborted' }, log: [] })
})

test('a permit that cannot be given back stops nothing', async () => {
  const leave = async (): Promise<void> => await Promise.reject(new Error('no Redis'))
  expect((await call([failed('timeout'), reply], { leave })).result).toEqual(reply)
})

test('a call in the background waits and is refused under its own budget', async () => {
  const { log } = await call([failed('rate-limited'), reply], { role: 'fast', budget: 'compaction' })
  expect(log).toEqual([
    'enter fast/compaction',
    'ask fast',
    'failed rate-limited',
    'leave h',
    `refused fast/compaction ${ann} 100`,
    'sleep 100',
    'attempt 5 fast',
    'enter fast/compaction',
    'ask fast',
  ])
})

test('a call that begins with the fallback model has no other, and is tried as often as any', async () => {
  const { result, log } = await call([failed('timeout'), failed('timeout'), failed('timeout')], {
    role: 'fallback',
    hasFallback: true,
  })
  expect(result).toMatchObject({ failure: 'timeout' })
  expect(log.filter((line) => line.startsWith('ask'))).toEqual(['ask fallback', 'ask fallback', 'ask fallback'])
})
