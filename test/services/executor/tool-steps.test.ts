// Steps of a turn with tools: what the model may call, what it reads of each call, and what a crash between two steps leaves.
import { expect, test } from 'vitest'
import type { PromptMessage } from '#shared/model/model-port.ts'
import type { OnCrash, Tool } from '#shared/model/tool.ts'
import { ann, conversation, toTurn } from '#test/rig/events.ts'
import { createStage, failed, loseDuringCall, type Stage } from './stage.ts'

type Run = Tool['run']
const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object' },
  effect: 'read',
  onCrash: 'rerun',
  run: async () => ({ text: `${name} done`, source: 'others' }),
  ...more,
})
const call = (name: string, id = name, input = '{}') => ({ id, name, arguments: input })
const withTools = (...tools: readonly Tool[]): Stage => createStage({ features: [{ name: 'tools', tools }] })
/** What the model read of its calls, as of the last request. */
const results = ({ requests }: Stage): readonly string[] =>
  (requests.at(-1)?.messages ?? []).flatMap((message: PromptMessage) =>
    message.role === 'tool' ? [message.content] : [],
  )

test('calls run in order, each once, and the model reads the results', async () => {
  const ran: string[] = []
  const run =
    (name: string): Run =>
    async (input) => {
      ran.push(`${name} ${JSON.stringify(input)}`)
      return { text: `${name} done`, source: 'others' }
    }
  const stage = withTools(tool('look', { run: run('look') }), tool('count', { run: run('count') }))
  stage.answers({ toolCalls: [call('look', 'a', '{"at":1}'), call('count', 'b')] }, 'Done.')
  expect(await stage.ask('Look and count')).toBe('Done.')
  expect(ran).toEqual(['look {"at":1}', 'count {}'])
  expect(results(stage)).toEqual(['look done', 'count done'])
})

test('at every depth the same tools are shown; what a short answer may not do is refused with the reason', async () => {
  const inner: Run = async () => ({ text: 'done', source: 'own' })
  const stage = withTools(tool('look', { run: inner }), tool('write', { effect: 'write', run: inner }))
  const read: (readonly string[])[] = []
  for (const how of [{ depth: 'light' }, { depth: 'light', type: 'social' }, { depth: 'deep' }] as const) {
    stage.answers({ toolCalls: [call('look'), call('write')] }, 'Done.')
    await stage.ask('hi', { as: toTurn(how) })
    read.push(results(stage).slice(-2))
  }
  expect(new Set(stage.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1)
  const courtesy = expect.stringContaining('was not run: this is a courtesy')
  expect(read).toEqual([
    ['done', expect.stringContaining('"write" was not run: the answer is to be short')],
    [courtesy, courtesy],
    ['done', 'done'],
  ])
})

test('each failure of a call is something that the model reads, and the turn goes on', async () => {
  const stage = withTools(
    tool('throws', { run: async () => await Promise.reject(new Error('no such page')) }),
    tool('long', { run: async () => ({ text: 'x'.repeat(50_000), source: 'others' }) }),
  )
  stage.answers(
    { toolCalls: [call('throws'), call('unknown'), call('long', 'long', '{"broken'), call('long', 'again')] },
    'Done.',
  )
  expect(await stage.ask('Try')).toBe('Done.')
  const [thrown, unknown, broken, long] = results(stage)
  expect(thrown).toBe('"throws" failed: no such page')
  expect(unknown).toBe('There is no tool "unknown".')
  expect(broken).toBe('The arguments of "long" are not one JSON object. Send one.')
  expect(long?.length).toBeLessThanOrEqual(4500)
})

test('a tool knows whom it serves: their language and their time zone', async () => {
  const run: Run = async (_, { principal, language, zone }) => ({
    text: `${principal} ${language} ${await zone()}`,
    source: 'own',
  })
  const features = [{ name: 'tools', tools: [tool('who', { run })] }]
  const stage = createStage({ features, findZone: async (person) => (person === 'web:ann' ? 'Asia/Tokyo' : undefined) })
  stage.answers({ toolCalls: [call('who')] }, 'Done.')
  await stage.ask('请看看我是谁')
  expect(results(stage)).toEqual(['web:ann zh Asia/Tokyo'])
})

test('a tool that takes too long is ended, and the model is told so', async () => {
  const run: Run = async (_, _context, signal) =>
    await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('too slow')), { once: true }),
    )
  const stage = createStage({ toolTimeoutMs: 20, features: [{ name: 'tools', tools: [tool('slow', { run })] }] })
  stage.answers({ toolCalls: [call('slow')] }, 'Done.')
  expect(await stage.ask('Try')).toBe('Done.')
  expect(results(stage)).toEqual(['"slow" failed: too slow'])
})

test('what the person may not use is refused at the call, for the person of the turn', async () => {
  const asked: [string, string, string][] = []
  const stage = createStage({
    features: [{ name: 'tools', tools: [tool('look')] }],
    findRight: async ({ name }, ...whose) => (asked.push([name, ...whose]), 'none'),
  })
  stage.answers({ toolCalls: [call('look')] }, 'Done.')
  await stage.ask('Look')
  expect(results(stage)).toEqual(['The person this turn serves may not use "look".'])
  expect(asked).toEqual([['look', ann, conversation]])
})

test('a stop while a tool runs ends it, and the turn', async () => {
  const begun = Promise.withResolvers<void>()
  const run: Run = async (_, _context, signal) => {
    begun.resolve()
    return await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
    )
  }
  const stage = withTools(tool('slow', { run }))
  stage.answers({ text: 'Looking.', toolCalls: [call('slow')] })
  await stage.say('Try')
  const working = stage.work()
  await begun.promise
  await stage.stop()
  await working
  expect((await stage.sent()).map(({ text }) => text)).toEqual(['Looking.\n\n(Stopped.)'])
  expect(stage.requests).toHaveLength(1)
})

/** A worker is lost while the tool runs; the next one goes on. Says how often the tool ran, with which keys, and what the model read. */
async function crashDuring(onCrash: OnCrash): Promise<{ keys: readonly string[]; read: readonly string[] }> {
  const keys: string[] = []
  const lost = new AbortController()
  const run: Run = async (_, { idempotencyKey }) => {
    keys.push(idempotencyKey)
    if (keys.length === 1) {
      lost.abort()
      throw new Error('gone')
    }
    return { text: 'done at last', source: 'others' }
  }
  const stage = withTools(tool('write', { effect: 'write', onCrash, run }))
  stage.answers({ toolCalls: [call('write')] }, 'Done.')
  await stage.say('Write')
  await stage.work(lost.signal)
  await stage.work()
  expect((await stage.sent()).map(({ text }) => text)).toEqual(['Done.'])
  return { keys, read: results(stage) }
}

test.each(['rerun', 'rerun-with-key'] as const)(
  'after a crash a tool of kind %s runs again, with its key',
  async (kind) => {
    const { keys, read } = await crashDuring(kind)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(read).toEqual(['done at last'])
  },
)

test('after a crash a tool that is to be asked about does not run again, and the model is told to tell', async () => {
  const { keys, read } = await crashDuring('ask')
  expect(keys).toHaveLength(1)
  expect(read).toEqual([expect.stringContaining('Whether it took effect is unknown')])
})

test('a finished call is not made again after a crash, nor is the model asked again for what it answered', async () => {
  let ran = 0
  const stage = withTools(tool('look', { run: async () => ({ text: `look ${++ran}`, source: 'others' }) }))
  stage.answers({ toolCalls: [call('look')] })
  await stage.say('Look')
  await loseDuringCall(stage)
  stage.answers('Done.')
  await stage.work()
  expect(ran).toBe(1)
  expect(results(stage)).toEqual(['look 1'])
  expect(stage.requests).toHaveLength(3)
  const [, before, after] = stage.requests.map(({ messages }) => messages.slice(0, -1))
  expect(after).toEqual(before)
})

test('the tries of a step are counted across workers that were lost: after the twelfth it fails', async () => {
  const stage = createStage()
  await stage.say('Hello')
  for (let n = 0; n < 4; n++) {
    stage.answers(
      () => failed('unavailable'),
      () => failed('unavailable'),
    )
    await loseDuringCall(stage)
  }
  expect(stage.requests).toHaveLength(12)
  await stage.work()
  expect(stage.requests).toHaveLength(12)
  expect(await stage.sent()).toHaveLength(1)
})

test('a model that fails within a turn with tools leaves what they found', async () => {
  const stage = withTools(tool('look'))
  stage.answers(
    { text: 'Looking.', toolCalls: [call('look')] },
    () => failed('malformed'),
    () => failed('malformed'),
    () => failed('malformed'),
  )
  expect(await stage.ask('Look')).not.toBe('')
  expect((await stage.state()).history.slice(0, 3)).toEqual([
    { role: 'user', text: 'Look', source: 'person', messageId: 'm1' },
    { role: 'assistant', text: 'Looking.', source: 'own', toolCalls: [call('look')] },
    { role: 'tool', callId: 'look', text: 'look done', source: 'others' },
  ])
})

test.each(['rerun', 'rerun-with-key', 'ask'] as const)(
  'a stop that came while nobody worked is heeded before a call of kind %s is made again',
  async (onCrash) => {
    const made: string[] = []
    const run: Run = async () => (made.push('made'), { text: 'posted', source: 'own' })
    const stage = withTools(tool('post', { effect: 'write', onCrash, run }))
    stage.answers({ toolCalls: [call('post')] })
    stage.loseAt(3, 'after')
    await stage.say('Post it')
    await stage.work()
    const { length } = made
    await stage.stop()
    await stage.work()
    expect(made).toHaveLength(length)
    expect((await stage.sent()).map(({ text }) => text)).toEqual(['Stopped.'])
    expect((await stage.state()).history.at(-2)?.text).toContain('Whether it took effect is unknown')
  },
)

test.each([[['pay']], [['look', 'pay']]])(
  'of %j a stop interrupts the payment: nobody knows whether it was made',
  async (names) => {
    const begun = Promise.withResolvers<void>()
    const run: Run = async () => (begun.resolve(), await new Promise(() => {}))
    const stage = withTools(tool('look'), tool('pay', { effect: 'write', run }))
    stage.answers({ text: 'I pay now.', toolCalls: names.map((name) => call(name)) })
    await stage.say('Pay the bill')
    const working = stage.work()
    await begun.promise
    await stage.stop()
    await working
    const { history } = await stage.state()
    expect(history.map(({ text }) => text)).toEqual([
      'Pay the bill',
      'I pay now.',
      ...(names.length > 1 ? ['look done'] : []),
      '[Interrupted. Whether it took effect is unknown.]',
      '[Stopped.]',
    ])
  },
)
