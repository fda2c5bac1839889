// What a question finds in the graph: names in it, two relations far, what is sure, and what something newer took the place of.
import { expect, test } from 'vitest'
import { lookUp, toGraphLine } from '#services/memory/graph/look-up.ts'
import { findNames } from '#services/memory/graph/names.ts'
import type { NewGraphItem } from '#shared/memory/graph.ts'
import { factOf, foundIn, relationOf } from '#test/rig/found-in.ts'
import { createMemoryGraph } from '#test/twins/memory-graph.ts'

const scope = 'user:web:ann'
const reader = { principal: 'web:ann', timeZone: 'UTC' }
const day = 86_400_000
const saidAt = Date.UTC(2030, 0, 20)
let counted = 0

/** Each of them in a message of its own. */
async function ask(text: string, ...items: readonly NewGraphItem[]): Promise<readonly string[]> {
  const graph = createMemoryGraph(() => saidAt)
  for (const item of items)
    await graph.write(scope, foundIn({ conversation: 'web:home', messages: [`m${(counted += 1)}`] }, [item]))
  const found = await lookUp(graph, { scopes: [scope, 'global'], text, principal: 'web:ann' })
  return found.map(({ statement }) => toGraphLine(statement, reader).replace(/ \(said by .* on 2030-01-\d\d/, ' ('))
}
const at = (daysAgo: number, more: Partial<Pick<NewGraphItem, 'confidence' | 'speaker' | 'name'>> = {}) => ({
  saidAt: saidAt - daysAgo * day,
  ...more,
})

test('names are found in rows of words and in parts of Chinese', () => {
  expect(findNames("Where does Bob Smith's team meet?", 'web:ann')).toEqual(
    expect.arrayContaining(['bob', 'bob smith', "bob smith's", 'bob smith', 'team meet']),
  )
  expect(findNames('我和蓝鲸科技有什么关系', 'web:ann')).toEqual(expect.arrayContaining(['@web:ann', '蓝鲸科技']))
  expect(findNames('who uses Node.js here?', 'web:ann')).toContain('node.js')
  expect(findNames('在Acme工作', 'web:ann')).toContain('acme')
  expect(findNames('Where is Bob?', 'web:ann')).not.toContain('@web:ann')
  expect(findNames('很'.repeat(100_000), 'web:ann').length).toBeLessThanOrEqual(2400)
})

test('tells how things belong together, the nearest first, and whose words it rests on', async () => {
  const self = { name: 'Ann', type: 'person', principal: 'web:ann' } as const
  expect(
    await ask(
      'what have I to do with Lyon?',
      { ...relationOf('', 'works at', 'Acme', at(1)), entity: self },
      factOf('Acme', 'city', 'Lyon', at(1)),
      factOf('Bob', 'city', 'Porto', at(1, { speaker: 'web:bob', name: 'Bob' })),
    ),
  ).toEqual(['- the person you talk to: works at Acme (, not confirmed)', '- Acme: city Lyon (, not confirmed)'])
})

test('what is unsure counts once another message says it, too', async () => {
  const unsure = factOf('Bob', 'likes', 'tea', at(1, { confidence: 0.6 }))
  expect(await ask('Bob', unsure)).toEqual([])
  expect(await ask('Bob', unsure, { ...unsure, ...at(0) })).toEqual(['- Bob: likes tea (, not confirmed)'])
  const graph = createMemoryGraph(() => saidAt)
  for (const id of ['g1', 'g2'])
    await graph.write(scope, foundIn({ conversation: 'web:home', messages: ['same'] }, [unsure], id))
  expect(await lookUp(graph, { scopes: [scope], text: 'Bob', principal: 'web:ann' })).toEqual([])
})

test('of what holds once the newer takes the place of the older; other things stand beside each other', async () => {
  const told = await ask(
    'Bob',
    factOf('Bob', 'lives in', 'Lyon', at(9)),
    factOf('Bob', 'lives in', 'Lille', at(2)),
    factOf('Bob', 'likes', 'tea', at(9)),
    factOf('Bob', 'likes', 'jazz', at(2)),
  )
  expect(told.filter((line) => line.includes('until'))).toEqual([
    '- Bob: lives in Lyon (, until 2030-01-18, not confirmed)',
  ])
  expect(told).toHaveLength(4)
})

test('what is confirmed stays beside what contradicts it', async () => {
  const graph = createMemoryGraph(() => saidAt)
  const write = (id: string, item: NewGraphItem) =>
    graph.write(scope, foundIn({ conversation: 'web:home', messages: [id] }, [item], id))
  await write('g1', factOf('Bob', 'lives in', 'Lyon', at(9)))
  await graph.confirm(scope, 'g1/0', 'web:ann')
  await write('g2', factOf('Bob', 'lives in', 'Lille', at(2)))
  const found = await lookUp(graph, { scopes: [scope], text: 'Bob', principal: 'web:ann' })
  expect(found.map(({ statement }) => statement.validTo)).toEqual([undefined, undefined])
  expect(toGraphLine(found[0]?.statement ?? expect.fail(), reader)).toBe(
    '- Bob: lives in Lyon (said by the person you talk to on 2030-01-11)',
  )
})
