// A call that failed is tried in other ways before the model reads of it, and whatever is repeated has its effect once: by the ladder, by the model, and
// by a worker that takes over.
import { expect, test } from 'vitest'
import { BotError, PassingError } from '#shared/errors.ts'
import type { Tool, ToolContext } from '#shared/model/tool.ts'
import { defaultLimits } from '#shared/run/turn-limits.ts'
import { answer, createStage, look, type Answer, type Stage } from './stage.ts'

const step = (name: string, given = '{"n":9}') => ({ toolCalls: [{ id: 'c', name, arguments: given }] })
const passing = (): never => {
  throw new BotError('platform', 'it is busy.', { retry: { afterMs: 20 } })
}
const broken = (): never => {
  throw new Error('it broke.')
}
type Run = (input: unknown, context: ToolContext, nth: number) => string

type Opened = {
  readonly stage: Stage
  readonly runs: string[]
  readonly slept: number[]
  readonly effects: Set<string>
}

/** `run` says what the n-th run of a tool does. */
function open(
  tools: Readonly<Record<string, Partial<Tool> & { readonly does: Run }>>,
  more: Parameters<typeof createStage>[0] = {},
): Opened {
  const runs: string[] = []
  const slept: number[] = []
  const effects = new Set<string>()
  const all = Object.entries(tools).map(([name, { does, ...given }]): Tool => ({
    ...look,
    name,
    ...given,
    run: async (input, context) => {
      runs.push(`${name} ${JSON.stringify(input)}`)
      const nth = runs.filter((one) => one.startsWith(`${name} `)).length
      if (given.effect === 'write') effects.add(context.idempotencyKey)
      return { text: does(input, context, nth), source: 'own' }
    },
  }))
  const sleep = async (ms: number): Promise<void> => void slept.push(ms)
  const stage = createStage({ features: [{ name: 'tools', tools: all }], sleep, ...more })
  return { stage, runs, slept, effects }
}

const results = ({ requests }: Stage): readonly string[] =>
  (requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === 'tool' ? [one.content] : []))
const afterFirst =
  (fail: () => never): Run =>
  (_, __, nth) =>
    nth === 1 ? fail() : 'found'

test('what passes is tried once more after the moment that it asks for, and the model is told', async () => {
  const { stage, runs, slept } = open({ look: { does: afterFirst(passing) } })
  stage.answers(step('look'), 'Done.')
  expect(await stage.ask('Look')).toBe('Done.')
  expect(runs).toEqual(['look {"n":9}', 'look {"n":9}'])
  expect(slept).toEqual([20])
  expect(results(stage)).toEqual(['["look" failed and was tried once more]\nfound'])
})

test.each<[string, () => never]>([
  ['a connection that broke', () => raise(Object.assign(new Error('The socket hung up.'), { code: 'ECONNRESET' }))],
  [
    'one that broke below',
    () => raise(new Error('No.', { cause: Object.assign(new Error(''), { code: 'EAI_AGAIN' }) })),
  ],
  ['a failure that says so in words of others', () => raise(new PassingError('503 Service Unavailable'))],
])('%s passes too', async (_, fail) => {
  const { stage, runs } = open({ look: { does: afterFirst(fail) } })
  stage.answers(step('look'))
  await stage.ask('Look')
  expect(runs).toHaveLength(2)
})
function raise(error: Error): never {
  throw error
}

test('then less is asked for, then the other tool is asked; each is one try', async () => {
  const { stage, runs } = open({
    look: { does: passing, smaller: () => ({ n: 1 }), insteadOf: 'other' },
    other: { does: () => 'seen' },
  })
  stage.answers(step('look'))
  await stage.ask('Look')
  expect(runs).toEqual(['look {"n":9}', 'look {"n":9}', 'look {"n":1}', 'other {"n":9}'])
  expect(results(stage)).toEqual(['["look" failed; this is of "other", which does the same]\nseen'])
})

test('where nothing helps the model reads the failure and what was tried, and that it may go on without', async () => {
  const { stage } = open({ look: { does: broken, smaller: () => ({ n: 1 }) } })
  stage.answers(step('look'), 'Without it.')
  expect(await stage.ask('Look')).toBe('Without it.')
  expect(results(stage)).toEqual(['"look" failed: it broke.\n[It was tried again: with less asked for.]'])
  const end = stage.requests.at(-1)?.messages.at(-1)?.content
  expect(end).toContain('tried look {"n":9} (by itself also: smaller): failed because "look" failed: it broke.')
  expect(end).toContain('a step that failed and is not needed may be left out')
})

test('the other tool is judged as any call: who may not use it does not get to it this way', async () => {
  const { stage, runs } = open(
    { look: { does: broken, insteadOf: 'other' }, other: { does: () => 'secret' } },
    { findRight: async ({ name }) => (name === 'other' ? 'none' : 'use') },
  )
  stage.answers(step('look'))
  await stage.ask('Look')
  expect(runs).toEqual(['look {"n":9}'])
  expect(results(stage)).toEqual(['"look" failed: it broke.\n[It was tried again: by another tool.]'])
})

test('tries count as calls', async () => {
  const limits = { ...defaultLimits, maxToolCalls: 2 }
  const { stage, runs } = open({ look: { does: passing, smaller: () => ({ n: 1 }) } }, { limits })
  stage.answers(step('look'))
  expect(await stage.ask('Look')).toContain('limit of tool calls')
  expect(runs).toHaveLength(2)
})

test('what must not be repeated is made once', async () => {
  const { stage, runs } = open({ pay: { does: passing, effect: 'write', onCrash: 'ask' } })
  stage.answers(step('pay'))
  await stage.ask('Pay')
  expect(runs).toHaveLength(1)
})

const order = { effect: 'write', onCrash: 'rerun-with-key' } as const

test('a write is tried again under its key, and has it still when the model repeats it as it was', async () => {
  const { stage, runs, effects } = open({
    order: { ...order, does: (_, __, nth) => (nth < 3 ? passing() : 'ordered') },
  })
  stage.answers(step('order', '{"n":9,"m":1}'), step('order', '{ "m": 1, "n": 9 }'), 'Done.')
  expect(await stage.ask('Order')).toBe('Done.')
  expect(runs).toHaveLength(3)
  expect(effects.size).toBe(1)
})

test('one that succeeded has a new key when it is made again, and so has another one', async () => {
  const { stage, effects } = open({ order: { ...order, does: (_, __, nth) => (nth === 2 ? broken() : 'ordered') } })
  stage.answers(step('order'), step('order', '{"n":1}'), step('order'), 'Done.')
  await stage.ask('Order')
  expect(effects.size).toBe(2)
  const again = open({ order: { ...order, does: () => 'ordered' } })
  again.stage.answers(step('order'), step('order'), 'Done.')
  await again.stage.ask('Order twice')
  expect(again.effects.size).toBe(2)
})

test('a write that failed in words of others may be repeated as it was, and nothing else may be written then', async () => {
  const { stage, runs } = open({ order: { ...order, does: afterFirst(broken) } })
  stage.answers(step('order'), step('order'), step('order', '{"n":1}'), 'Done.')
  await stage.ask('Order')
  expect(runs).toEqual(['order {"n":9}', 'order {"n":9}'])
  expect(results(stage)).toEqual([
    '"order" failed: it broke.',
    'found',
    expect.stringMatching(/^"order" was not run: this turn has read what others wrote/),
  ])
})

test('what was refused is no call that failed: asked for again it is refused again', async () => {
  const { stage, runs } = open({ order: { ...order, does: () => 'ordered' }, page: { does: broken } })
  stage.answers(step('page'), step('order'), step('order'), 'Done.')
  await stage.ask('Order')
  expect(runs).toEqual(['page {"n":9}'])
})

/** A read that goes all ways, and a write that is tried twice. */
function climbAll(): Opened {
  const opened = open({
    look: { does: passing, smaller: () => ({ n: 1 }), insteadOf: 'other' },
    other: { does: () => 'seen' },
    order: { ...order, does: afterFirst(passing) },
  })
  // By what it has read, so that a repeated request has the same answer.
  const respond: Answer = (call) => {
    opened.stage.answers(respond)
    const read = call.request.messages.filter(({ role }) => role === 'tool').length
    return answer(call, read === 0 ? step('look') : read === 1 ? step('order') : 'Done.')
  }
  opened.stage.answers(respond)
  return opened
}

test('a worker lost at any step of it repeats no try that had ended, and the end is the same', async () => {
  const whole = climbAll()
  await whole.stage.ask('Go')
  // A failure that nobody stored is not known: the call is made as if for the first time.
  const found = (stage: Stage) => results(stage).map((one) => one.split('\n').at(-1))
  const tries = new Set(whole.runs)
  const appends = whole.stage.steps.length
  expect(appends).toBeGreaterThan(10)
  for (let n = 1; n <= appends; n++)
    for (const side of ['before', 'after'] as const) {
      const { stage, runs, effects } = climbAll()
      stage.loseAt(n, side)
      await stage.say('Go')
      await stage.work()
      await stage.work()
      const about = `lost ${side} append ${n} of ${appends}`
      expect((await stage.sent()).at(-1)?.text, about).toBe('Done.')
      expect(found(stage), about).toEqual(['seen', 'found'])
      expect(effects.size, about).toBe(1)
      expect(new Set(runs), about).toEqual(tries)
      // One at most was under way.
      expect(runs.length, about).toBeLessThanOrEqual(whole.runs.length + 1)
    }
})
