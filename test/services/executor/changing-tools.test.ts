// Lists of tools that change while a process runs: a session shows what it began with, in each process and after a crash; a call is made as the tool is now,
// or told that it is gone; the next session shows what there is then.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Feature } from '#shared/feature/feature.ts'
import { findTools, mostChanging, mostChangingBytes } from '#shared/feature/find-tools.ts'
import type { Tool } from '#shared/model/tool.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'
import { toCommand } from '#test/rig/events.ts'
import { builtIn, createStage, look, loseDuringCall, type Stage } from './stage.ts'

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  ...look,
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  run: async () => ({ text: `${name} done`, source: 'others' }),
  ...more,
})
/** A feature whose list a test sets. */
function shelf(...tools: readonly Tool[]): { readonly feature: Feature; set(list: readonly Tool[] | undefined): void } {
  let list: readonly Tool[] | undefined = tools
  return { feature: { name: 'shelf', tools: () => list }, set: (now) => void (list = now) }
}
const open = (feature: Feature, kernel = createMemoryKernel(() => Date.now())): Stage =>
  createStage({ features: [{ name: 'own', tools: [look] }, ...builtIn, feature] }, undefined, kernel)
const shown = ({ requests }: Stage): unknown =>
  requests.at(-1)?.tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
const names = (stage: Stage): readonly string[] => stage.requests.at(-1)?.tools.map(({ name }) => name) ?? []
const call = (name: string, input: object = {}) => ({
  toolCalls: [{ id: name, name, arguments: JSON.stringify(input) }],
})
const result = ({ requests }: Stage): string =>
  String(requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content)
const renew = (stage: Stage): Promise<string> => stage.ask('/new', { as: toCommand('new') })

test('a session shows the list that it began with, and the next one the new list', async () => {
  const { feature, set } = shelf(tool('first'), tool('second'))
  const stage = open(feature)
  await stage.ask('one')
  const before = shown(stage)
  expect(names(stage)).toEqual(expect.arrayContaining(['look', 'first', 'second']))
  set([tool('third'), tool('second', { description: 'Does something else.' })])
  await stage.ask('two')
  expect(shown(stage)).toEqual(before)
  set([])
  await stage.ask('three')
  expect(shown(stage)).toEqual(before)
  set([tool('third')])
  await renew(stage)
  await stage.ask('four')
  expect(names(stage)).toContain('third')
  expect(names(stage)).not.toContain('first')
})

test('a call of a tool that is gone is told so to the model, and the turn goes on', async () => {
  const { feature, set } = shelf(tool('first'))
  const stage = open(feature)
  stage.answers(call('first'))
  await stage.ask('one')
  expect(result(stage)).toBe('first done')
  set([])
  stage.answers(call('first'), 'Then without it.')
  expect(await stage.ask('two')).toContain('Then without it.')
  expect(result(stage)).toBe('"first" is not there any more. Do not call it again in this session; go on without it.')
  // One that was never there is another matter.
  stage.answers(call('fourth'))
  await stage.ask('three')
  expect(result(stage)).toBe('There is no tool "fourth".')
})

test('a tool that changed keeps its description, and takes what it takes now', async () => {
  const input = z.object({ count: z.number() })
  const parameters = { type: 'object', properties: { count: { type: 'number' } } }
  const { feature, set } = shelf(tool('first'))
  const stage = open(feature)
  await stage.ask('one')
  const before = shown(stage)
  const run: Tool['run'] = async (given) => ({ text: `counted ${input.parse(given).count}`, source: 'others' })
  set([tool('first', { description: 'Counts.', parameters, run })])
  stage.answers(call('first', { text: 'milk' }))
  await stage.ask('two')
  expect(shown(stage)).toEqual(before)
  expect(result(stage)).toMatch(/^The arguments of "first" do not fit. "count": /)
  expect(result(stage)).toContain(
    `It has changed since this session began. Its parameters now: ${JSON.stringify(parameters)}`,
  )
  stage.answers(call('first', { count: 3 }))
  await stage.ask('three')
  expect(result(stage)).toBe('counted 3')
})

test('each process shows the list of the session, also one that takes a turn over after a crash', async () => {
  const kernel = createMemoryKernel(() => Date.now() + aheadMs)
  let aheadMs = 0
  const one = open(shelf(tool('first')).feature, kernel)
  const other = open(shelf(tool('second')).feature, kernel)
  await one.say('one')
  await loseDuringCall(one)
  const begun = shown(one)
  aheadMs += 60_000
  await other.work()
  expect(shown(other)).toEqual(begun)
  other.answers(call('first'))
  // Stages on one kernel count their events alone.
  const as = (id: string) => ({ id, messageId: id })
  await other.ask('two', as('o2'))
  expect(result(other)).toContain('"first" is not there any more.')
  await one.ask('three', as('o3'))
  expect(shown(one)).toEqual(begun)
  await renew(one)
  await other.ask('four', as('o4'))
  expect(names(other)).toContain('second')
})

test('a worker lost at any step leaves the list of the session as it was', async () => {
  const lists = new Set<string>()
  for (let n = 1; n <= 8; n++)
    for (const side of ['before', 'after'] as const) {
      let aheadMs = 0
      const kernel = createMemoryKernel(() => Date.now() + aheadMs)
      const one = open(shelf(tool('first')).feature, kernel)
      const other = open(shelf(tool('second')).feature, kernel)
      one.answers(call('look'), call('first'))
      other.answers(call('look'))
      one.loseAt(n, side)
      await one.say('one')
      await one.work()
      aheadMs += 60_000
      await other.work()
      const requests = [...one.requests, ...other.requests]
      const seen = new Set(requests.map(({ tools }) => tools.map(({ name }) => name).join(' ')))
      expect(seen.size, `lost ${side} step ${n}`).toBe(1)
      lists.add([...seen].join(''))
    }
  // Before its first step nothing is begun: the next worker begins the session.
  expect(lists.size).toBe(2)
})

test('a list that is not known yet is not kept, and one that fails takes nothing else along', async () => {
  const { feature, set } = shelf()
  set(undefined)
  const broken: Feature = {
    name: 'broken',
    tools: () => {
      throw new Error('away')
    },
  }
  const stage = createStage({ features: [{ name: 'own', tools: [look] }, feature] })
  await stage.ask('one')
  expect(names(stage)).toEqual(['look'])
  expect((await stage.state()).tools).toBeUndefined()
  set([tool('late')])
  await stage.ask('two')
  expect(names(stage)).toEqual(['look', 'late'])
  set([])
  await stage.ask('three')
  expect(names(stage)).toEqual(['look', 'late'])
  const failures: string[] = []
  const failing = createStage({
    features: [{ name: 'own', tools: [look] }, broken],
    onFeatureFailed: (name, error) => void failures.push(`${name}: ${String(error)}`),
  })
  await failing.ask('one')
  expect(names(failing)).toEqual(['look'])
  expect(failures).toContain('broken: Error: away')
})

test('tools that stay cost a conversation nothing, and others their definitions, once a session', async () => {
  const stored = (stage: Stage): readonly (string | undefined)[] => stage.steps.map(({ parts }) => parts?.['tools'])
  const plain = createStage({ features: [...builtIn, { name: 'own', tools: [tool('first')] }] })
  for (const text of ['one', 'two']) await plain.ask(text)
  expect(stored(plain).filter((part) => part !== undefined)).toEqual([])
  expect((await plain.state()).tools).toBeUndefined()
  const { feature } = shelf(...Array.from({ length: 10 }, (_, n) => tool(`tool_${n}`)))
  const stage = open(feature)
  for (const text of ['one', 'two', 'three']) await stage.ask(text)
  const [part = '', ...more] = stored(stage).filter((one) => one !== undefined)
  expect(more).toEqual([])
  expect(JSON.parse(part)).toHaveLength(10)
  // Name, description and schema: some 120 bytes for a small one.
  expect(Buffer.byteLength(part)).toBeLessThan(1300)
})

test('so many tools and bytes of lists that change are taken; what cannot be used is left out and told', () => {
  const long = 'x'.repeat(3000)
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const given = [tool('look'), tool('no name'), tool('cyclic', { parameters: cyclic }), tool('twice'), tool('twice')]
  const told: string[] = []
  const features = [
    { name: 'shelf', tools: () => given },
    { name: 'own', tools: [look] },
  ]
  const index = indexFeatures(features, (feature, error) => void told.push(`${feature}: ${String(error)}`))
  expect(index.tools.now().map(({ name }) => name)).toEqual(['look', 'twice'])
  expect(index.findTool('look')?.feature.name).toBe('own')
  expect(index.kinds()).toContain('tool:twice')
  expect(told).toEqual([
    'shelf: Error: The tool look is left out: there is another of that name.',
    'shelf: Error: A tool is left out: its name, description or parameters are none.',
    'shelf: Error: A tool is left out: its name, description or parameters are none.',
    'shelf: Error: The tool twice is left out: there is another of that name.',
  ])
  index.tools.now()
  expect(told).toHaveLength(4)
  const changing = (list: readonly Tool[]) => findTools([{ name: 'shelf', tools: () => list }])
  const many = changing(Array.from({ length: 100 }, (_, n) => tool(`t${n}`)))
  expect([many.changing.length, many.leftOut.length]).toEqual([mostChanging, 100 - mostChanging])
  const large = changing(Array.from({ length: 20 }, (_, n) => tool(`t${n}`, { description: long })))
  expect(large.changing.reduce((sum, one) => sum + one.told.length, 0)).toBeLessThan(mostChangingBytes)
  expect(large.changing.length).toBeGreaterThan(9)
})

test('what is stored as a list and is none is corrupt', () => {
  const { tools } = indexFeatures([shelf(tool('first')).feature])
  expect(() => tools.shown('[{"name":1}]')).toThrow('CORRUPT')
  const kept = JSON.stringify([{ name: 'old', description: 'Old.', parameters: {} }])
  expect(tools.shown(kept)).toBe(tools.shown(kept))
  expect(tools.shown(tools.toKeep())).toBe(tools.now())
})
