// Steps that the store refuses, as one that arms a timer too many: their event ends as where its feature fails, at once and without a start counted.
import { expect, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Append } from '#shared/run/step.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'
import { ann, conversation, toCommand } from '#test/rig/events.ts'
import { builtIn, createStage, look, type Stage } from './stage.ts'

const help = { zh: '', en: '' }
const failed = 'I could not do that; my operator was told why.'
const timer = (key: string, inMs = 86_400_000): StepEffect => ({ kind: 'timer', timer: 'due', key, inMs, payload: '' })
const letter: StepEffect = { kind: 'letter', to: 'web:other', letter: 'told', payload: '' }
const say: StepEffect = { kind: 'send', text: 'I will.' }
const ask: StepEffect = {
  kind: 'ask',
  question: 'more',
  text: 'More?',
  options: [[{ id: 'yes', label: 'Yes' }]],
  payload: '',
}

/** What it wants, by command; the same by an answer, a tool, a timer and the end of a turn. */
const soon = (wants: Record<string, readonly StepEffect[]>, more: Partial<Feature> = {}): Feature => ({
  name: 'soon',
  commands: Object.entries(wants).map(([name, effects]) => ({ name, help, run: async () => effects })),
  timers: { due: { due: async () => wants['due'] ?? [] } },
  letters: { told: { came: async () => [] } },
  questions: { more: { answer: async () => wants['answered'] ?? [] } },
  tools: [{ ...look, name: 'arm', run: async () => ({ text: 'armed', source: 'own', effects: wants['tool'] ?? [] }) }],
  ended: () => wants['ended'] ?? [],
  ...more,
})

async function open(
  wants: Record<string, readonly StepEffect[]>,
  more: Partial<Feature> = {},
): Promise<{ stage: Stage; told: string[] }> {
  const told: string[] = []
  const onFeatureFailed = (feature: string): unknown => told.push(feature)
  return { stage: createStage({ features: [...builtIn, soon(wants, more)], onFeatureFailed }), told }
}

async function store(stage: Stage, step: Partial<Append>): Promise<void> {
  const claimed = await stage.kernel.claim(conversation, 'filler', 1000)
  if (claimed.kind !== 'CLAIMED') throw new Error(claimed.kind)
  await stage.kernel.append(conversation, claimed.epoch, { key: 'filled', entries: [], ...step })
  await stage.kernel.release(conversation, 'filler', claimed.epoch, true)
}
const fire = { v: 1, kind: 'timer', conversation, principal: ann, timer: 'soon.due', payload: '' } as const
const fillTimers = (stage: Stage, many = 1000): Promise<void> =>
  store(stage, {
    timers: Array.from({ length: many }, (_, i) => ({
      name: `soon.due.k${i}`,
      inMs: 7 * 86_400_000,
      event: { ...fire, id: `f${i}` },
    })),
  })
const sent = { v: 1, kind: 'letter', principal: ann, conversation: 'web:other', from: conversation } as const
const fillLetters = (stage: Stage): Promise<void> =>
  store(stage, {
    letters: Array.from({ length: 1000 }, (_, i) => ({
      event: { ...sent, id: `l${i}`, letter: 'soon.told', payload: '' },
    })),
  })
const run = (stage: Stage, name: string): Promise<string> => stage.ask(`/${name}`, { as: toCommand(name) })

/** The conversation goes on, and what waits was started once. */
async function goesOn(stage: Stage): Promise<void> {
  const claimed = await stage.kernel.claim(conversation, 'reader', 1000)
  expect(claimed).toMatchObject({ kind: 'CLAIMED', attempts: 1, pending: [] })
  if (claimed.kind === 'CLAIMED') await stage.kernel.release(conversation, 'reader', claimed.epoch, true)
  expect(await stage.ask('hello')).toBe('ok')
}

test.each<[string, (stage: Stage) => Promise<void>, StepEffect]>([
  ['timers', fillTimers, timer('more')],
  ['letters', fillLetters, letter],
])(
  'a command that is refused for too many %s is told as failed, once, and nothing of it is stored',
  async (_, fill, effect) => {
    const { stage, told } = await open({ go: [say, effect] })
    await fill(stage)
    expect(await run(stage, 'go')).toBe(failed)
    expect(told).toEqual(['soon'])
    await goesOn(stage)
  },
)

test('an answer that is refused is told as failed, and its buttons go', async () => {
  const { stage, told } = await open({ go: [ask], answered: [say, timer('more'), timer('most')] })
  await fillTimers(stage, 999)
  await run(stage, 'go')
  expect(await stage.press('Yes')).toContain(failed)
  expect(told).toEqual(['soon'])
  await goesOn(stage)
})

test('a turn that is refused with what began it is not begun', async () => {
  const { stage, told } = await open(
    {},
    { commands: [{ name: 'go', help, run: async () => [timer('more'), { kind: 'turn', text: 'Think.' }] }] },
  )
  await fillTimers(stage)
  expect(await run(stage, 'go')).toBe(failed)
  expect([told, stage.requests]).toEqual([['soon'], []])
  await goesOn(stage)
})

test('what a tool wants and is refused is a failure of the tool, which the model reads', async () => {
  const { stage, told } = await open({ tool: [timer('more')] })
  await fillTimers(stage)
  stage.answers({ toolCalls: [{ id: 'a', name: 'arm', arguments: '{}' }] }, 'It did not work.')
  expect(await stage.ask('Arm it')).toBe('It did not work.')
  expect(JSON.stringify(stage.requests.at(-1))).toContain('no conversation may have more'.slice(3))
  expect(told).toEqual(['soon'])
  await goesOn(stage)
})

test('an answer is given also where what a feature wants at its end is refused', async () => {
  const { stage, told } = await open({ ended: [timer('more')] })
  await fillTimers(stage)
  expect(await stage.ask('Hello')).toBe('ok')
  expect(told).toEqual(['soon'])
})

test('a timer that wants too many is over', async () => {
  const { stage, told } = await open({ due: [timer('a'), timer('b'), timer('c')], go: [say, timer('first', 1000)] })
  await run(stage, 'go')
  await fillTimers(stage, 999)
  expect(await stage.wait(2000)).toBe(failed)
  expect(told).toEqual(['soon'])
  await goesOn(stage)
})

test('what is refused whatever is said of it is set aside, and what comes after goes on', async () => {
  const kernel = createMemoryKernel(Date.now)
  const refusing: typeof kernel = {
    ...kernel,
    append: async (id, epoch, step) => {
      const isAside = (step.setAside ?? []).length > 0
      if (step.consume?.length && !isAside && JSON.stringify(step.rows).includes('m1'))
        throw new BotError('internal', 'Redis refused the unit "append": ERR user_script:1: it is odd')
      return await kernel.append(id, epoch, step)
    },
  }
  const told: string[] = []
  const onFeatureFailed = (feature: string): unknown => told.push(feature)
  const stage = createStage({ features: [...builtIn, soon({ go: [say] })], onFeatureFailed }, 128_000, refusing)
  expect(await run(stage, 'go')).toContain('put it aside')
  expect(told).toEqual(['soon', 'executor'])
  expect(await stage.ask('hello')).toBe('ok')
  expect(await kernel.replay(conversation)).toBe(1)
})

test('a session whose end was set aside gets another timer with the next turn', async () => {
  let nowMs = Date.now()
  const kernel = createMemoryKernel(() => nowMs)
  const refusing: typeof kernel = {
    ...kernel,
    append: async (id, epoch, step) => {
      if (JSON.stringify(step.entries).includes('session-end')) throw new BotError('internal', 'It is odd.')
      return await kernel.append(id, epoch, step)
    },
  }
  const stage = createStage({ now: () => nowMs }, 128_000, refusing)
  const armed = (): string[] => stage.steps.flatMap(({ timers = [] }) => timers.map(({ name }) => name))
  await stage.ask('Hello')
  nowMs += stage.deps.sessionIdleMs + 1
  await stage.wait(0)
  expect([armed(), (await stage.state()).session.timed]).toEqual([['session'], undefined])
  await stage.ask('Hello again')
  expect(armed()).toEqual(['session', 'session'])
})
