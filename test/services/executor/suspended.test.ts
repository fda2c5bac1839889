// A tool that has to ask a person ends its turn; what is answered begins another one for whom it was asked, whoever answered: with that person's
// rights and budget, and with what the turn had read that asked.
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'
import { ann, toCommand } from '#test/rig/events.ts'
import { createStage, look, type Stage } from './stage.ts'

const bob = 'web:bob'
const step = (name: string) => ({ toolCalls: [{ id: name, name, arguments: '{}' }] })
const tool = (name: string, run: Tool['run'], more: Partial<Tool> = {}): Tool => ({ ...look, name, run, ...more })

function open(): { readonly stage: Stage; readonly used: string[]; readonly paid: string[] } {
  const used: string[] = []
  const paid: string[] = []
  const feature: Feature = {
    name: 'shop',
    tools: [
      tool(
        'inquire',
        async () => ({
          text: 'pending',
          source: 'own',
          ends: 'suspended',
          effects: [
            {
              kind: 'ask',
              owner: bob,
              question: 'go',
              text: 'May they?',
              options: [[{ id: 'yes', label: 'Yes' }]],
              payload: 'Go on',
            },
          ],
        }),
        { effect: 'ask' },
      ),
      tool('page', async () => ({ text: 'Read!', source: 'others' })),
      tool('buy', async (_, { principal, taint }) => {
        used.push(`${principal} ${taint.join()}`)
        return { text: 'bought', source: 'own' }
      }),
    ],
    questions: { go: { answer: async ({ event, about }) => [{ kind: 'turn', text: event.payload, about }] } },
    commands: [{ name: 'again', help: { zh: '', en: '' }, run: async () => [{ kind: 'turn', text: 'Again' }] }],
  }
  const stage = createStage({
    features: [feature],
    findRight: async ({ name }, principal) => (name !== 'buy' || principal === ann ? 'use' : 'none'),
    reserve: async ({ principal }) => void paid.push(principal),
  })
  return { stage, used, paid }
}

test('it serves whom the question was asked for, with their rights and on their account', async () => {
  const { stage, used, paid } = open()
  stage.answers(step('inquire'))
  expect(await stage.ask('Buy it', { group: true, name: 'Ann' })).toContain('I go on when this question is answered.')
  expect(stage.steps.at(-1)?.entries.at(-1)).toMatchObject({ t: 'turn:fin', ending: 'suspended' })
  expect((await stage.sent()).at(-1)).toMatchObject({ waits: true })
  stage.answers(step('buy'), 'Bought.')
  expect(await stage.press('Yes', ann)).toBe('FORBIDDEN')
  expect(await stage.press('Yes', bob)).toBe('Bought.')
  expect((await stage.sent()).at(-1)).not.toHaveProperty('waits')
  expect(used).toEqual([`${ann} `])
  expect(new Set(paid)).toEqual(new Set([ann]))
  const started = stage.steps.flatMap(({ entries }) => entries).filter((entry) => entry.t === 'turn:start')
  expect(started).toMatchObject([{ principal: ann }, { principal: ann, given: 'Go on' }])
  const records = stage.steps.flatMap(({ records: made = [] }) => made)
  expect(records).toMatchObject([{ record: { ending: 'suspended' } }, { record: { principal: ann } }])
})

test('the stop of whom it serves ends it, not that of who answered', async () => {
  for (const [who, isEnded] of [
    [ann, true],
    [bob, false],
  ] as const) {
    const { stage } = open()
    stage.answers(step('inquire'))
    await stage.ask('Buy it', { group: true, name: 'Ann' })
    stage.answers(async () => {
      await stage.stop(who)
      return {
        kind: 'reply',
        text: 'Bought.',
        toolCalls: [],
        finish: 'stop',
        usage: { promptTokens: 1, completionTokens: 1 },
        model: 'm',
      }
    })
    expect((await stage.press('Yes', bob)).startsWith('Bought.\n\n(Stopped.)')).toBe(isEnded)
  }
})

test('it is tainted by what the turn had read that asked', async () => {
  const { stage, used } = open()
  stage.answers(step('page'), step('inquire'))
  await stage.ask('Read it, then buy it')
  stage.answers(step('buy'), 'Bought.')
  await stage.press('Yes', bob)
  expect(used).toEqual([`${ann} page`])
})

test('a command begins a turn for who gave it, as before', async () => {
  const { stage, used } = open()
  stage.answers(step('buy'), 'Bought.')
  await stage.ask('/again', { as: toCommand('again') })
  expect(used).toEqual([`${ann} `])
})

test('a worker lost at any step of it leaves the same end', async () => {
  const talk = async (n = 0, side: 'before' | 'after' = 'after') => {
    const { stage, used } = open()
    stage.answers(step('inquire'))
    await stage.ask('Buy it', { group: true, name: 'Ann' })
    stage.answers(
      ...Array.from({ length: 4 }, () => (call: { request: { messages: readonly { role: string }[] } }) => {
        const isDone = call.request.messages.at(-2)?.role === 'tool'
        const usage = { promptTokens: 1, completionTokens: 1 }
        const reply = { kind: 'reply', finish: 'stop', usage, model: 'm' } as const
        return isDone ? { ...reply, text: 'Bought.', toolCalls: [] } : { ...reply, text: '', ...step('buy') }
      }),
    )
    const before = stage.steps.length
    if (n > 0) stage.loseAt(n, side)
    await stage.press('Yes', bob)
    await stage.work()
    return {
      sent: (await stage.sent()).map(({ text }) => text),
      used: new Set(used),
      steps: stage.steps.length - before,
    }
  }
  const whole = await talk()
  expect(whole.sent.at(-1)).toBe('Bought.')
  for (let n = 1; n <= whole.steps; n++)
    for (const side of ['before', 'after'] as const) {
      const { sent, used } = await talk(n, side)
      expect({ sent, used }, `lost ${side} ${n}`).toEqual({ sent: whole.sent, used: whole.used })
    }
})
