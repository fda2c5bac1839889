// How memory is written to Meilisearch: in batches, in order, and told only when it is done.
import { Meilisearch } from 'meilisearch'
import { afterEach, expect, test } from 'vitest'
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { document, scope, startEngine } from './meilisearch-rig.ts'

const { signal } = new AbortController()
let opened: Awaited<ReturnType<typeof startEngine>> | undefined
afterEach(async () => await opened?.simulator.close())

async function start(...options: Parameters<typeof startEngine>) {
  opened = await startEngine(...options)
  return opened
}

const master = ({ simulator }: Pick<Awaited<ReturnType<typeof startEngine>>, 'simulator'>) =>
  new Meilisearch({ host: simulator.url, apiKey: simulator.masterKey })

test('makes the index with its settings, says so, and sends settings only where they differ', async () => {
  const world = await start()
  const { engine, settings, news, heard } = world
  await engine.put([document('1', 'tea')])
  expect(news).toEqual([{ kind: 'made' }])
  expect(heard('PATCH')).toBe(1)
  const tell = (one: { readonly kind: string }) => void told.push(one.kind)
  const told: string[] = []
  const options = { tell, patience: { firstPollMs: 2 } }
  await openMeilisearchEngine(settings, options).prepare()
  expect([heard('PATCH'), told]).toEqual([1, []])
  await master(world)
    .index('memory')
    .updateSettings({ typoTolerance: { enabled: true } })
    .waitTask()
  await openMeilisearchEngine(settings, options).prepare()
  expect([heard('PATCH'), told]).toEqual([3, ['changed']])
})

test('two processes may make the index at once', async () => {
  const { settings, simulator } = await start({ batchMs: 20 })
  const open = () => openMeilisearchEngine(settings, { tell: () => undefined, patience: { firstPollMs: 2 } })
  await Promise.all([open().prepare(), open().prepare()])
  await open().put([document('1', 'tea')])
  expect(simulator.count('memory')).toBe(1)
})

test('is done when searches find it, not when it was accepted', async () => {
  const { engine, simulator } = await start()
  await engine.prepare()
  simulator.stick()
  let isDone = false
  const putting = engine.put([document('1', 'tea')]).then(() => (isDone = true))
  await expect.poll(() => simulator.requests.at(-1)?.path).toMatch(/^\/tasks\//)
  expect([isDone, simulator.count('memory')]).toEqual([false, 0])
  simulator.unstick()
  await putting
  expect((await engine.readAll([scope], 5, signal)).map(({ entry }) => entry.id)).toEqual(['1'])
})

test('what comes while a write is under way goes together, a thousand at most, in order', async () => {
  const { engine, simulator, heard } = await start({ batchMs: 5 })
  await engine.prepare()
  const all = Array.from({ length: 2500 }, (_, i) => document(`${i % 2400}`, `tea ${i}`))
  await Promise.all(Array.from({ length: 50 }, (_, i) => engine.put(all.slice(i * 50, i * 50 + 50))))
  expect(simulator.count('memory')).toBe(2400)
  expect(heard('POST /indexes/memory/documents')).toBeLessThanOrEqual(3)
  const { having } = await engine.count([scope], ['0', '2400'], signal)
  expect([...having.values()]).toEqual([0, 1])
})

test('the last of two writes of one entry stands', async () => {
  const { engine } = await start()
  await Promise.all([
    engine.put([document('1', 'first')]),
    engine.drop([{ scope, id: '1' }]),
    engine.put([document('1', 'second')]),
    engine.put([document('1', 'third')]),
  ])
  expect((await engine.readAll([scope], 5, signal)).map(({ entry }) => entry.text)).toEqual(['third'])
})

test('what is dropped is found nowhere, and stands in no file', async () => {
  const { engine, simulator, heard } = await start()
  await engine.put([document('1', 'zeppelin'), document('2', 'tea')])
  await Promise.all([
    engine.drop([
      { scope, id: '1' },
      { scope, id: 'unknown' },
    ]),
    engine.drop([{ scope: 'user:web:bob', id: '2' }]),
  ])
  expect(simulator.readFile('memory')).not.toContain('zeppelin')
  expect((await engine.readAll([scope], 5, signal)).map(({ entry }) => entry.id)).toEqual(['2'])
  expect(heard('/compact')).toBe(1)
})

test('one document that the server does not like costs only itself, and is told', async () => {
  const world = await start()
  const { engine, simulator, news } = world
  await engine.prepare()
  const embedders = {
    mem: { source: 'userProvided' as const, dimensions: 2 },
    other: { source: 'userProvided' as const, dimensions: 2 },
  }
  await master(world)
    .index('memory')
    .updateSettings({ embedders: { mem: embedders.mem } })
    .waitTask()
  await engine.put([document('1', 'tea')])
  await master(world).index('memory').updateSettings({ embedders: {} }).waitTask()
  const there = [1, 2, 3, 4].map((n) => document(`${n}`, `tea ${n}`))
  const ids = await Promise.all(there.slice(0, 3).map(async (one) => await engine.put([one]).then(() => one.entry.id)))
  expect(ids).toEqual(['1', '2', '3'])
  // These three know the second embedder; the fourth is new, says nothing of it, and is refused.
  const raw = master(world).index('memory')
  const { results } = await raw.getDocuments({ limit: 10 })
  await raw.updateDocuments(results.map((one) => ({ ...one, _vectors: { mem: null, other: null } }))).waitTask()
  expect((await raw.updateSettings({ embedders }).waitTask()).status).toBe('succeeded')
  await engine.put(there.map(({ entry }) => document(entry.id, `coffee ${entry.id}`)))
  expect(news.slice(1)).toEqual([{ kind: 'refused', code: 'vector_embedding_error' }])
  const found = await engine.readAll([scope], 10, signal)
  expect(found.map(({ entry }) => entry.text).toSorted()).toEqual(['coffee 1', 'coffee 2', 'coffee 3'])
  expect(simulator.count('memory')).toBe(3)
})

test('behind a task that never ends nothing more is sent, until it has ended', async () => {
  const { engine, simulator, heard } = await start({ patience: { firstPollMs: 2, mostMs: 30 } })
  await engine.prepare()
  simulator.stick()
  await expect(engine.put([document('1', 'tea')])).rejects.toMatchObject({
    code: 'store-unavailable',
    message: expect.stringContaining('disk is full'),
  })
  const sent = heard('POST /indexes/memory/documents')
  await expect(engine.put([document('2', 'tea')])).rejects.toThrow('nothing more is sent')
  expect(heard('POST /indexes/memory/documents')).toBe(sent)
  simulator.unstick()
  await simulator.idle()
  await engine.put([document('2', 'tea')])
  expect(simulator.count('memory')).toBe(2)
})

test('an index that was lost is made anew with the next write, and its owner hears that it is empty', async () => {
  const { engine, simulator, news } = await start()
  await engine.put([document('1', 'tea')])
  simulator.lose('memory')
  await expect(engine.put([document('2', 'tea')])).rejects.toMatchObject({
    code: 'store-unavailable',
    retry: { afterMs: expect.any(Number) },
  })
  await engine.put([document('2', 'tea')])
  expect(news).toEqual([{ kind: 'made' }, { kind: 'made' }])
  expect(simulator.count('memory')).toBe(1)
  simulator.lose('memory')
  await engine.drop([{ scope, id: '2' }])
})

test('an index that somebody deleted is made anew before anything is written', async () => {
  const { engine, simulator, news } = await start()
  await engine.prepare()
  simulator.lose('memory')
  await engine.prepare()
  expect(news).toEqual([{ kind: 'made' }, { kind: 'made' }])
  expect(simulator.count('memory')).toBe(0)
})

test('without the operator’s key the index has to be there', async () => {
  const { settings } = await start()
  const { reader, writer } = settings.keys
  const engine = openMeilisearchEngine(
    { url: settings.url, keys: { reader, writer } },
    { tell: () => undefined, patience: { firstPollMs: 2 } },
  )
  await engine.prepare()
  await expect(engine.put([document('1', 'tea')])).rejects.toThrow('index_not_found')
})

test.each([
  [{ kind: 'drop', after: true }],
  [{ kind: 'drop' }],
  [{ kind: 'busy', retryAfterS: 3 }],
  [{ kind: 'page', status: 502 }],
] as const)('a write that met %j is told as failed, and may be written again', async (fault) => {
  const { engine, simulator } = await start()
  await engine.prepare()
  simulator.fail(fault)
  const error: unknown = await engine.put([document('1', 'tea')]).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    code: 'store-unavailable',
    retry: { afterMs: fault.kind === 'busy' ? 3000 : expect.any(Number) },
  })
  await engine.put([document('1', 'tea')])
  expect((await engine.readAll([scope], 5, signal)).length).toBe(1)
})

test('any text is given back as it was, half a sign too', async () => {
  const { engine } = await start()
  const odd = 'a\ud800 "quoted" \\ \n\u0000 中文 😀'
  await engine.put([document(odd, odd, { speaker: odd, session: odd, ordinal: 2, scope: `user:${odd}` })])
  const [found] = await engine.readAll([`user:${odd}`], 5, signal)
  expect(found?.entry).toEqual({
    scope: `user:${odd}`,
    id: odd,
    kind: 'fact',
    text: odd,
    atMs: 0,
    speaker: odd,
    session: odd,
    ordinal: 2,
  })
})
