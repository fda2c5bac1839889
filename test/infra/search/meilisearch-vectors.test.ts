// Vectors in Meilisearch: its embedder is set up when the first comes; what cannot be set up costs the vectors alone; nothing of one stays behind.
import { Meilisearch } from 'meilisearch'
import { afterEach, expect, test } from 'vitest'
import { toNumbers } from '#infra/search/meilisearch-documents.ts'
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import type { SearchDocument } from '#services/memory/search/document.ts'
import { toVector } from '#test/simulators/model/embeddings.ts'
import { document, scope, startEngine } from './meilisearch-rig.ts'

const { signal } = new AbortController()
let opened: Awaited<ReturnType<typeof startEngine>> | undefined
afterEach(async () => await opened?.simulator.close())
const start = async () => (opened = await startEngine())

const valuesOf = (text: string, dimensions = 64): Float32Array => Float32Array.from(toVector(text, dimensions))
const withVector = (id: string, text: string, dimensions = 64): SearchDocument => ({
  ...document(id, text),
  vector: { model: 'm', mark: `mark-${text}`, values: valuesOf(text, dimensions) },
})
const near = (text: string, dimensions = 64, scopes = [scope]) => ({
  scopes,
  model: 'm',
  values: valuesOf(text, dimensions),
  most: 20,
})

test('sets the embedder up with the first vector, and gives the nearest without those that have none', async () => {
  const { engine } = await start()
  await engine.put([document('1', 'tea'), document('2', 'the invoice')])
  expect(await engine.proposeNear(near('home'), signal)).toEqual([])
  await engine.put([withVector('3', 'Ann lives in Lyon'), withVector('4', 'a boat')])
  const [first, ...others] = await engine.proposeNear(near('home'), signal)
  expect(first).toMatchObject({ entry: { id: '3' }, mark: 'mark-Ann lives in Lyon' })
  expect(first?.cosine).toBeGreaterThan(0.5)
  expect(others.map(({ entry }) => entry.id)).toEqual(['4'])
  expect(await engine.proposeNear(near('home', 64, ['user:web:bob']), signal)).toEqual([])
})

test('vectors of another length are refused with what to do, and words are written and found all the same', async () => {
  const { engine } = await start()
  await engine.put([withVector('1', 'Ann lives in Lyon')])
  await expect(engine.put([withVector('2', 'a boat', 32)])).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('memory reindex'),
  })
  expect(await engine.proposeNear(near('home', 32), signal)).toEqual([])
  await engine.put([document('3', 'tea')])
  expect(await engine.readAll([scope], 5, signal)).toHaveLength(2)
})

test('without the operator’s key words are found, and vectors are not', async () => {
  const { settings, engine } = await start()
  await engine.prepare()
  const { reader, writer } = settings.keys
  const other = openMeilisearchEngine(
    { ...settings, keys: { reader, writer } },
    { tell: () => undefined, patience: { firstPollMs: 2 } },
  )
  await other.put([withVector('1', 'Ann lives in Lyon')])
  expect(await other.proposeNear(near('home'), signal)).toEqual([])
  expect(await other.readAll([scope], 5, signal)).toHaveLength(1)
})

test('an index that is lost has its embedder again with the next vector', async () => {
  const { engine, settings, simulator } = await start()
  await engine.put([withVector('1', 'Ann lives in Lyon')])
  await new Meilisearch({ host: simulator.url, apiKey: simulator.masterKey }).deleteIndex('memory').waitTask()
  // Another process makes it anew.
  await openMeilisearchEngine(settings, { tell: () => undefined, patience: { firstPollMs: 2 } }).put([
    document('9', 'tea'),
  ])
  await engine.put([withVector('1', 'Ann lives in Lyon')])
  expect(await engine.proposeNear(near('home'), signal)).toHaveLength(1)
})

test('a vector goes from the file with its entry, and when words are put in its place', async () => {
  const { engine, simulator } = await start()
  const numbers = JSON.stringify(toNumbers(valuesOf('quetzalcoatlus keeps zeppelins')))
  const one = withVector('1', 'quetzalcoatlus keeps zeppelins')
  await engine.put([one, withVector('2', 'a boat')])
  expect(simulator.readFile('memory')).toContain(numbers)
  await engine.drop([one.entry])
  expect(simulator.readFile('memory')).not.toContain(numbers)
  await engine.put([one])
  await engine.put([document('1', 'tea')])
  expect((await engine.proposeNear(near('quetzalcoatlus'), signal)).map(({ entry }) => entry.id)).toEqual(['2'])
})
