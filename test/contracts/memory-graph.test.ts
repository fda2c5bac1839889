// One suite for the graph of memory on Redis and for its twin: walks, what is forgotten, what ends, bounds, and whose turn it is to be looked at.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisGraph } from '#queues/memory/redis-graph.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { MemoryGraph, NewGraphItem, WalkedItem } from '#shared/memory/graph.ts'
import { factOf, foundIn, relationOf } from '#test/rig/found-in.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { createMemoryGraph } from '#test/twins/memory-graph.ts'

const ann = 'user:web:ann'
const conversation = 'web:home'
const lifeMs = 30 * 86_400_000
let counted = 0
const found = (...items: readonly NewGraphItem[]) => foundIn({ conversation, messages: [`m${(counted += 1)}`] }, items)
const of = (messages: readonly string[], ...items: readonly NewGraphItem[]) =>
  foundIn({ conversation, messages }, items)
const says = ({ item, hop }: WalkedItem): string =>
  `${hop} ${item.entity.name} ${item.key} ${item.kind === 'fact' ? item.value : item.to.name}`

let redis: Store
beforeAll(async () => void (redis = await openStore()))
afterAll(() => redis.stop())

type Opened = {
  readonly graph: MemoryGraph
  readonly forget: (conversation: string, messages: readonly string[] | 'all') => Promise<unknown>
}
const openRedis = async (): Promise<Opened> => {
  await redis.redis.flushall()
  const memory = createRedisMemory(redis.redis, redis.call, comparing)
  return { graph: createRedisGraph(redis.redis, redis.call, comparing), forget: memory.forget }
}
const graphs: Readonly<Record<string, () => Promise<Opened>>> = {
  redis: openRedis,
  async twin() {
    const graph = createMemoryGraph()
    return { graph, forget: graph.forget }
  },
}
const readKeys = (pattern: RegExp): Promise<readonly string[]> =>
  redis.redis.keys('*').then((keys) => keys.filter((key) => pattern.test(key)))

describe.each(Object.entries(graphs))('%s', (_, open) => {
  test('all is told, and single items are taken away', async () => {
    const { graph } = await open()
    await graph.write(ann, found(factOf('Bob', 'lives in', 'Lyon'), relationOf('Bob', 'works at', 'Acme')))
    const all = await graph.readAll(ann)
    expect(all.map(({ key }) => key).toSorted()).toEqual(['lives in', 'works at'])
    const lyon = all.flatMap(({ key, id }) => (key === 'lives in' ? [id] : []))
    expect(await graph.take('user:web:bob', lyon)).toBe(0)
    expect(await graph.take(ann, [...lyon, 'no/1'])).toBe(1)
    expect((await graph.readAll(ann)).map(({ key }) => key)).toEqual(['works at'])
    expect((await graph.walk(ann, ['bob'])).map(says)).toEqual(['0 Bob works at Acme'])
  })

  test('gives facts and relations over two hops, in both directions, the nearest first', async () => {
    const { graph } = await open()
    await graph.write(
      ann,
      found(
        factOf('Bob', 'lives in', 'Lyon'),
        relationOf('Bob', 'works at', 'Acme'),
        relationOf('Zed', 'founded', 'Acme'),
        factOf('Zed', 'born in', '1980'),
        relationOf('Zed', 'married to', 'Yan'),
        factOf('Yan', 'likes', 'tea'),
      ),
    )
    expect((await graph.walk(ann, ['bob'])).map(says)).toEqual([
      '0 Bob lives in Lyon',
      '0 Bob works at Acme',
      '1 Zed founded Acme',
      '2 Zed born in 1980',
    ])
    expect((await graph.walk(ann, ['acme'])).map(says).toSorted()).toEqual([
      '0 Bob works at Acme',
      '0 Zed founded Acme',
      '1 Bob lives in Lyon',
      '1 Zed born in 1980',
      '1 Zed married to Yan',
      '2 Yan likes tea',
    ])
    expect(await graph.walk(ann, ['nobody'])).toEqual([])
    expect(await graph.walk(ann, [])).toEqual([])
    expect(await graph.walk('user:web:bob', ['bob'])).toEqual([])
  })

  test('one name is one entity however it is written, and a person is named by who they are', async () => {
    const { graph } = await open()
    const self = { name: 'Ann', type: 'person', principal: 'web:ann' } as const
    await graph.write(
      ann,
      found(factOf('ACME  Corp.', 'city', 'Lyon'), { ...factOf('', 'likes', 'tea'), entity: self }),
    )
    expect((await graph.walk(ann, ['acme corp'])).map(says)).toEqual(['0 ACME  Corp. city Lyon'])
    expect((await graph.walk(ann, ['@web:ann'])).map(says)).toEqual(['0 Ann likes tea'])
    expect(await graph.walk(ann, ['ann'])).toEqual([])
  })

  test('the surest and newest of an entity come first', async () => {
    const { graph } = await open()
    const before = Date.now() - 20 * 86_400_000
    await graph.write(
      ann,
      found(
        factOf('Bob', 'a', 'old', { saidAt: before }),
        factOf('Bob', 'b', 'unsure', { confidence: 0.55 }),
        factOf('Bob', 'c', 'sure', { confidence: 1 }),
      ),
    )
    expect((await graph.walk(ann, ['bob'])).map(says)).toEqual(['0 Bob c sure', '0 Bob b unsure', '0 Bob a old'])
  })

  test('what a batch finds again takes the place of what it found before', async () => {
    const { graph } = await open()
    await graph.write(
      ann,
      foundIn({ conversation, messages: ['m'] }, [factOf('Bob', 'age', '40'), factOf('X', 'a', 'b')], 'g'),
    )
    const again = foundIn({ conversation, messages: ['m'] }, [factOf('Bob', 'age', '41')], 'g')
    expect(await graph.write(ann, again)).toEqual({ kind: 'written', count: 1 })
    expect(await graph.write(ann, again)).toEqual({ kind: 'written', count: 1 })
    expect((await graph.walk(ann, ['bob', 'x'])).map(says)).toEqual(['0 Bob age 41'])
  })

  test('goes with each message that it came of, in every scope, and what comes late is kept out', async () => {
    const { graph, forget } = await open()
    const batch = of(['a', 'b'], factOf('Bob', 'lives in', 'Lyon'), relationOf('Bob', 'works at', 'Acme'))
    const other = of(['c'], factOf('Bob', 'likes', 'tea'))
    await graph.write(ann, batch)
    await graph.write('chat:web:home', batch)
    await graph.write(ann, other)
    await forget(conversation, ['b'])
    expect((await graph.walk(ann, ['bob', 'acme'])).map(says)).toEqual(['0 Bob likes tea'])
    expect(await graph.walk('chat:web:home', ['bob'])).toEqual([])
    expect(await graph.write(ann, batch)).toEqual({ kind: 'gone' })
    expect(await graph.write(ann, of(['b'], factOf('Bob', 'is', 'back')))).toEqual({ kind: 'gone' })
    await forget(conversation, 'all')
    expect(await graph.walk(ann, ['bob'])).toEqual([])
  })

  test('ends after 30 days unless it is confirmed', async () => {
    const { graph } = await open()
    const saidAt = Date.now() - lifeMs + 700
    await graph.write(
      ann,
      foundIn(
        { conversation, messages: ['m'] },
        [factOf('Bob', 'a', 'b', { saidAt }), factOf('Bob', 'c', 'd', { saidAt })],
        'g',
      ),
    )
    expect(await graph.confirm(ann, 'g/1', 'web:ann')).toBe(true)
    expect(await graph.confirm(ann, 'g/7', 'web:ann')).toBe(false)
    expect(await graph.walk(ann, ['bob'])).toHaveLength(2)
    while ((await graph.walk(ann, ['bob'])).length > 1) await sleep(50)
    expect(await graph.walk(ann, ['bob'])).toMatchObject([{ item: { status: 'confirmed', confirmedBy: 'web:ann' } }])
    expect(await graph.sweep(AbortSignal.timeout(5000))).toBe(1)
    expect(await graph.sweep(AbortSignal.timeout(5000))).toBe(0)
    const late = of(['x'], factOf('Bob', 'e', 'f', { saidAt: Date.now() - lifeMs - 1 }))
    expect(await graph.write(ann, late)).toEqual({ kind: 'written', count: 0 })
  })

  test('an entity has so many facts and relations at most, and a walk gives so many', { timeout: 30_000 }, async () => {
    const { graph } = await open()
    for (let n = 0; n < 60; n++)
      await graph.write(
        ann,
        found(
          factOf('Bob', `fact ${n}`, 'x'),
          ...Array.from({ length: 4 }, (__, i) => relationOf('Bob', 'knows', `Friend ${n * 4 + i}`)),
          factOf(`Friend ${n * 4}`, 'has', 'a cat'),
        ),
      )
    const walked = await graph.walk(ann, ['bob'])
    expect(walked.filter(({ item, hop }) => hop === 0 && item.kind === 'fact')).toHaveLength(25)
    expect(walked.filter(({ item, hop }) => hop === 0 && item.kind === 'relation')).toHaveLength(25)
    expect(walked.length).toBeLessThanOrEqual(300)
    const starts = Array.from({ length: 240 }, (__, n) => `friend ${n}`)
    const known = await Promise.all(starts.map((start) => graph.walk(ann, [start])))
    expect(known.filter((items) => items.some(({ item }) => item.kind === 'relation'))).toHaveLength(200)
  })

  test('of one speaker the third line that waits is looked at, else the last one', async () => {
    const { graph } = await open()
    const who = { conversation, principal: 'web:ann' }
    expect(await graph.claim(who, '0-0')).toBe('now')
    expect([await graph.note(who, '1-0'), await graph.note(who, '2-0')]).toEqual([false, false])
    expect(await graph.note({ ...who, principal: 'web:bob' }, '2-1')).toBe(false)
    expect(await graph.claim(who, '1-0')).toBe('later')
    expect([await graph.claim(who, '2-0'), await graph.claim(who, '2-0')]).toEqual(['now', 'now'])
    expect([await graph.note(who, '2-0'), await graph.note(who, '3-0'), await graph.note(who, '4-0')]).toEqual([
      true,
      false,
      false,
    ])
    expect([await graph.note(who, '5-0'), await graph.note(who, '5-0'), await graph.claim(who, '5-0')]).toEqual([
      true,
      true,
      'now',
    ])
    expect(await graph.claim(who, '4-0')).toBe('later')
    for (let n = 6; n < 160; n++) await graph.note(who, `${n}-0`)
    expect(await graph.claim(who, '3-0')).toBe('late')
  })

  test('counts', async () => {
    const { graph } = await open()
    await graph.count('invented', 3)
    await graph.count('invented')
    await graph.count('written', 0)
    expect(Object.fromEntries(await graph.readCounts())).toMatchObject({ invented: 4, written: 0, misshaped: 0 })
  })
})

test('a full scope drops what ends first, and keeps what is confirmed', { timeout: 60_000 }, async () => {
  const { graph } = await openRedis()
  const saidAt = Date.now() - 5 * 86_400_000
  await graph.write(
    ann,
    foundIn(
      { conversation, messages: ['m'] },
      [factOf('First', 'a', 'b', { saidAt }), factOf('Kept', 'a', 'b', { saidAt })],
      'g',
    ),
  )
  await graph.confirm(ann, 'g/1', 'web:ann')
  for (let n = 0; n < 80; n++)
    await graph.write(
      ann,
      found(...Array.from({ length: 60 }, (_, i) => factOf(`Thing ${(n * 60 + i) % 900}`, `k${n}`, `${i}`))),
    )
  expect(await graph.walk(ann, ['first'])).toEqual([])
  expect(await graph.walk(ann, ['kept'])).toHaveLength(1)
  const [items = ''] = await readKeys(/:gi:/)
  expect(await redis.redis.hlen(items)).toBe(4000)
  const long = 'x'.repeat(200)
  for (let n = 0; n < 80; n++)
    await graph.write(
      ann,
      found(...Array.from({ length: 60 }, (_, i) => factOf(`Long ${(n * 60 + i) % 900}`, `k${n}`, long))),
    )
  expect(Number(await redis.redis.hget(items.replace(':gi:', ':gc:'), 'bytes'))).toBeLessThanOrEqual(2_000_000)
  const bytes = (await redis.redis.hvals(items)).reduce((sum, stored) => sum + Buffer.byteLength(stored), 0)
  expect(Number(await redis.redis.hget(items.replace(':gi:', ':gc:'), 'bytes'))).toBe(bytes)
  // Pointers of batches that are gone went with them.
  const left = await Promise.all((await readKeys(/:mf:/)).map((key) => redis.redis.zcard(key)))
  expect(left.reduce((sum, count) => sum + count, 0)).toBeLessThan(90)
})

test('nothing is left in Redis of what is forgotten or has ended', async () => {
  const { graph, forget } = await openRedis()
  const items = [
    factOf('Zebrafinch', 'eats', 'zebrafinch seeds'),
    relationOf('Zebrafinch', 'lives with', 'Zebrafinch two'),
  ]
  await graph.write(ann, of(['a', 'b'], ...items))
  await forget(conversation, ['a'])
  expect(await readKeys(/:g[a-z]:|graphs/)).toEqual([])
  const saidAt = Date.now() - lifeMs + 300
  await graph.write(ann, of(['c', 'd'], ...items.map((item) => ({ ...item, saidAt }))))
  while ((await graph.sweep(AbortSignal.timeout(5000))) === 0) await sleep(50)
  expect(
    await readKeys(/:g[a-z]:|graphs|:mf:|:mr:/).then((keys) => keys.filter((key) => !key.includes(':mf:'))),
  ).toEqual([])
  const pointers = await Promise.all((await readKeys(/:mf:/)).map((key) => redis.redis.zrange(key, 0, '-1')))
  expect(pointers.flat().filter((pointer) => /^[cd]\n/.test(pointer))).toEqual([])
})
