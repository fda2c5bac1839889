// What memory search asks of Meilisearch, and how it goes on where the server does not answer.
import { afterEach, expect, test } from 'vitest'
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import type { MeiliFault } from '#test/simulators/meilisearch/simulator.ts'
import { document, scope, startEngine } from './meilisearch-rig.ts'

const { signal } = new AbortController()
let opened: Awaited<ReturnType<typeof startEngine>> | undefined
afterEach(async () => await opened?.simulator.close())

async function start(...options: Parameters<typeof startEngine>) {
  opened = await startEngine(...options)
  return opened
}

const failing = async (call: Promise<unknown>) =>
  await call.then(
    () => 'it did not fail',
    (error: unknown) => error,
  )

test('asks by one federated search of quoted tokens, and says what each weighs', async () => {
  const { engine, simulator } = await start()
  await engine.put([document('1', 'Lyon harbour'), document('2', 'Oslo')])
  const weights = new Map([
    ['lyon', 2.5],
    ['oslo', 1],
  ])
  const found = await engine.propose({ scopes: [scope], weights, most: 200 }, signal)
  expect(found.map(({ entry }) => entry.text)).toEqual(['Lyon harbour', 'Oslo'])
  const { body, headers } = simulator.requests.at(-1) ?? {}
  const filter = expect.stringMatching(/^scope IN \["[0-9a-f]{32}"\]$/)
  expect(body).toMatchObject({
    federation: { limit: 200 },
    queries: [
      { indexUid: 'memory', q: '"lyon"', filter, federationOptions: { weight: 2.5 } },
      { q: '"oslo"', filter, federationOptions: { weight: 1 } },
    ],
  })
  expect(headers).toMatchObject({ 'accept-encoding': 'identity' })
})

test('takes the 24 rarest tokens of a question, and 40 where some are Chinese', async () => {
  const { engine, simulator } = await start()
  await engine.prepare()
  const asked = async (...more: string[]) => {
    const words = [...more, ...Array.from({ length: 50 }, (_, i) => `w${i}`)]
    await engine.propose({ scopes: [scope], weights: new Map(words.map((one) => [one, 1])), most: 200 }, signal)
    const { body } = simulator.requests.at(-1) ?? {}
    return typeof body === 'object' && body !== null && 'queries' in body ? body.queries : []
  }
  expect(await asked()).toHaveLength(24)
  expect(await asked('u4e2d')).toHaveLength(40)
})

test('counts exactly, whatever the case of a scope', async () => {
  const { engine } = await start()
  await engine.put([
    document('1', 'tea and tea'),
    document('2', 'tea'),
    document('3', 'tea', { scope: scope.toUpperCase() }),
    document('4', '42'),
    document('5', '4 and 2'),
  ])
  const counts = await engine.count([scope], ['tea', '42', 'none'], signal)
  expect(counts.entries).toBe(4)
  expect(Object.fromEntries(counts.having)).toEqual({ tea: 2, 42: 1, none: 0 })
})

test('the server itself gives nothing beyond the scopes of a request', async () => {
  const { engine, simulator } = await start()
  await engine.put([document('1', 'tea'), document('2', 'tea', { scope: 'user:web:bob' })])
  await engine.readAll([scope], 10, signal)
  const { authorization } = simulator.requests.at(-1)?.headers ?? {}
  const answer = await fetch(`${simulator.url}/indexes/memory/search`, {
    method: 'POST',
    headers: { authorization: String(authorization), 'content-type': 'application/json' },
    body: '{"q":""}',
  })
  expect(await answer.json()).toMatchObject({ hits: [{ tok: expect.stringContaining('tea') }], estimatedTotalHits: 1 })
})

test('reads neighbours by their places, inside their scope', async () => {
  const { engine } = await start()
  const at = (session: string, ordinal: number, of = scope) =>
    document(`${session}${ordinal}${of}`, `${session} ${ordinal}`, { scope: of, session, ordinal })
  await engine.put([at('a', 1), at('a', 2), at('a', 3), at('b', 2), at('a', 2, 'user:web:bob')])
  const found = await engine.readPlaces([{ scope, session: 'a', ordinals: [2, 3, 9] }], signal)
  expect(found.map(({ entry }) => [entry.scope, entry.text])).toEqual([
    [scope, 'a 2'],
    [scope, 'a 3'],
  ])
})

test.each([
  ['refuses connections', { kind: 'drop' }, 'it is not there'],
  ['does not answer in time', { kind: 'hang' }, 'it did not answer in time'],
  ['hides behind a proxy that fails', { kind: 'page', status: 502 }, 'something else answers'],
  ['hides behind a page', { kind: 'page', status: 200 }, 'something else answers'],
  ['is busy', { kind: 'busy' }, 'it refused with 503'],
] as const satisfies readonly (readonly [string, MeiliFault, string])[])(
  'tells where the server %s',
  async (_, fault, told) => {
    const { engine, simulator } = await start({ timeoutMs: fault.kind === 'hang' ? 30 : 5000 })
    await engine.prepare()
    simulator.fail(fault)
    const error = await failing(engine.count([scope], ['tea'], signal))
    expect(error).toMatchObject({ code: 'store-unavailable', message: expect.stringContaining(told) })
    expect(String(error)).not.toContain('tea')
  },
)

test('an index that is gone is told, and so is an answer that nobody understands', async () => {
  const { engine, simulator } = await start()
  await engine.prepare()
  simulator.lose('memory')
  await expect(engine.count([scope], ['tea'], signal)).rejects.toThrow('its index is missing')
})

test('after five failures in a row the server is left alone for ten seconds, then tried once', async () => {
  let nowMs = 1000
  const { engine, simulator } = await start({ nowMs: () => nowMs })
  await engine.prepare()
  const count = async () => await failing(engine.count([scope], ['tea'], signal))
  simulator.failAlways({ kind: 'page', status: 502 })
  for (let i = 0; i < 5; i++) expect(await count()).toMatchObject({ code: 'store-unavailable' })
  const heard = simulator.requests.length
  expect(await count()).toMatchObject({ message: expect.stringContaining('failed several times') })
  expect(simulator.requests.length).toBe(heard)
  nowMs += 10_001
  expect(await Promise.all([count(), count()])).toMatchObject([
    { message: expect.stringContaining('something else') },
    { message: expect.stringContaining('failed several times') },
  ])
  expect(simulator.requests.length).toBe(heard + 1)
  nowMs += 10_001
  simulator.failAlways(undefined)
  expect(await count()).toBe('it did not fail')
  expect(await count()).toBe('it did not fail')
})

test('asks again only when the server that was busy said so', async () => {
  let nowMs = 1000
  const { engine, simulator } = await start({ nowMs: () => nowMs })
  await engine.prepare()
  const count = async () => await failing(engine.count([scope], ['tea'], signal))
  simulator.fail({ kind: 'busy', retryAfterS: 7 })
  expect(await count()).toMatchObject({ retry: { afterMs: 7000 } })
  nowMs += 6999
  expect(await count()).toMatchObject({ code: 'store-unavailable' })
  nowMs += 2
  expect(await count()).toBe('it did not fail')
})

test('who stops waiting is told so, and that counts as no failure', async () => {
  const { engine, simulator } = await start()
  await engine.prepare()
  simulator.failAlways({ kind: 'hang' })
  for (let i = 0; i < 6; i++) {
    const error = await failing(engine.count([scope], ['tea'], AbortSignal.timeout(10)))
    expect(error).toMatchObject({ name: 'TimeoutError' })
  }
  simulator.failAlways(undefined)
  expect((await engine.count([scope], ['tea'], signal)).entries).toBe(0)
})

test('refuses to search without a scope, and to ask for what is no token', async () => {
  const { engine, simulator } = await start()
  await engine.prepare()
  const heard = simulator.requests.length
  await expect(engine.readAll([], 10, signal)).rejects.toMatchObject({ code: 'internal' })
  await expect(engine.count([scope], ['a" OR'], signal)).rejects.toMatchObject({ code: 'internal' })
  expect(simulator.requests.length).toBe(heard)
})

test('a server that is not there fails at once', async () => {
  const { settings, simulator } = await start()
  await simulator.close()
  const engine = openMeilisearchEngine(settings, { tell: () => undefined })
  await expect(engine.count([scope], ['tea'], signal)).rejects.toMatchObject({ code: 'store-unavailable' })
  await expect(engine.put([document('1', 'tea')])).rejects.toMatchObject({ code: 'store-unavailable' })
})
