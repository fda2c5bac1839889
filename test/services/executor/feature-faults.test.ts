// Features that fail, lie or never end: what they want is not done, the person and the operator are told, and the conversation goes on.
import { ours } from '#shared/feature/kept.ts'
import { storable } from '#shared/feature/slice.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Effect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool, ToolResult } from '#shared/model/tool.ts'
import { ann, deletion, toApply, toCommand, toTurn } from '#test/rig/events.ts'
import { builtIn, createStage, hanging, look, type Stage } from './stage.ts'

const help = { zh: '', en: '' }
const call = (name: string, id = name) => ({ id, name, arguments: '{}' })
const tool = (name: string, run: Tool['run'], effect: Tool['effect'] = 'read'): Tool => ({ ...look, name, effect, run })
const own = z.object({ notes: z.array(ours.max(30)) })
type Own = z.infer<typeof own>

/** A list of notes; each of `commands` wants these effects done. */
const notes = (
  commands: Record<string, readonly Effect[]>,
  more: Partial<Feature<Own, Own>> = {},
): Feature<Own, Own> => ({
  name: 'notes',
  slice: { schema: storable(own), fresh: { notes: [] }, fold: (_, change) => change },
  commands: Object.entries(commands).map(([name, effects]) => ({
    name,
    help,
    run: async () => effects as Effect<Own>[],
  })),
  ...more,
})
const set = (...texts: readonly unknown[]): Effect => ({ kind: 'change', change: { notes: texts } })

function open(...features: readonly Feature[]): { stage: Stage; told: string[] } {
  const told: string[] = []
  const onFeatureFailed = (feature: string, error: unknown): unknown => told.push(`${feature}: ${String(error)}`)
  return { stage: createStage({ features: [...builtIn, ...features], onFeatureFailed, toolTimeoutMs: 50 }), told }
}
const run = (stage: Stage, name: string): Promise<string> => stage.ask(`/${name}`, { as: toCommand(name) })
const failed = 'I could not do that; my operator was told why.'

test('a slice that is as fresh again is stored so', async () => {
  const fresh: Own = { notes: [] }
  const feature = notes({ add: [set('milk')], clear: [{ kind: 'change', change: fresh }] })
  const slice = { schema: storable(own), fresh, fold: (_: Own, change: Own) => change, inNewSession: () => fresh }
  const { stage } = open({ ...feature, slice })
  for (const name of ['clear', 'new']) {
    await run(stage, 'add')
    expect((await stage.state()).slices.get('notes')).toEqual({ notes: ['milk'] })
    await run(stage, name)
    expect((await stage.state()).slices.get('notes'), name).toEqual({ notes: [] })
  }
})

const loop: Record<string, unknown> = {}
loop['self'] = loop
const body = { v: 1 as const, kind: 'send' as const, answers: [], language: 'en' as const }
test.each<[string, readonly Effect[]]>([
  ['a slice that its schema refuses', [set(5)]],
  [
    'a slice that is too large',
    [{ kind: 'change', change: { notes: Array<string>(2000).fill('a note of some length') } }],
  ],
  ['a slice that is no JSON', [set(loop)]],
  ['an empty message', [{ kind: 'send', text: '' }]],
  ['a file without a text', [{ kind: 'send', text: 'x', file: { name: 'a.txt', caption: 'x', text: '' } }]],
  ['a body of another shape', [{ kind: 'show', body: { ...body, text: '' } }]],
  ['a question without options', [{ kind: 'ask', question: 'keep', text: 'x', options: [], payload: '' }]],
  [
    'a kind of question that is none',
    [{ kind: 'ask', question: 'My Kind', text: 'x', options: [[{ id: 'a', label: 'A' }]], payload: '' }],
  ],
  ['a choice that does not exist', [{ kind: 'choose', setting: 'depth', choice: 'deeper' }]],
  ['a setting that is kept elsewhere', [{ kind: 'choose', setting: 'mode', choice: 'always' }]],
  ['what is no effect', [JSON.parse('{"kind":"remind"}')]],
  ['a list that is none', JSON.parse('{}')],
  ['nothing in its place', [JSON.parse('null')]],
  ['a timer that says too much', [{ kind: 'timer', timer: 'due', inMs: 1, payload: '好'.repeat(2731) }]],
  ['a timer that says too much as JSON', [{ kind: 'timer', timer: 'due', inMs: 1, payload: '\u0001'.repeat(3000) }]],
  ['a turn without a text', [JSON.parse('{"kind":"turn"}')]],
  ['a turn of an unknown depth', [{ kind: 'turn', text: 'x', depth: JSON.parse('"huge"') }]],
  ['a turn that does something unknown', [{ kind: 'turn', text: 'x', last: JSON.parse('"redo"') }]],
  ['a turn for nobody', [{ kind: 'turn', text: 'x', asker: 'bob' }]],
  [
    'two turns',
    [
      { kind: 'turn', text: 'x' },
      { kind: 'turn', text: 'y' },
    ],
  ],
  ['hundreds of messages', Array.from({ length: 200 }, () => ({ kind: 'send', text: 'x' }) as const)],
])('a command that wants %s fails, and the conversation goes on', async (_, effects) => {
  const { stage, told } = open(notes({ go: effects }, { timers: { due: { due: async () => [] } } }))
  expect(await run(stage, 'go')).toBe(failed)
  expect(told).toHaveLength(1)
  expect(await stage.ask('hello')).toBe('ok')
  expect((await stage.state()).slices.get('notes')).toEqual({ notes: [] })
})

test('half a character is mended wherever it stands', async () => {
  const half = '🙂'.slice(0, 1)
  const asked = {
    kind: 'ask',
    question: 'keep',
    options: [[{ id: 'a', label: `A${half}` }]],
    payload: half,
    topic: half,
  } as const
  const answer = { answer: async (): Promise<readonly Effect<Own>[]> => [{ kind: 'send', text: 'kept' }] }
  const { stage } = open(notes({ go: [{ ...asked, text: `x${half}` }] }, { questions: { keep: answer } }))
  expect(await run(stage, 'go')).toBe('x\ufffd')
  expect(await stage.press('A\ufffd')).toBe('kept')
})

test.each<[string, Partial<Feature<Own, Own>>]>([
  ['prefers', { prefers: () => JSON.parse('') }],
  ['under', { under: () => JSON.parse('') }],
  ['ended', { ended: () => JSON.parse('') }],
  ['what it wants at the end', { ended: () => [{ kind: 'choose', setting: 'none', choice: 'x' }] }],
  ['the question under an answer', { under: () => ({ question: 'My Kind', options: [], payload: '' }) }],
])('a feature that fails at %s costs no answer', async (_, more) => {
  const { stage, told } = open(notes({}, more))
  expect(await stage.ask('hello')).toBe('ok')
  expect(told.length).toBeGreaterThan(0)
  expect(stage.requests).toHaveLength(1)
})

test('a tool that never ends is ended by its limit, and by a stop', async () => {
  const never: Tool['run'] = async () => await new Promise<ToolResult>(() => {})
  const { stage } = open({ name: 'tools', tools: [tool('never', never)] })
  stage.answers({ toolCalls: [call('never')] }, 'Done.')
  expect(await stage.ask('Try')).toBe('Done.')
  const slow = createStage({ features: [{ name: 'tools', tools: [tool('never', never)] }], toolTimeoutMs: 60_000 })
  slow.answers({ toolCalls: [call('never')] })
  await slow.say('Try')
  const working = slow.work()
  await expect.poll(() => slow.requests.length).toBe(1)
  await slow.stop()
  await working
  expect((await slow.sent()).map(({ text }) => text)).toEqual(['Stopped.'])
})

test('a stop does not wait for a context part', async () => {
  const asked = Promise.withResolvers<void>()
  const give = async (): Promise<undefined> => {
    asked.resolve()
    return await new Promise<undefined>(() => {})
  }
  const late = { name: 'late', source: 'own', maxTokens: 50, withinMs: 60_000, give } as const
  const stage = createStage({ features: [{ name: 'slow', context: [late] }] })
  await stage.say('hello')
  const working = stage.work()
  await asked.promise
  await stage.stop()
  await working
  expect((await stage.sent()).map(({ text }) => text)).toEqual(['Stopped.'])
  expect(stage.requests).toEqual([])
})

test('what was given to the prompt of a turn that was set aside is in no later one', async () => {
  const part = { name: 'own', source: 'own', maxTokens: 50, withinMs: 1000 } as const
  const give = async ({ principal }: { principal: string }) =>
    principal === ann ? { text: 'the secret of Ann', reason: 'x' } : undefined
  const stage = createStage({ features: [{ name: 'memory', context: [{ ...part, give }] }] })
  await stage.say('hello')
  for (let n = 0; n < 6; n++) {
    const lost = new AbortController()
    const silence = hanging('')
    stage.answers(silence.answer)
    const working = stage.work(lost.signal)
    await silence.written
    lost.abort()
    await working
  }
  await stage.work()
  await stage.ask('hi', { principal: 'web:bob' })
  expect(stage.requests.at(-1)?.messages.at(-1)?.content).not.toContain('secret')
})

test('what a step did before it was ended is remembered, and what it did not', async () => {
  const { stage } = open({
    name: 'tools',
    tools: [tool('pay', async () => ({ text: 'paid', source: 'own' }), 'write')],
  })
  stage.answers({ text: 'Paying.', toolCalls: [call('pay', 'first'), call('pay', 'second')] })
  stage.loseAt(5, 'before')
  await stage.say('pay both')
  await stage.work()
  await stage.stop()
  await stage.work()
  expect((await stage.state()).history.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'user: pay both',
    'assistant: Paying.',
    'tool: paid',
    'tool: [not made]',
    'assistant: [Stopped.]',
  ])
})

test('a tool chooses no setting of a group for a member', async () => {
  const choose: Tool['run'] = async () => ({
    text: 'set',
    source: 'own',
    effects: [{ kind: 'choose', setting: 'language', choice: 'zh' }],
  })
  const feature = { name: 'tools', tools: [tool('choose', choose)] }
  const stage = createStage({ features: [...builtIn, feature], isOwner: async () => false })
  stage.answers({ toolCalls: [call('choose')] }, 'Done.')
  await stage.ask('Speak Chinese', { group: true })
  expect((await stage.state()).prefers.language).toBeUndefined()
  expect(stage.requests[1]?.messages.find(({ role }) => role === 'tool')?.content).toContain('Only an owner')
  // Nor when the turn was begun by a press, of which nobody knows where it was made.
  stage.answers('x'.repeat(500))
  await stage.ask('Tell me', { group: true })
  stage.answers({ toolCalls: [call('choose')] }, 'Done.')
  await stage.press('Shorter')
  expect((await stage.state()).prefers.language).toBeUndefined()
  stage.answers({ toolCalls: [call('choose')] }, 'Done.')
  await stage.ask('Speak Chinese')
  expect((await stage.state()).prefers.language).toBe('zh')
})

test('a tool that acts is not run where the answer is to be short', async () => {
  let ran = 0
  const write = tool('write', async () => ({ text: `${++ran}`, source: 'own' }), 'write')
  const { stage } = open({ name: 'tools', tools: [write] })
  stage.answers({ toolCalls: [call('write')] }, 'Sorry.')
  expect(await stage.ask('hi', { as: toTurn({ depth: 'light' }) })).toBe('Sorry.')
  expect(ran).toBe(0)
})

test('a tool that waits for an answer has to ask for one', async () => {
  const { stage } = open({
    name: 'tools',
    tools: [tool('wait', async () => ({ text: 'waiting', source: 'own', ends: 'suspended' }))],
  })
  stage.answers({ toolCalls: [call('wait')] }, 'Sorry.')
  expect(await stage.ask('hi')).toBe('Sorry.')
})

test('a command that only reads may change nothing', async () => {
  const feature = notes({ mark: [set('x')] })
  const commands = feature.commands?.map((command) => ({ ...command, readsOnly: true })) ?? []
  const { stage } = open({ ...feature, commands })
  expect(await run(stage, 'mark')).toBe(failed)
})

test('what a feature keeps of a message goes when the message is to be forgotten', async () => {
  const slice = {
    schema: storable(own),
    fresh: { notes: [] },
    fold: (_: Own, change: Own) => change,
    forget: () => ({ notes: [] }),
  }
  const { stage } = open({ ...notes({ add: [set('milk')] }), slice })
  await run(stage, 'add')
  await stage.put(deletion(), toApply('delete'))
  await stage.work()
  expect((await stage.state()).slices.get('notes')).toEqual({ notes: [] })
})

test('a tool that says nothing known of its source or its end leaves a journal that can be read', async () => {
  const odd = JSON.parse('{"text":"x","source":"nowhere"}')
  const { stage } = open({ name: 'tools', tools: [tool('odd', async () => odd)] })
  stage.answers({ toolCalls: [call('odd')] })
  stage.loseAt(5, 'before')
  await stage.say('Try')
  await stage.work()
  await stage.work()
  expect((await stage.state()).history.find(({ role }) => role === 'tool')).toMatchObject({ source: 'others' })
})

test.each<[string, string]>([
  ['an outcome of its own', '{"text":"x","source":"own","ok":"yes"}'],
  ['no text', '{"source":"own"}'],
  ['nothing', 'null'],
  ['effects that are no list', '{"text":"x","source":"own","effects":{}}'],
  ['effects that are nothing', '{"text":"x","source":"own","effects":[null]}'],
  ['effects of an unknown kind', '{"text":"x","source":"own","effects":[{"kind":"remind"}]}'],
])('a tool that returns %s leaves a journal that can be read', async (_, json) => {
  const { stage } = open({ name: 'tools', tools: [tool('odd', async () => JSON.parse(json))] })
  stage.answers({ toolCalls: [call('odd')] })
  stage.loseAt(5, 'before')
  await stage.say('Try')
  await stage.work()
  await stage.work()
  expect((await stage.sent()).map(({ text }) => text)).toEqual(['ok'])
})

test('a question under an answer whose button is too long costs no answer', async () => {
  const under = () => ({ question: 'keep', options: [[{ id: 'a', label: 'x'.repeat(81) }]], payload: '' })
  const { stage, told } = open({ name: 'notes', under, questions: { keep: { answer: async () => [] } } })
  expect(await stage.ask('hello')).toBe('ok')
  expect(told).toHaveLength(1)
})
