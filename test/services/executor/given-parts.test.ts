// What features add to prompts: they are told where and for whom, have a budget, and stand at the end of each prompt or at its beginning for a session.
import { expect, test } from 'vitest'
import type { ContextPart, ContextTurn } from '#shared/feature/context-part.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { ann, deletion, toApply, toCommand } from '#test/rig/events.ts'
import { builtIn, createStage } from './stage.ts'

type Part = Partial<ContextPart> & Pick<ContextPart, 'name'>
const part = (more: Part): ContextPart => ({
  source: 'own',
  maxTokens: 500,
  withinMs: 1000,
  give: async () => ({ text: `${more.name} says so`, reason: 'a test' }),
  ...more,
})
const open = (parts: readonly Part[], windowTokens = 128_000) => {
  const feature: Feature = { name: 'demo', context: parts.map(part) }
  return createStage({ features: [...builtIn, feature] }, windowTokens)
}
type Stage = ReturnType<typeof open>
const promptOf = (stage: Stage, at = -1): readonly string[] =>
  stage.requests.at(at)?.messages.map(({ content }) => content) ?? []

test('a part is told who asks, where, in which language and session, and how much it may say', async () => {
  const told: ContextTurn[] = []
  const give = async (turn: ContextTurn) => (told.push(turn), undefined)
  const stage = open([{ name: 'here', give }])
  await stage.ask('how are the tests?', { group: true, name: 'Ann' })
  await stage.ask('测试怎么样？')
  const [first, second] = told
  expect(first).toMatchObject({
    principal: ann,
    group: true,
    people: { [ann]: 'Ann' },
    language: 'en',
    budgetTokens: 500,
  })
  expect(second).toMatchObject({ language: 'zh', session: first?.session })
  expect((await stage.state()).session.id).toBe(first?.session)
})

test('in a small window a part has less room, and what is too long keeps its head and its tail', async () => {
  const told: number[] = []
  const long = `first ${'word '.repeat(3000)} last`
  const give = async ({ budgetTokens }: ContextTurn) => (told.push(budgetTokens), { text: long, reason: 'a test' })
  const stage = open([{ name: 'long', maxTokens: 5000, give }], 4096)
  await stage.ask('hello?')
  expect(told[0]).toBeLessThan(1000)
  const shown = promptOf(stage).find((text) => text.includes('demo.long')) ?? ''
  expect(shown).toContain('first')
  expect(shown).toContain('last')
})

test('the higher priority goes first', async () => {
  const stage = open([{ name: 'low' }, { name: 'high', priority: 5 }])
  await stage.ask('hello?')
  const tail = promptOf(stage).at(-1) ?? ''
  expect(tail.indexOf('high says so')).toBeGreaterThan(0)
  expect(tail.indexOf('low says so')).toBeGreaterThan(tail.indexOf('high says so'))
})

test('a part of the prefix is asked once a session, and stands behind the instructions, the same in each prompt', async () => {
  let asked = 0
  const give = async () => ({ text: `rule ${++asked}`, reason: 'a test' })
  const stage = open([{ name: 'rules', place: 'prefix', give }])
  for (const text of ['one?', 'two?', 'three?']) await stage.ask(text)
  expect(asked).toBe(1)
  expect(promptOf(stage)[1]).toContain('rule 1')
  expect(promptOf(stage, 0).slice(0, 2)).toEqual(promptOf(stage).slice(0, 2))
  await stage.ask('/new', { as: toCommand('new') })
  await stage.ask('four?')
  expect(promptOf(stage)[1]).toContain('rule 2')
})

test('a prefix that fails is asked for again, and one whose message is forgotten, too', async () => {
  let asked = 0
  const give = async () => {
    asked += 1
    if (asked === 1) throw new Error('away')
    return { text: `rule ${asked}`, reason: 'a test', about: [{ conversation: 'web:stage', messages: ['m1'] }] }
  }
  const stage = open([{ name: 'rules', place: 'prefix', give }])
  await stage.ask('one?')
  await stage.ask('two?')
  expect(promptOf(stage)[1]).toContain('rule 2')
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  await stage.ask('three?')
  expect(promptOf(stage)[1]).toContain('rule 3')
  expect(JSON.stringify(stage.requests.at(-1))).not.toContain('rule 2')
})

test('of what a part was made of the newest hundred messages count, however many it names', async () => {
  const about = Array.from({ length: 5000 }, (_, i) => ({ conversation: `web:other-${i}`, messages: [`m${i}`] }))
  const stage = open([{ name: 'many', give: async () => ({ text: 'much', reason: 'a test', about }) }])
  expect(await stage.ask('hello?')).toBe('ok')
  const letters = stage.steps.flatMap(({ letters: all = [] }) => all)
  expect(letters).toHaveLength(100)
  expect(letters.at(-1)?.event.conversation).toBe('web:other-4999')
})

test('the prefix of a group is asked for the chat itself, since it stays for all who ask later', async () => {
  const told: string[] = []
  const give = async ({ principal }: ContextTurn) => (told.push(principal), { text: 'rule', reason: 'a test' })
  const stage = open([{ name: 'rules', place: 'prefix', give }])
  await stage.ask('hello?', { group: true, name: 'Ann' })
  expect(told).toEqual(['web:stage'])
})
