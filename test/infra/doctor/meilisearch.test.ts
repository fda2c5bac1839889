// What doctor says of a Meilisearch, and of a fleet on several machines without one. And that its document makes the keys that are tried here.
import { readFileSync } from 'node:fs'
import { Meilisearch } from 'meilisearch'
import { afterEach, expect, test } from 'vitest'
import { checkMemoryHosts } from '#infra/checks/memory-hosts.ts'
import { checkMeilisearch } from '#infra/doctor/meilisearch-checks.ts'
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { meiliRights, startSimulated } from '#test/rig/meilisearch.ts'
import { startMeilisearch } from '#test/simulators/meilisearch/simulator.ts'

let world: Awaited<ReturnType<typeof startSimulated>> | undefined
afterEach(async () => await world?.close())

async function start(...options: Parameters<typeof startSimulated>) {
  world = await startSimulated(...options)
  const { settings, simulator } = world
  await openMeilisearchEngine(settings, { tell: () => undefined, patience: { firstPollMs: 2 } }).prepare()
  return { settings, simulator, master: new Meilisearch({ host: simulator.url, apiKey: simulator.masterKey }) }
}

type Given = Parameters<typeof checkMeilisearch>[0]
const look = async (settings: Given): Promise<string[]> =>
  (await checkMeilisearch(settings)).map(({ level, about, found }) => `${level} ${about}: ${found}`)

test('all is well where it was set up as its document says, and nothing of the visit stays', async () => {
  const { settings, simulator } = await start()
  expect(await look(settings)).toEqual([
    'ok Meilisearch rights: nobody comes in without a key, and each key opens what it should',
    'ok Meilisearch version: 1.50.0',
    'ok Meilisearch queue: nothing waits',
    'ok Meilisearch index: 0 documents',
    expect.stringMatching(/^ok Meilisearch round trip: written in \d+ ms, found in \d+ ms, gone in \d+ ms$/),
  ])
  expect(simulator.count('memory')).toBe(0)
})

test('without one, the file of one machine serves, and several machines are told', async () => {
  expect(await look(undefined)).toEqual([
    'ok memory search: SQLite keeps its index, in a file of the data folder: enough for one machine',
  ])
  const living = [{ host: 'b' }, { host: 'a' }, { host: 'a' }]
  expect(checkMemoryHosts(living, { meilisearch: undefined })).toMatchObject([
    { level: 'error', found: expect.stringContaining('2 machines (a, b)') },
  ])
  expect(checkMemoryHosts(living.slice(1), { meilisearch: undefined })).toEqual([])
  const { settings } = await start()
  expect(checkMemoryHosts(living, { meilisearch: settings })).toEqual([])
})

test('a server that is open to everybody', async () => {
  const { settings } = await start()
  const open = await startMeilisearch({ masterKey: '' })
  try {
    expect(await look({ ...settings, url: open.url })).toContain(
      'error Meilisearch rights: everybody may read and change everything, for the server has no master key',
    )
  } finally {
    await open.close()
  }
})

test('keys that open too much, or belong to another role', async () => {
  const { settings, simulator } = await start()
  const { reader, writer, operator } = settings.keys
  const { url } = settings
  const found = async (keys: typeof settings.keys) => (await look({ url, keys })).join('\n')
  expect(await found({ reader, writer: reader, operator })).toContain('the writer may search')
  expect(await found({ reader: operator, writer, operator })).toContain('the reader may add documents')
  const everything = await found({ reader, writer, operator: simulator.masterKey })
  expect(everything).toContain('more than is needed: the operator may list keys')
  expect(everything).not.toContain(simulator.masterKey)
})

test('a reader’s key with another uid', async () => {
  const { settings, master } = await start()
  const { key: reader } = await master.createKey({ actions: ['search'], indexes: ['memory'], expiresAt: null })
  expect(await checkMeilisearch({ ...settings, keys: { ...settings.keys, reader } })).toContainEqual({
    level: 'error',
    about: 'Meilisearch round trip',
    found: expect.stringContaining('403'),
    fix: expect.stringContaining('uid'),
  })
})

test('settings that are not ours, and an index that is missing', async () => {
  const { settings, simulator, master } = await start()
  await master
    .index('memory')
    .updateSettings({ typoTolerance: { enabled: true } })
    .waitTask()
  expect(await look(settings)).toContain(
    'error Meilisearch index: 0 documents, with other settings than ours: typoTolerance',
  )
  simulator.lose('memory')
  const found = await look(settings)
  expect(found).toContain('error Meilisearch index: it is missing')
  expect(found.join('\n')).not.toContain('round trip')
})

test('a queue that does not move, and tasks that failed', async () => {
  const { settings, simulator, master } = await start()
  await master
    .index('memory')
    .addDocuments([{ text: 'no id' }])
    .waitTask()
  expect(await look(settings)).toContain('warning Meilisearch queue: tasks failed within a day: 1 missing_document_id')
  simulator.stick()
  await master.index('memory').addDocuments([{ id: '1' }])
  simulator.age(61_000)
  expect(await look({ ...settings, keys: { ...settings.keys } })).toContainEqual(
    expect.stringMatching(/^error Meilisearch queue: task \d+ waits for 6\d s$/),
  )
})

test('what it wrote into a queue that stands goes again once that moves', { timeout: 30_000 }, async () => {
  const { settings, simulator } = await start()
  simulator.stick()
  expect((await look(settings)).at(-1)).toMatch(/^error Meilisearch round trip/)
  simulator.unstick()
  await simulator.idle()
  expect(simulator.count('memory')).toBe(0)
})

test('a slow write on an idle queue', async () => {
  const { settings } = await start({ batchMs: 320 })
  expect(await checkMeilisearch(settings)).toContainEqual(
    expect.objectContaining({
      level: 'warning',
      about: 'Meilisearch round trip',
      fix: expect.stringContaining('256MiB'),
    }),
  )
})

test('without the operator’s key it says what it did not look at', async () => {
  const { settings } = await start()
  const { reader, writer } = settings.keys
  expect(await look({ url: settings.url, keys: { reader, writer } })).toEqual([
    expect.stringMatching(/^ok Meilisearch rights/),
    'warning Meilisearch: its settings and its queue were not looked at',
    expect.stringMatching(/^ok Meilisearch round trip/),
  ])
})

test('a server that is not there, a wrong key, and a proxy in between', async () => {
  const { settings, simulator } = await start()
  simulator.failAlways({ kind: 'page', status: 502 })
  expect((await look(settings))[0]).toContain('a request without a key got 502, and one with a wrong key 502')
  simulator.failAlways(undefined)
  const wrong = { ...settings, keys: { ...settings.keys, operator: 'e'.repeat(64) } }
  expect((await look(wrong)).at(-1)).toBe('error Meilisearch: it cannot be used: it refused with 403 invalid_api_key.')
  await simulator.close()
  expect(await look(settings)).toEqual(['error Meilisearch: it cannot be used: it is not there.'])
})

test('the document makes these keys, in eight steps', () => {
  const document = readFileSync('infra/docs/meilisearch.md', 'utf8')
  const made = [...document.matchAll(/^ +make_key '(\{.*\})'$/gm)].map(([, json = '']): unknown => JSON.parse(json))
  const expected = Object.entries(meiliRights).map(([role, rights]) => ({
    name: `flotilla ${role}`,
    expiresAt: null,
    ...rights,
  }))
  expect(made).toEqual(expected)
  expect(document.match(/^\d+\. /gm)).toHaveLength(8)
  expect(readFileSync('infra/docs/running.md', 'utf8')).toContain('(meilisearch.md)')
})
