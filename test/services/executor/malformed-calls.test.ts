// Calls that cannot be made as the model wrote them: it is told so, may put them right three times, and then the turn ends by name.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { PromptMessage, ToolCall } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import { createStage, look, type Stage } from './stage.ts'

const call = (name: string, input = '{}', id = name): ToolCall => ({ id, name, arguments: input })
const ran: unknown[] = []
const picky: Tool = {
  ...look,
  run: async (input) => {
    const { at } = z.object({ at: z.number().optional() }).parse(input)
    ran.push(input)
    return { text: `found ${at ?? ''}`, source: 'own' }
  },
}
function open(): Stage {
  ran.length = 0
  return createStage({ features: [{ name: 'tools', tools: [picky] }] })
}
const messages = (stage: Stage): readonly PromptMessage[] => stage.requests.at(-1)?.messages ?? []
const results = (stage: Stage): readonly string[] =>
  messages(stage).flatMap((message) => (message.role === 'tool' ? [message.content] : []))

const odd: readonly (readonly [string, ToolCall, RegExp])[] = [
  ['JSON that is none', call('look', '{"at":'), /not one JSON object/],
  ['a list', call('look', '[1]'), /not one JSON object/],
  ['a key that would change a prototype', call('look', '{"__proto__":{"at":1}}'), /not one JSON object/],
  ['wrong types', call('look', '{"at":"one"}'), /do not fit. "at": /],
  ['a tool that is not there', call('leap'), /There is no tool "leap"/],
  ['a name that no endpoint takes back', call('look at that!'), /There is no tool "look_at_that_"/],
]

test.each(odd)('%s is an error that the model reads and puts right', async (_, wrong, told) => {
  const stage = open()
  stage.answers({ toolCalls: [wrong] }, { toolCalls: [call('look', '{"at":7}')] }, 'Done.')
  expect(await stage.ask('Look')).toBe('Done.')
  expect(results(stage)).toEqual([expect.stringMatching(told), 'found 7'])
  expect(ran).toEqual([{ at: 7 }])
  // What goes back to the endpoint can be read by it.
  for (const message of messages(stage))
    for (const { id, name, arguments: input } of message.role === 'assistant' ? (message.toolCalls ?? []) : []) {
      expect(`${id} ${name}`).toMatch(/^[\w-]{1,64} [\w-]{1,64}$/)
      expect(z.record(z.string(), z.unknown()).safeParse(JSON.parse(input)).success).toBe(true)
    }
})

test.each([
  [
    'en',
    'Look',
    'Several times I could not write a tool call that works, and end here.\n\nTools used until then: look ×1.',
  ],
  ['zh', '看看', '我几次都没能写出可用的工具调用，到此为止。\n\n此前用过的工具：look ×1。'],
])('after three repairs the turn ends by name, with what was done: %s', async (_, text, told) => {
  const stage = open()
  const wrong = ['{', '[]', '{"at":[]}', '7']
  stage.answers(
    { toolCalls: [call('look')] },
    ...wrong.map((input) => ({ toolCalls: [call('look', input)] })),
    'Never.',
  )
  expect(await stage.ask(text)).toBe(told)
  expect(stage.requests).toHaveLength(5)
  expect(stage.steps.at(-1)?.entries.at(-1)).toMatchObject({ ending: 'limit:malformed-calls' })
  expect(ran).toEqual([{}])
})

test('three answers that are put right do not end it', async () => {
  const stage = open()
  stage.answers(...['{', '[]', '7'].map((input) => ({ toolCalls: [call('look', input)] })), 'Done.')
  expect(await stage.ask('Look')).toBe('Done.')
})

test('two calls of one id are two calls, each made once, each with its result', async () => {
  const stage = open()
  stage.answers(
    { toolCalls: [call('look', '{"at":1}', 'x'), call('look', '{"at":2}', 'x'), call('look', '{}', '')] },
    'Done.',
  )
  expect(await stage.ask('Look')).toBe('Done.')
  expect(ran).toEqual([{ at: 1 }, { at: 2 }, {}])
  expect(results(stage)).toEqual(['found 1', 'found 2', 'found '])
  const ids = messages(stage).flatMap((one) => (one.role === 'tool' ? [one.callId] : []))
  expect(new Set(ids).size).toBe(3)
})

test('ids that were made to meet those that are made anew are told apart all the same', async () => {
  const stage = open()
  const ids = [`${'x'.repeat(60)}_2`, 'call_2', `${'x'.repeat(60)}_2`]
  stage.answers({ toolCalls: ids.map((id, at) => call('look', `{"at":${at}}`, id)) }, 'Done.')
  expect(await stage.ask('Look')).toBe('Done.')
  expect(ran).toEqual([{ at: 0 }, { at: 1 }, { at: 2 }])
})

test('calls of an answer that was cut are not made, also those that are whole', async () => {
  const stage = open()
  stage.answers({ text: 'I look.', finish: 'length', toolCalls: [call('look', '{"at":1}')] }, 'Done.')
  expect(await stage.ask('Look')).toBe('Done.')
  expect(ran).toEqual([])
  expect(results(stage)).toEqual([expect.stringContaining('your answer was cut')])
})

test('a failure that is no mistake of the model counts for nothing', async () => {
  const broken: Tool = { ...look, run: async () => await Promise.reject(new Error('away')) }
  const stage = createStage({ features: [{ name: 'tools', tools: [broken] }] })
  stage.answers(...[1, 2, 3, 4, 5].map((at) => ({ toolCalls: [call('look', `{"at":${at}}`)] })), 'Done.')
  expect(await stage.ask('Look')).toBe('Done.')
})
