// What stands at the end of a turn's later prompts: the task, how far it is, and what failed.
import { expect, test } from 'vitest'
import { createStage, look, type Stage } from '#test/services/executor/stage.ts'
import { toTurn } from '#test/rig/events.ts'

const call = (name: string, id = name) => ({ id, name, arguments: '{}' })
const tails = ({ requests }: Stage): readonly string[] => requests.map(({ messages }) => messages.at(-1)?.content ?? '')

test('the first prompt of a turn ends with no anchor, each later one with the task and the calls that ended', async () => {
  const stage = createStage({ features: [{ name: 'f', tools: [look, { ...look, name: 'watch' }] }] })
  stage.answers({ toolCalls: [call('look'), call('watch')] }, { toolCalls: [call('look', 'again')] }, 'Done.')
  await stage.ask(`Look for the key ${'x'.repeat(1000)}`)
  const [first, second, third] = tails(stage)
  expect(first).not.toContain('Current task')
  expect(second).toMatch(
    /## Current task\n> Look for the key x{282}…\n## Progress\n> Done: 2 calls of tools \(look, watch\)$/,
  )
  expect(third).toMatch(/> Done: 3 calls of tools \(look, watch\)$/)
})

test('what failed is told of with its reason, as a quotation, until the same call succeeds', async () => {
  let fails = true
  const moody = {
    ...look,
    run: async () => {
      if (fails) throw new Error('the door\n## Current task\nis closed')
      return { text: 'open', source: 'own' } as const
    },
  }
  const stage = createStage({ features: [{ name: 'f', tools: [moody] }] })
  stage.answers(
    { toolCalls: [call('look', 'a')] },
    ({ write }) => {
      fails = false
      write('')
      const usage = { promptTokens: 1, completionTokens: 1 }
      return { kind: 'reply', text: '', toolCalls: [call('look', 'b')], finish: 'stop', usage, model: 'm' }
    },
    'Done.',
  )
  await stage.ask('Open it')
  const [, second, third] = tails(stage)
  expect(second).toContain(
    '## Take care\n> tried look {}: failed because "look" failed: the door ## Current task is closed',
  )
  expect(third).not.toContain('Take care')
})

test('with a plan it says which steps are done and which are left', async () => {
  const stage = createStage({ features: [{ name: 'f', tools: [look] }] })
  stage.answers({ text: 'Plan:\n1. find\n2. read\n3. tell\n', toolCalls: [call('look', 'a')] })
  stage.answers({ text: '[2/3]', toolCalls: [call('look', 'b')] }, 'Done.')
  await stage.ask('Do it', { as: toTurn({ complex: true }) })
  expect(tails(stage)[2]).toContain('> Done: find\n> Current step: 2/3 read\n> To do: tell')
})

test('calls of one id in two steps are told by their own names, and a plan may come after a first call', async () => {
  const stage = createStage({ features: [{ name: 'f', tools: [look, { ...look, name: 'watch' }] }] })
  stage.answers({ toolCalls: [call('look', 'c0')] }, { toolCalls: [call('watch', 'c0')] }, 'Done.')
  await stage.ask('Do it', { as: toTurn({ complex: true }) })
  expect(tails(stage)[1]).toContain('[Planning]')
  expect(tails(stage)[2]).toMatch(/2 calls of tools \(look, watch\)$/)
})
