// What a tool wants done besides its result: carried out with it, once, in the step that stores it.
import { storable } from '#shared/feature/slice.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool, ToolContext } from '#shared/model/tool.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { createStage, hanging, look, loseDuringCall, type Stage } from '#test/services/executor/stage.ts'
import { ann, conversation } from '#test/rig/events.ts'

const call = (id: string) => ({ id, name: 'look', arguments: '{}' })

/** A feature whose tool does so, and counts in its slice. */
function withTool(run: Tool<number, number>['run'], more: Partial<Tool> = {}): { stage: Stage; feature: Feature } {
  const feature = {
    name: 'counter',
    slice: { schema: storable(z.number()), fresh: 0, fold: (n: number, by: number) => n + by },
    tools: [{ ...look, ...more, run }],
  } as Feature
  return { stage: createStage({ features: [feature] }), feature }
}
const asked = {
  kind: 'ask',
  question: 'may',
  text: 'Yes?',
  options: [[{ id: 'yes', label: 'Yes' }]],
  payload: '',
  urgency: 'normal',
} as const
const wanting = (...effects: readonly StepEffect<number>[]) =>
  withTool(async () => ({ text: 'done', source: 'own', effects }))

test('what a tool says is a row of its step, with nothing that it answers', async () => {
  const { stage } = wanting({ kind: 'send', text: 'One.' }, { kind: 'send', text: 'Two.' })
  stage.answers({ toolCalls: [call('a'), call('b')] }, 'Done.')
  await stage.ask('Look', { group: true })
  const rows = stage.steps.flatMap((step) => step.rows ?? [])
  const turn = rows.at(-1)?.id.replace(/-end$/, '')
  expect(rows.map(({ id }) => id)).toEqual([
    `${turn}-1-0-0`,
    `${turn}-1-0-1`,
    `${turn}-1-1-0`,
    `${turn}-1-1-1`,
    `${turn}-end`,
  ])
  expect(rows[0]?.body).toMatchObject({ kind: 'send', text: 'One.', answers: [], language: 'en', replyTo: 'm1' })
})

test('what a tool changes is there for the next call, and stays', async () => {
  const seen: unknown[] = []
  const { stage, feature } = withTool(
    async (_, { slice }) => {
      seen.push(slice)
      return { text: 'done', source: 'own', effects: [{ kind: 'change', change: 1 }] }
    },
    { effect: 'write-local' },
  )
  stage.answers({ toolCalls: [call('a'), call('b')] }, 'Done.')
  await stage.ask('Look')
  expect(seen).toEqual([0, 1])
  expect(sliceOf(await stage.state(), feature)).toBe(2)
})

test('a tool is told where and for whom it runs, and has a key that names its call', async () => {
  const seen: ToolContext[] = []
  const { stage } = withTool(async (_, context) => (seen.push(context), { text: 'done', source: 'own' }))
  stage.answers(
    { toolCalls: [call('a'), call('b')] },
    { toolCalls: [{ ...call('a'), arguments: '{"at":1}' }] },
    'Done.',
  )
  await stage.ask('Look')
  expect(seen).toMatchObject(Array.from({ length: 3 }, () => ({ conversation, principal: ann })))
  expect(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3)
  expect(seen[0]?.idempotencyKey).toMatch(/^web:stage\/t[a-z0-9]+\/tool\/0\/a$/)
})

test('a call is announced before it is made, and its result stored with how it went', async () => {
  const { stage } = withTool(async () => ({ text: 'done', source: 'own' }))
  stage.answers({ toolCalls: [call('a'), { ...call('b'), name: 'none' }] }, 'Done.')
  await stage.ask('Look')
  const entries = stage.steps.flatMap((step) => step.entries).filter(({ t }) => t.startsWith('tool:'))
  expect(entries).toMatchObject([
    { t: 'tool:req', step: 0, callId: 'a', name: 'look' },
    { t: 'tool:fin', step: 0, callId: 'a', ok: true, result: 'done', source: 'own' },
    { t: 'tool:req', step: 0, callId: 'b', name: 'none' },
    { t: 'tool:fin', step: 0, callId: 'b', ok: false, source: 'own' },
  ])
})

test('a tool that ends the turn ends it with what it said, and the model is not asked again', async () => {
  const { stage } = withTool(async () => ({ text: 'asked', source: 'own', ends: 'suspended', effects: [asked] }))
  stage.answers({ text: 'May I?', toolCalls: [call('a')] })
  expect(await stage.ask('Look')).toBe('Yes?\nMay I?\n\n(I go on when this question is answered.)')
  expect(stage.requests).toHaveLength(1)
})

test('a stop ends what the turn has asked, with the turn', async () => {
  const { stage } = withTool(async () => ({ text: 'asked', source: 'own', effects: [asked] }))
  const { answer, written } = hanging('')
  stage.answers({ toolCalls: [call('a')] }, answer)
  await stage.say('Look')
  const working = stage.work()
  await written
  await stage.stop()
  await working
  expect(await stage.press('Yes')).toBe('UNKNOWN')
  await stage.wait(0)
  expect((await stage.state()).asking?.shown ?? []).toEqual([])
})

test('a stop before a call is announced ends the turn, and the tool does not run', async () => {
  let ran = 0
  const { stage } = withTool(async () => ((ran += 1), { text: 'done', source: 'own' }))
  const { append } = stage.kernel
  Object.assign(stage.kernel, {
    async append(...all: Parameters<typeof append>) {
      if (all[2].entries.some(({ t }) => t === 'tool:req')) await stage.stop()
      return await append(...all)
    },
  })
  stage.answers({ text: 'I look.', toolCalls: [call('a')] })
  expect(await stage.ask('Look')).toBe('I look.\n\n(Stopped.)')
  expect(ran).toBe(0)
})

test('a worker lost before the call was made makes it once, even where it is to be asked about', async () => {
  let ran = 0
  const { stage } = withTool(async () => ((ran += 1), { text: 'done', source: 'own' }), { onCrash: 'ask' })
  stage.answers({ toolCalls: [call('a')] }, 'Done.')
  stage.loseAt(3, 'before')
  await stage.say('Look')
  await stage.work()
  expect(ran).toBe(0)
  await stage.work()
  expect(ran).toBe(1)
  expect((await stage.sent()).map(({ text }) => text)).toEqual(['Done.'])
})

test('a call of the same id in a later step is one of its own', async () => {
  let ran = 0
  const { stage } = withTool(async () => ({ text: `done ${++ran}`, source: 'own' }), { onCrash: 'ask' })
  stage.answers({ toolCalls: [call('a')] }, { toolCalls: [call('a')] })
  await stage.say('Look')
  await loseDuringCall(stage)
  await stage.work()
  expect(ran).toBe(2)
})

test('what was shown of an answer that called tools is no part of the next one', async () => {
  const { stage } = withTool(async () => ({ text: 'done', source: 'own' }))
  const { answer, written } = hanging('')
  stage.answers({ text: 'I look it up.', toolCalls: [call('a')] }, answer)
  await stage.say('Look')
  const working = stage.work()
  await written
  await stage.stop()
  await working
  expect((await stage.state()).history.map(({ text }) => text)).toEqual(['Look', 'I look it up.', 'done', '[Stopped.]'])
})
