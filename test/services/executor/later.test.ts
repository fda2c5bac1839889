// What happens later: timers, questions that nobody answers, the end of a session.
import { expect, test } from 'vitest'
import { createConfig } from '#services/config/config.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { endSession } from '#services/executor/events/session-end.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import { ann, conversation, deletion, toApply, toCommand } from '#test/rig/events.ts'
import { answer, builtIn, createStage, type Answer, type Stage } from './stage.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const idleMs = 8 * 60 * minuteMs
const plain = [sampleFeature, ...builtIn.filter(({ name }) => name !== 'config')]
const features = [...plain, createConfig(plain)]
const askToKeep = { toolCalls: [{ id: 'ask', name: 'ask_to_keep', arguments: '{}' }] }

const open = (): Stage => createStage({ features })
const armed = (stage: Stage): readonly string[] =>
  stage.steps.flatMap(({ timers = [] }) => timers.map(({ name }) => name))
async function lastCard(stage: Stage) {
  const { text, buttons, replaces } = (await stage.sent()).at(-1) ?? { text: '' }
  return { text, buttons, replaces }
}
async function askKeep(stage: Stage): Promise<string> {
  stage.answers(askToKeep)
  await stage.ask('May you keep it?')
  const [card] = (await stage.sent()).filter(({ buttons }) => buttons)
  return card?.buttons?.[0]?.[0]?.id.split('.')[0] ?? ''
}

test('a timer is done when it is due, once, in the language that is spoken', async () => {
  const stage = open()
  expect(await stage.ask('/alert tea', { as: toCommand('alert', 'tea') })).toBe('I will.')
  expect(await stage.wait(minuteMs - 1000)).toBe('')
  expect(await stage.wait(2000)).toBe('Reminder: tea')
  expect(await stage.wait(minuteMs)).toBe('')
})

test('a timer that is to be armed again begins anew; one that its feature no longer knows says nothing', async () => {
  const stage = open()
  await stage.ask('/alert tea', { as: toCommand('alert', 'tea') })
  await stage.wait(minuteMs / 2)
  await stage.ask('/alert milk', { as: toCommand('alert', 'milk') })
  expect(await stage.wait(minuteMs / 2 + 1000)).toBe('')
  expect(await stage.wait(minuteMs / 2)).toBe('Reminder: milk')
  const other = createStage({ features: builtIn }, 128_000, stage.kernel)
  await stage.ask('/alert tea', { as: toCommand('alert', 'tea') })
  await stage.wait(minuteMs - 1000)
  expect(await other.wait(0)).toBe('')
})

test('what a timer of a forgotten message would have said is not said', async () => {
  const stage = open()
  await stage.ask('/alert tea', { as: toCommand('alert', 'tea') })
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  expect(await stage.wait(2 * minuteMs)).toBe('')
})

test.each([
  ['a timer that no rule of its feature is for', { kind: 'timer', timer: 'none', inMs: 1, payload: '' }],
  ['a timer in more than a year', { kind: 'timer', timer: 'remind', inMs: 400 * dayMs, payload: '' }],
  ['a timer with a key of other signs', { kind: 'timer', timer: 'remind', key: 'a b', inMs: 1, payload: '' }],
  ['calling off what is nobody', { kind: 'cancel', which: { asker: 'everybody' } }],
] as const)('%s is told as a failure of the feature', async (_, effect) => {
  const failed: string[] = []
  const command = { name: 'odd', help: { zh: '', en: '' }, run: async () => [effect] }
  const odd = { ...sampleFeature, commands: [command] } as unknown as Feature
  const onFeatureFailed = (name: string, error: unknown) => void failed.push(`${name} ${String(error)}`)
  const stage = createStage({ features: [odd], onFeatureFailed })
  await stage.ask('/odd', { as: toCommand('odd') })
  expect(failed).toHaveLength(1)
  expect(await stage.wait(2 * minuteMs)).toBe('')
})

test('a question that nobody answers ends after a week: its feature says what its card says, without buttons', async () => {
  const stage = open()
  await askKeep(stage)
  expect(await stage.wait(6 * dayMs)).toBe('')
  expect(await stage.wait(dayMs + 1000)).toBe('Nobody said (deadline).')
  expect(await lastCard(stage)).toMatchObject({ buttons: undefined, replaces: expect.stringMatching(/-0$/) })
  expect(await stage.press('Keep')).toBe('UNKNOWN')
  expect(await stage.wait(60 * dayMs)).toBe('')
})

test('a question that a newer one replaced is not asked again by its own end, and the feature is told of', async () => {
  const failed: string[] = []
  const pay: Effect = {
    kind: 'ask',
    question: 'pay',
    text: 'Pay?',
    options: [[{ id: 'yes', label: 'Yes' }]],
    payload: '',
    topic: 'pay',
  }
  const again: Feature = {
    name: 'again',
    commands: [{ name: 'pay', help: { zh: '', en: '' }, run: async () => [pay] }],
    questions: { pay: { answer: async () => [], expired: async () => [pay] } },
  }
  const onFeatureFailed = (_: string, error: unknown) => void failed.push(String(error))
  const stage = createStage({ features: [again], onFeatureFailed })
  const asked = async (): Promise<number> => (await stage.sent()).filter(({ text }) => text === 'Pay?').length
  await stage.ask('/pay', { as: toCommand('pay') })
  await stage.ask('/pay', { as: toCommand('pay') })
  await stage.wait(1000)
  expect(failed).toEqual([expect.stringContaining('ended as "replaced" cannot be asked again')])
  expect(await asked()).toBe(2)
  // After its deadline it may be: that comes once in so long.
  await stage.wait(8 * dayMs)
  expect(await asked()).toBe(3)
})

test('a question without a rule for its end loses its buttons and says nothing', async () => {
  const { expired: _, ...keep } = sampleFeature.questions['keep'] ?? { answer: async () => [] }
  const silent = { ...sampleFeature, questions: { ...sampleFeature.questions, keep } }
  const stage = createStage({ features: [silent] })
  await askKeep(stage)
  expect(await stage.wait(8 * dayMs)).toBe('')
  const off = stage.steps.at(-1)?.rows?.map(({ body }) => body.kind)
  expect(off).toContain('unbutton')
})

test('a menu that nobody presses loses its buttons', async () => {
  const stage = open()
  await stage.ask('/config', { as: toCommand('config') })
  expect((await lastCard(stage)).buttons).toBeDefined()
  expect(await stage.wait(8 * dayMs)).toBe('')
  expect(stage.steps.at(-1)?.rows).toMatchObject([{ body: { kind: 'unbutton' } }])
})

test.each([
  ['/new', 'new'],
  ['/stop of whom it was asked for', 'stop'],
])('%s calls it off, and its card says so', async (_, name) => {
  const stage = open()
  await askKeep(stage)
  await stage.ask(`/${name}`, { as: toCommand(name) })
  expect(await stage.wait(0)).toBe('Nobody said (cancelled).')
  expect(await stage.press('Keep')).toBe('UNKNOWN')
})

test('the stop of another calls nothing off', async () => {
  const stage = open()
  await askKeep(stage)
  await stage.ask('/stop', { as: toCommand('stop'), principal: 'web:bob' })
  await stage.work()
  expect(await stage.press('Keep')).toContain('ok')
})

test('a newer menu takes the place of the older, which loses its buttons', async () => {
  const stage = open()
  await stage.ask('/config', { as: toCommand('config') })
  const [first] = await stage.sent()
  await stage.ask('/config', { as: toCommand('config') })
  expect(await stage.wait(0)).toBe('')
  const off = stage.steps.flatMap(({ rows = [] }) => rows.filter(({ body }) => body.kind === 'unbutton'))
  expect(off).toMatchObject([{ body: { replaces: first?.row } }])
})

test('a session has one timer, armed by its first turn, however much is said', async () => {
  const stage = open()
  for (const text of ['one', 'two', 'three']) await stage.ask(text)
  expect(armed(stage)).toEqual(['session'])
  await stage.wait(idleMs - minuteMs)
  await stage.ask('four')
  expect(armed(stage)).toEqual(['session'])
  await stage.wait(2 * minuteMs)
  expect(armed(stage)).toEqual(['session', 'session'])
  expect((await stage.state()).session.timed).toBe(true)
})

test('what comes from inside does not part what one person says', async () => {
  const stage = open()
  const before = stage.requests.length
  await stage.say('three')
  const event = {
    v: 1,
    kind: 'timer',
    id: 'x',
    conversation,
    principal: ann,
    at: 1,
    timer: 'notes.remind',
    payload: 'x',
  } as const
  await stage.put(event, toApply('timer'))
  await stage.ask('four')
  expect(stage.requests.length - before).toBe(1)
})

test('a clock that was ahead puts a session’s end off by no more than a session', async () => {
  const stage = open()
  const state = await stage.state()
  const { session } = { ...state, session: { ...state.session, lastAt: Date.now() + 400 * dayMs } }
  const item = { seq: 1, event: { v: 1, kind: 'session_end', id: 's', conversation, principal: ann, at: 1 } } as const
  const claim = { conversation, state: { ...state, session } } as unknown as Claim
  expect(endSession(stage.deps, claim, item).timers).toMatchObject([{ name: 'session', inMs: idleMs }])
})

test('of a timer that is disarmed and armed in one step what came last holds', async () => {
  const runs: (readonly Effect[])[] = [
    [
      { kind: 'disarm', timer: 'remind' },
      { kind: 'timer', timer: 'remind', inMs: 1000, payload: 'a' },
    ],
    [
      { kind: 'timer', timer: 'remind', inMs: 1000, payload: 'b' },
      { kind: 'disarm', timer: 'remind' },
    ],
  ]
  const command = { name: 'odd', help: { zh: '', en: '' }, run: async () => runs.shift() ?? [] }
  const stage = createStage({ features: [{ ...sampleFeature, commands: [command] }] })
  await stage.ask('/odd', { as: toCommand('odd') })
  expect(await stage.wait(2000)).toBe('Reminder: a')
  await stage.ask('/odd', { as: toCommand('odd') })
  expect(await stage.wait(2000)).toBe('')
})

test('a timer that had fired when it was disarmed or armed anew is over, the newer one is not', async () => {
  const arm = (payload: string, inMs: number): Effect => ({ kind: 'timer', timer: 'remind', inMs, payload })
  const runs: (readonly Effect[])[] = [
    [arm('a', 1000)],
    [{ kind: 'disarm', timer: 'remind' }],
    [arm('b', 1000)],
    [arm('c', 5000)],
    [arm('d', 0)],
  ]
  const command = { name: 'odd', help: { zh: '', en: '' }, run: async () => runs.shift() ?? [] }
  const stage = createStage({ features: [{ ...sampleFeature, commands: [command] }] })
  const odd = { as: toCommand('odd') }
  for (const later of ['', 'Reminder: c']) {
    await stage.ask('/odd', odd)
    // It waits in the mailbox, and the timer fires before it is read.
    await stage.say('/odd', odd)
    expect(await stage.wait(2000)).toBe('')
    expect(await stage.wait(6000)).toBe(later)
  }
  await stage.ask('/odd', odd)
  expect(await stage.wait(10)).toBe('Reminder: d')
})

test('when it ends, the buttons under the last answer go, and what was said stays until somebody speaks', async () => {
  const stage = open()
  await stage.ask('one')
  const before = await stage.state()
  expect(before.under).toBeDefined()
  expect(await stage.wait(idleMs + 1000)).toBe('')
  const { under, session, history } = await stage.state()
  expect({ under, timed: session.timed, history }).toEqual({
    under: undefined,
    timed: undefined,
    history: before.history,
  })
  expect(stage.steps.at(-1)).toMatchObject({ closes: before.under?.questions, rows: [{ body: { kind: 'unbutton' } }] })
  expect(await stage.press('Count')).toBe('UNKNOWN')
  await stage.ask('two')
  expect((await stage.state()).session.timed).toBe(true)
})

test('a crash before or after any step leaves each timer and each end done once', async () => {
  for (let n = 1; n <= 12; n++)
    for (const side of ['before', 'after'] as const) {
      const stage = open()
      const respond: Answer = (call) => {
        stage.answers(respond)
        return answer(
          call,
          call.request.messages.findLast(({ role }) => role === 'user')?.content.includes('May you') ? askToKeep : 'ok',
        )
      }
      stage.answers(respond)
      stage.loseAt(n, side)
      const finish = async (said: Promise<string>): Promise<void> => {
        await said
        await stage.work()
        await stage.work()
      }
      await finish(stage.ask('/alert tea', { as: toCommand('alert', 'tea') }))
      await finish(stage.ask('May you keep it?'))
      await finish(stage.wait(2 * minuteMs))
      await finish(stage.wait(idleMs))
      await finish(stage.wait(8 * dayMs))
      const said = (await stage.sent()).map(({ text }) => text)
      const where = `${n} ${side}`
      expect(
        said.filter((text) => text === 'Reminder: tea'),
        where,
      ).toHaveLength(1)
      expect(
        said.filter((text) => text.startsWith('Nobody said')),
        where,
      ).toHaveLength(1)
    }
})
