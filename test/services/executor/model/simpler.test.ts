// What the same prompt would lead to again is asked by a simpler one, once in a step: with half of what was said before, no order to plan, and the tools
// alone that the turn has used or that find the others.
import { expect, test } from 'vitest'
import type { ModelRequest } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import { toTurn } from '#test/rig/events.ts'
import { createStage, failed, look, type Stage } from '#test/services/executor/stage.ts'

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({ ...look, name, ...more })
const tools = [tool('look'), tool('far'), tool('near', { listing: 'always' }), tool('find', { listing: 'search' })]
const step = (name: string) => ({ toolCalls: [{ id: 'c', name, arguments: '{}' }] })
const open = (): Stage => createStage({ features: [{ name: 'tools', tools }] })
const told = (request: ModelRequest | undefined): string =>
  (request?.messages ?? []).map(({ content }) => content).join('\n')
const last = (stage: Stage): ModelRequest | undefined => stage.requests.at(-1)
const names = (request: ModelRequest | undefined): readonly string[] => (request?.tools ?? []).map(({ name }) => name)

test.each([
  ['bytes that are no reply', () => failed('malformed'), 3],
  ['a request that is refused', () => failed('bad-request'), 1],
  ['an answer without a word', '', 1],
  ['one that is cut before its first', { text: ' ', finish: 'length' as const }, 1],
])('%s: the turn goes on with less in its prompt', async (_, wrong, times) => {
  const stage = open()
  for (const said of ['One?', 'Two?']) await stage.ask(said)
  stage.answers(step('far'), ...Array.from({ length: times }, () => wrong), 'Here.')
  expect(await stage.ask('Three?', { as: toTurn({ complex: true, depth: 'standard' }) })).toBe('Here.')
  const [whole, simple] = [stage.requests.at(-2), last(stage)]
  expect(names(whole)).toEqual(['look', 'far', 'near'])
  expect(names(simple)).toEqual(['far', 'near', 'find'])
  expect(told(whole)).toContain('One?')
  expect(told(simple)).not.toContain('One?')
  // What the turn goes on with stands.
  for (const kept of ['Two?', 'Three?', 'nothing new', '## Current task']) expect(told(simple)).toContain(kept)
  expect(told(whole).length).toBeGreaterThan(told(simple).length)
})

test('where nothing finds the other tools all stay', async () => {
  const stage = createStage({ features: [{ name: 'tools', tools: tools.slice(0, 2) }] })
  stage.answers('', 'Here.')
  expect(await stage.ask('One?')).toBe('Here.')
  expect(names(last(stage))).toEqual(['look', 'far'])
})

test.each([
  ['empty', '', '(The model ended without an answer. That is not about your words: /retry asks again.)'],
  ['bad-request', () => failed('bad-request'), 'The model service refused this request.'],
])('one that fails like that too ends the turn: %s', async (_, wrong, said) => {
  const stage = open()
  stage.answers(wrong, wrong)
  expect(await stage.ask('One?')).toContain(said)
  expect(stage.requests).toHaveLength(2)
  expect(stage.steps.at(-1)?.entries.at(-1)).toMatchObject({ t: 'turn:fin', ending: 'model-failed' })
})

test.each(['unavailable', 'auth', 'no-model', 'timeout'] as const)(
  'what another prompt would not mend is not asked so: %s',
  async (kind) => {
    const stage = open()
    const wrong = (): ReturnType<typeof failed> => failed(kind)
    stage.answers(...Array.from({ length: 10 }, () => wrong))
    await stage.ask('One?')
    expect(names(last(stage))).toContain('look')
  },
)

test('each attempt is paid: an answer without a word costs what it took', async () => {
  const charged: number[] = []
  const stage = createStage({
    features: [{ name: 'tools', tools }],
    charge: async (_, __, { promptTokens }) => void charged.push(promptTokens),
  })
  stage.answers('', 'Here.')
  await stage.ask('One?')
  expect(charged).toEqual([10, 10])
})

test('an answer that was filtered is told so, and not asked again', async () => {
  const stage = open()
  stage.answers({ text: '', finish: 'filtered' })
  expect(await stage.ask('One?')).toContain('content filter')
  expect(stage.requests).toHaveLength(1)
})

test('a turn that goes on with another keeps all that was said: what is done stands there', async () => {
  const stage = createStage({ retryDelaysMs: [] })
  for (const said of ['One?', 'Two?']) await stage.ask(said)
  const away = (): ReturnType<typeof failed> => failed('unavailable')
  stage.answers(step('calculate'), away)
  await stage.ask('Three?')
  stage.answers('', 'Here.')
  expect(await stage.press('Retry')).toMatch(/Here\.$/)
  for (const kept of ['One?', 'Two?', 'Three?']) expect(told(last(stage))).toContain(kept)
})
