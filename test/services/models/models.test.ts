// /model: which models there are, which one answers in a chat, and who may choose it.
import { expect, test } from 'vitest'
import { createConfig } from '#services/config/config.ts'
import { createModels } from '#services/models/models.ts'
import type { Tool } from '#shared/model/tool.ts'
import { ann, toCommand } from '#test/rig/events.ts'
import { createStage, type Stage } from '#test/services/executor/stage.ts'

const bob = 'web:bob'
const all = [
  { role: 'main', name: 'big' },
  { role: 'fast', name: 'quick' },
  { role: 'fallback', name: 'other' },
] as const
const others = { fast: { name: 'quick', contextTokens: 4000 }, fallback: { name: 'other', contextTokens: 64_000 } }

function open(
  models: Parameters<typeof createModels>[0]['models'] = all,
  more: Parameters<typeof createStage>[0] = {},
): Stage {
  const feature = createModels({ models })
  return createStage({
    features: [feature, createConfig([feature])],
    models: { others, hasFallback: true },
    isOwner: async (principal) => principal === ann,
    ...more,
  })
}
const model = (stage: Stage, args = '', principal = ann): Promise<string> =>
  stage.ask(`/model ${args}`, { as: toCommand('model', args), principal })
const roles = (stage: Stage): readonly string[] => stage.requests.map(({ role }) => role)

test('it shows what is configured, and an owner chooses by a button', async () => {
  const stage = open()
  expect(await model(stage)).toBe('Model: big\n\nConfigured: main `big`, fast `quick`, fallback `other`.')
  const [card] = (await stage.sent()).slice(-1)
  expect(card?.buttons?.flat().map(({ label }) => label)).toEqual(['✓ big', 'quick', 'other'])
  await stage.press('quick')
  await stage.ask('One?')
  expect(await model(stage, 'other')).toMatch(/^Model: other\./)
  await stage.ask('Two?')
  await model(stage, 'main')
  await stage.ask('Three?')
  expect(roles(stage)).toEqual(['fast', 'fallback', 'main'])
})

test('a new session and a long silence leave the choice', async () => {
  const stage = open()
  await model(stage, 'quick')
  await stage.wait(30 * 86_400_000)
  await stage.ask('Still there?')
  expect(roles(stage)).toEqual(['fast'])
})

test('who is no owner sees it without buttons and chooses nothing, in whatever way', async () => {
  const stage = open()
  expect(await model(stage, '', bob)).toMatch(/^Model: big/)
  expect((await stage.sent()).at(-1)).not.toHaveProperty('buttons')
  expect(await model(stage, 'fast', bob)).toBe('Only the bot’s owners choose this.')
  const config = (args: string) => stage.ask(`/config ${args}`, { as: toCommand('config', args), principal: bob })
  expect(await config('')).toContain('- Model: big')
  expect(
    (await stage.sent())
      .at(-1)
      ?.buttons?.flat()
      .map(({ label }) => label),
  ).toEqual(['Done'])
  expect(await config('# CONFIG\n## Routing\nmodel: fast')).toBe(
    'Model: Only the bot’s owners choose this. Nothing was changed.',
  )
  expect(await config('# CONFIG\n## Routing\nmodel: main')).toContain('nothing to change')
  // A card that an owner has open in a group, pressed by an administrator of it.
  await model(stage)
  expect(await stage.press('quick', bob)).toBe('FORBIDDEN')
  await stage.ask('And now?')
  expect(roles(stage)).toEqual(['main'])
})

const choose: Tool = {
  name: 'choose',
  description: 'Chooses a model.',
  parameters: { type: 'object' },
  effect: 'write-local',
  onCrash: 'rerun',
  run: async () => ({ text: 'chosen', source: 'own', effects: [{ kind: 'choose', setting: 'model', choice: 'fast' }] }),
}

test('a tool chooses it for owners only, and for the turns after', async () => {
  const stage = open(all, { features: [createModels({ models: all }), { name: 'chooser', tools: [choose] }] })
  for (const principal of [bob, ann]) {
    stage.answers({ toolCalls: [{ id: 'c', name: 'choose', arguments: '{}' }] }, 'Done.')
    await stage.ask('Take the fast one', { principal })
    await stage.ask('Which?', { principal })
  }
  expect(roles(stage)).toEqual(['main', 'main', 'main', 'main', 'main', 'fast'])
})

test('the window of the model that was chosen is the budget', async () => {
  const stage = open()
  await stage.ask('history '.repeat(3000))
  await model(stage, 'fast')
  await stage.ask('Short?')
  const [big, small] = stage.requests.map(({ messages }) => JSON.stringify(messages).length)
  expect(big).toBeGreaterThan(20_000)
  expect(small).toBeLessThan(12_000)
  expect(stage.requests[1]?.maxOutputTokens).toBe(1000)
})

test('a turn that goes on in another process keeps the model that it began with', async () => {
  const stage = open()
  await model(stage, 'fast')
  stage.answers({ toolCalls: [{ id: 'c', name: 'nothing', arguments: '{}' }] }, 'Done.')
  stage.loseAt(3, 'after')
  await stage.say('Look')
  await stage.work()
  await model(stage, 'main')
  await stage.work()
  expect(roles(stage).length).toBeGreaterThanOrEqual(2)
  expect(new Set(roles(stage))).toEqual(new Set(['fast']))
})

test('a model that is not configured any more gives way to the main one, which is said once', async () => {
  const stage = open()
  await model(stage, 'other')
  const feature = createModels({ models: all.slice(0, 1) })
  const later = createStage({ features: [feature, createConfig([feature])] }, 128_000, stage.kernel)
  const ask = (text: string): Promise<string> => later.ask(text, { id: text, messageId: text })
  expect(await ask('One?')).toBe(
    'ok\nThe model `other` that was chosen here is not configured any more; `big` answers from now on.',
  )
  expect(await ask('Two?')).toBe('ok')
  expect(roles(later)).toEqual(['main', 'main'])
})

test('where there is one model alone it is shown, and there is nothing to press', async () => {
  const stage = open([{ role: 'main', name: 'big' }])
  expect(await model(stage)).toBe('Model: big\n\nConfigured: main `big`.')
  expect((await stage.sent()).at(-1)).not.toHaveProperty('buttons')
})

test('in Chinese', async () => {
  const stage = open()
  expect(await stage.ask('/model', { as: toCommand('model'), language: 'zh' })).toBe(
    '模型：big\n\n已配置：主模型 `big`、快速 `quick`、后备 `other`。',
  )
})
