// While an owner has the fleet do nothing by itself: what fired before is put off, a turn that nobody asked for ends, a person is answered; and once
// that is lifted all that was put off comes, once each.
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import { isByItself } from '#services/executor/step/hold-back.ts'
import { ann, toCommand } from '#test/rig/events.ts'
import { builtIn, createStage, look, type Stage } from '#test/services/executor/stage.ts'

const minuteMs = 60_000
const wakes: Feature = {
  name: 'wakes',
  commands: [
    {
      name: 'wake',
      help: { zh: '叫醒', en: 'wake' },
      run: async ({ args }) => [{ kind: 'timer', timer: 'due', key: args, inMs: minuteMs, payload: args }],
    },
    {
      name: 'unwake',
      help: { zh: '不叫醒', en: 'do not wake' },
      run: async ({ args }) => [{ kind: 'disarm', timer: 'due', key: args }],
    },
  ],
  tools: [look],
  timers: { due: { due: async ({ event }) => [{ kind: 'turn', text: `woken ${event.payload}` }] } },
  questions: {
    ask: {
      answer: async ({ event }) => [{ kind: 'turn', text: `answered ${event.choice}` }],
      expired: async () => [{ kind: 'turn', text: 'nobody answered' }],
    },
  },
  ended: ({ asked }) =>
    asked.includes('ask me')
      ? [
          {
            kind: 'ask',
            question: 'ask',
            text: 'Well?',
            options: [[{ id: 'yes', label: 'Yes' }]],
            payload: '',
            deadlineMs: 2 * minuteMs,
          },
        ]
      : [],
}

type Held = { readonly stage: Stage; quiet: boolean; asked(): readonly string[] }

function open(): Held {
  const self: Held = {
    quiet: false,
    stage: createStage({ features: [...builtIn, wakes], isQuiet: async () => self.quiet }),
    asked: () =>
      self.stage.requests.map(({ messages }) => String(messages.findLast(({ role }) => role === 'user')?.content)),
  }
  return self
}
const wake = async (stage: Stage, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await stage.ask(`/wake ${key}`, { as: toCommand('wake', key) })
}

test('what had fired is put off, a person is answered, and once it is lifted each comes once', async () => {
  const held = open()
  const { stage } = held
  await stage.ask('Please ask me')
  await wake(stage, 'a', 'b')
  const before = stage.requests.length
  held.quiet = true
  // Both timers and the deadline had fired when it was said.
  await stage.wait(3 * minuteMs)
  for (let n = 0; n < 3; n++) await stage.work()
  expect(stage.requests).toHaveLength(before)
  expect(await stage.ask('Are you there?')).toBe('ok')
  expect(held.asked().slice(before)).toEqual([expect.stringContaining('Are you there?')])
  held.quiet = false
  for (let n = 0; n < 3; n++) await stage.wait(0)
  const came = held
    .asked()
    .slice(before + 1)
    .join('\n')
  expect(held.asked()).toHaveLength(before + 4)
  for (const what of ['woken a', 'woken b', 'nobody answered']) expect(came.split(what)).toHaveLength(2)
})

test('a turn that nobody asked for ends between its steps, and asks how to go on', async () => {
  const held = open()
  const { stage } = held
  await wake(stage, 'a')
  const before = stage.requests.length
  stage.answers({ toolCalls: [{ id: 'l', name: 'look', arguments: '{}' }] }, async ({ signal }) => {
    held.quiet = true
    await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
    return { kind: 'failure', failure: 'aborted', message: 'The test says so.' }
  })
  const said = await stage.wait(minuteMs)
  expect(said).toContain('An owner has me do nothing by myself')
  expect(said).toContain('> An owner has me do nothing by myself.')
  expect(stage.requests).toHaveLength(before + 2)
  // A press is a person's.
  expect(await stage.press('Retry')).toContain('ok')
})

test('one that a lost worker left open ends before its model is asked again', async () => {
  const held = open()
  const { stage } = held
  await wake(stage, 'a')
  stage.loseAt(1, 'after')
  await stage.wait(minuteMs)
  expect((await stage.state()).turns).toBe(0)
  const before = stage.requests.length
  held.quiet = true
  await stage.work()
  expect(stage.requests).toHaveLength(before)
  expect((await stage.sent()).at(-1)?.text).toContain('An owner has me do nothing by myself')
})

test('a turn of a person goes on, whatever it is about', async () => {
  const held = open()
  const { stage } = held
  stage.answers(() => {
    held.quiet = true
    return Promise.resolve({
      kind: 'reply' as const,
      text: '',
      toolCalls: [{ id: 'l', name: 'look', arguments: '{}' }],
      finish: 'tool_calls' as never,
      usage: { promptTokens: 1, completionTokens: 1 },
      model: 'stage',
    })
  }, 'Here you are.')
  expect(await stage.ask('Look it up')).toBe('Here you are.')
  await stage.ask('Please ask me')
  const before = stage.requests.length
  await stage.press('Yes')
  expect(held.asked().slice(before)).toEqual([expect.stringContaining('answered yes')])
})

test('a timer that is called off, or armed anew, while it is put off comes as it was last wanted', async () => {
  const held = open()
  const { stage } = held
  await wake(stage, 'a', 'b')
  held.quiet = true
  await stage.wait(minuteMs)
  await stage.ask('/unwake a', { as: toCommand('unwake', 'a') })
  await wake(stage, 'b')
  held.quiet = false
  const before = stage.requests.length
  await stage.wait(0)
  expect(stage.requests).toHaveLength(before)
  await stage.wait(minuteMs)
  expect(held.asked().slice(before)).toEqual([expect.stringContaining('woken b')])
})

test('letters are by themselves where a timer or a deadline wrote them', () => {
  const letter = { v: 1, kind: 'letter', id: 'x', conversation: 'web:a', principal: ann, at: 0 } as const
  const whole = { ...letter, from: 'web:b', letter: 'a.b', payload: '' } as const
  expect(isByItself(whole)).toBe(false)
  expect(isByItself({ ...whole, byItself: true })).toBe(true)
})
