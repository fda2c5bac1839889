// Texts that a feature wants kept whole: beside what the executor keeps of a long result itself, with whose words they are, and of which messages.
import { expect, test } from 'vitest'
import { keepWhole } from '#shared/feature/kept.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'
import { ann, conversation, toCommand } from '#test/rig/events.ts'
import { createStage, look, type Stage } from './stage.ts'

const call = (name: string, input: object = {}) => ({ id: name, name, arguments: JSON.stringify(input) })
const long = 'Nothing of interest stands in this line.\n'.repeat(300)
const keeping: Tool = {
  ...look,
  name: 'keep_text',
  effect: 'write-local',
  run: async () => ({ text: long, source: 'own', effects: [{ kind: 'artifact', name: 'kept-text', text: 'kept' }] }),
}
const again: Tool = {
  ...look,
  name: 'keep_again',
  effect: 'write-local',
  async run(_, context) {
    const found = await context.findArtifact('kept-text')
    const effect = found && keepWhole([found], context, ([text = '']) => ({ name: 'again', text: `${text} again` }))
    return { text: 'It is kept.', source: 'own', effects: effect ? [effect] : [] }
  },
}
const dropping: Tool = {
  ...look,
  name: 'drop_text',
  effect: 'write-local',
  run: async () => ({
    text: 'Gone.',
    source: 'own',
    effects: [
      { kind: 'drop-artifact', name: 'kept-text' },
      { kind: 'artifact', name: 'other', text: 'first' },
      { kind: 'drop-artifact', name: 'other' },
      { kind: 'artifact', name: 'other', text: 'second' },
    ],
  }),
}
const feature: Feature = {
  name: 'keeping',
  tools: [keeping, again, dropping, look],
  commands: [
    {
      name: 'keep',
      help: { zh: '留下', en: 'keep' },
      run: async ({ args }) => [
        { kind: 'artifact', name: 'kept-text', text: args, source: 'person' },
        { kind: 'send', text: 'Kept.' },
      ],
    },
  ],
}
const open = (): Stage => createStage({ features: [feature] })
const find = (stage: Stage, name: string) => stage.kernel.findArtifact(conversation, name)

test('what a tool wants kept is kept beside its own long result', async () => {
  const stage = open()
  stage.answers({ toolCalls: [call('keep_text')] }, 'Done.')
  await stage.ask('Keep it')
  const kept = await stage.kernel.listArtifacts(conversation)
  expect(kept.map(({ name, kind, bytes }) => [name.replace(/\..*/, ''), kind, bytes])).toEqual([
    ['kept-text', 'work', 4],
    ['keep_text', 'result', long.length],
  ])
  expect(await find(stage, 'kept-text')).toMatchObject({ text: 'kept', source: 'own', by: ann, about: ['m1'] })
})

test('after others were read it is others’, and what is made of it later stays so, and goes with the messages of both', async () => {
  const stage = open()
  stage.answers({ toolCalls: [call('look')] }, { toolCalls: [call('keep_text')] }, 'Done.')
  await stage.ask('Look, and keep it')
  expect(await find(stage, 'kept-text')).toMatchObject({ source: 'others', taint: ['look'] })
  const next = createStage({ features: [feature] }, 128_000, stage.kernel)
  next.answers({ toolCalls: [call('keep_again')] }, 'Done.')
  await next.ask('Keep it again', { id: 'x2', messageId: 'x2' })
  expect(await find(next, 'again')).toMatchObject({ text: 'kept again', source: 'others', taint: ['look'] })
  expect((await find(next, 'again'))?.about).toEqual(['m1', 'x2'])
})

test('a command keeps what its person wrote as theirs', async () => {
  const stage = open()
  await stage.ask('/keep my words', { as: toCommand('keep', 'my words') })
  expect(await find(stage, 'kept-text')).toMatchObject({ text: 'my words', source: 'person', by: ann, about: ['m1'] })
})

test('what is kept goes by its name, in the order in which a tool wants it', async () => {
  const stage = open()
  stage.answers({ toolCalls: [call('keep_text')] }, { toolCalls: [call('drop_text')] }, 'Done.')
  await stage.ask('Keep it, and drop it')
  expect(await find(stage, 'kept-text')).toBeUndefined()
  expect(await find(stage, 'other')).toMatchObject({ text: 'second' })
})
