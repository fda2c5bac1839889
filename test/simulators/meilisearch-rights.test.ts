// Who may do what at the Meilisearch simulator, what it refuses, and the faults that a test asks for. Through the official client and plain HTTP.
import { MeilisearchApiError, MeilisearchRequestError, MeilisearchRequestTimeOutError } from 'meilisearch'
import { generateTenantToken } from 'meilisearch/token'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startMeilisearch, type MeiliSimulator } from '#test/simulators/meilisearch/simulator.ts'
import { connect, fill } from './meilisearch-rig.ts'

let simulator: MeiliSimulator
beforeEach(async () => void (simulator = await startMeilisearch()))
afterEach(() => simulator.close())

async function refusal(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => 'it was not refused',
    (reason: unknown) => reason,
  )
  return error instanceof MeilisearchApiError ? `${error.response.status} ${error.cause?.code}` : String(error)
}

const makeKey = async (actions: string[], indexes = ['memory'], expiresAt: Date | null = null) =>
  await connect(simulator).createKey({ actions, indexes, expiresAt })

async function raw(method: string, path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${simulator.url}${path}`, { method, ...init })
  return { status: answer.status, text: await answer.text() }
}

describe('keys', () => {
  test('no header and a wrong form are 401, a wrong key is 403, health needs none', async () => {
    expect(await raw('GET', '/health')).toEqual({ status: 200, text: '{"status":"available"}' })
    expect((await raw('GET', '/version')).text).toContain('missing_authorization_header')
    const lower = await raw('GET', '/version', { headers: { authorization: `bearer ${simulator.masterKey}` } })
    expect(lower).toMatchObject({ status: 401, text: expect.stringContaining('missing_authorization_header') })
    expect(await refusal(connect(simulator, 'wrong').getVersion())).toBe('403 invalid_api_key')
    expect((await connect(simulator).getVersion()).pkgVersion).toBe('1.50.0')
  })

  test('a key does what its actions say, in its indexes', async () => {
    await fill(simulator, ['one'])
    const reader = connect(simulator, (await makeKey(['search'])).key)
    expect((await reader.index('memory').search('')).hits).toHaveLength(1)
    expect((await reader.multiSearch({ queries: [{ indexUid: 'memory', q: '' }] })).results).toHaveLength(1)
    expect(await refusal(reader.index('memory').addDocuments([]))).toBe('403 invalid_api_key')
    expect(await refusal(reader.index('other').search(''))).toBe('403 invalid_api_key')
    expect(await refusal(reader.multiSearch({ queries: [{ indexUid: 'other', q: '' }] }))).toBe('403 invalid_api_key')
    const writer = connect(simulator, (await makeKey(['documents.*', 'tasks.get'])).key)
    expect(await refusal(writer.index('memory').search(''))).toBe('403 invalid_api_key')
    expect((await writer.index('memory').addDocuments([]).waitTask()).status).toBe('succeeded')
  })

  test('without the right to make indexes a write to a missing one is accepted and fails', async () => {
    const writer = connect(simulator, (await makeKey(['documents.add', 'tasks.get'])).key)
    expect(
      (
        await writer
          .index('memory')
          .addDocuments([{ id: 1 }])
          .waitTask()
      ).error?.code,
    ).toBe('index_not_found')
  })

  test('a key for a pattern makes such indexes and swaps them; one for a name cannot', async () => {
    await fill(simulator, ['one'])
    const some = connect(simulator, (await makeKey(['indexes.*', 'tasks.get'], ['memory*'])).key)
    expect((await some.createIndex('memory-next').waitTask()).status).toBe('succeeded')
    expect(await refusal(some.createIndex('other'))).toBe('403 invalid_api_key')
    const swap = [{ indexes: ['memory', 'memory-next'] as [string, string], rename: false }]
    const one = connect(simulator, (await makeKey(['indexes.swap'])).key)
    expect(await refusal(one.swapIndexes(swap))).toBe('403 invalid_api_key')
    expect((await some.swapIndexes(swap).waitTask()).status).toBe('succeeded')
  })

  test('the value of a key follows from its id, its actions never change, and it ends', async () => {
    const uid = '6d656d6f-7279-4000-8000-726561646572'
    const client = connect(simulator)
    const given = { uid, actions: ['search'] as ['search'], indexes: ['memory'], expiresAt: null }
    const { key } = await client.createKey(given)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await refusal(client.createKey(given))).toBe('409 api_key_already_exists')
    // @ts-expect-error The client knows that this cannot be changed.
    expect(await refusal(client.updateKey(uid, { actions: ['*'] }))).toBe('400 immutable_api_key_actions')
    await client.deleteKey(uid)
    expect(await refusal(connect(simulator, key).getVersion())).toBe('403 invalid_api_key')
    expect((await client.createKey(given)).key).toBe(key)
    // @ts-expect-error The end is missing.
    expect(await refusal(client.createKey({ actions: [], indexes: [] }))).toBe('400 missing_api_key_expires_at')
    const past = await makeKey(['version'], ['*'], new Date(Date.now() - 1000))
    expect(await refusal(connect(simulator, past.key).getVersion())).toBe('403 invalid_api_key')
    expect((await client.getKeys()).results.length).toBeGreaterThanOrEqual(5)
  })

  test('without a master key all but the keys is open, a wrong one too', async () => {
    const open = await startMeilisearch({ masterKey: '' })
    try {
      const client = connect(open, 'wrong')
      expect((await client.createIndex('memory').waitTask()).status).toBe('succeeded')
      expect(await refusal(client.getKeys())).toBe('401 missing_master_key')
    } finally {
      await open.close()
    }
  })
})

describe('tenant tokens', () => {
  const token = async (searchRules: Record<string, { filter: string } | null> | string[], expiresAt?: Date) => {
    const { key, uid } = await makeKey(['search'], ['*'])
    return await generateTenantToken({ apiKey: key, apiKeyUid: uid, searchRules, ...(expiresAt && { expiresAt }) })
  }

  test('each search is narrowed, whatever its own filter says', async () => {
    await fill(simulator, ['one', ['b', 'two']])
    const client = connect(simulator, await token({ memory: { filter: 'scope = a' } }))
    const index = client.index('memory')
    expect((await index.search('')).hits).toMatchObject([{ scope: 'a' }])
    expect((await index.search('', { filter: 'scope = b OR scope = a' })).hits).toHaveLength(1)
    const query = { indexUid: 'memory', q: '' }
    const several = await client.multiSearch({ queries: [query, { ...query, filter: 'scope = b' }] })
    expect(several.results.map(({ hits }) => hits.length)).toEqual([1, 0])
    expect((await client.multiSearch({ federation: {}, queries: [query] })).hits).toHaveLength(1)
  })

  test('searches and nothing else, where it says so', async () => {
    await fill(simulator, ['one'])
    const client = connect(simulator, await token({ memory: { filter: 'scope = a' } }))
    expect(await refusal(client.index('memory').getDocuments({ filter: 'scope = a' }))).toBe('403 invalid_api_key')
    expect(await refusal(client.index('memory').addDocuments([]))).toBe('403 invalid_api_key')
    expect(await refusal(client.index('other').search(''))).toBe('403 invalid_api_key')
  })

  test('gives everything by * or null, and nothing when it has ended, is forged, or its key is gone', async () => {
    await fill(simulator, ['one', ['b', 'two']])
    for (const rules of [['*'], { memory: null }]) {
      expect(
        (
          await connect(simulator, await token(rules))
            .index('memory')
            .search('')
        ).hits,
      ).toHaveLength(2)
    }
    const search = async (by: string) => await refusal(connect(simulator, by).index('memory').search(''))
    expect(await search(await token(['*'], new Date(Date.now() - 5000)))).toBe('403 invalid_api_key')
    const good = await token(['*'])
    const forged = `${good.slice(0, good.lastIndexOf('.'))}.${'A'.repeat(43)}`
    expect(await search(forged)).toBe('403 invalid_api_key')
    expect(await search(await token({ memory: { filter: 'tok = one' } }))).toBe('400 invalid_search_filter')
  })
})

describe('refusals', () => {
  test('an unknown path is 404 and another method 405, both without words', async () => {
    expect(await raw('GET', '/nothing')).toEqual({ status: 404, text: '' })
    expect(await raw('PUT', '/health')).toEqual({ status: 405, text: '' })
  })

  test('an unknown field or parameter and a missing type of content are refused', async () => {
    await fill(simulator, ['one'])
    const authorization = `Bearer ${simulator.masterKey}`
    const post = (body: string, type?: string, query = '') =>
      raw('POST', `/indexes/memory/search${query}`, {
        body: Buffer.from(body),
        headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
      })
    expect(await post('{}', 'application/json')).toMatchObject({ status: 200 })
    expect(await post('{"query":"x"}', 'application/json')).toMatchObject({
      status: 400,
      text: expect.stringContaining('"code":"bad_request","type":"invalid_request","link":"http'),
    })
    expect((await post('{"limit":"many"}', 'application/json')).text).toContain('invalid_search_limit')
    expect((await post('{}', 'application/json', '?fast=1')).text).toContain('bad_request')
    expect(await post('{}')).toMatchObject({ status: 415, text: expect.stringContaining('missing_content_type') })
    expect((await post('{}', 'text/plain')).text).toContain('invalid_content_type')
    expect((await post('{', 'application/json')).text).toContain('malformed_payload')
  })
})

describe('faults', () => {
  const fails = async (timeout?: number): Promise<unknown> =>
    await connect(simulator, simulator.masterKey, timeout)
      .getVersion()
      .then(
        () => 'no failure',
        (error: unknown) => error,
      )

  test('busy, a page of a proxy, a broken connection, silence: each as the client tells it', async () => {
    simulator.fail(
      { kind: 'busy' },
      { kind: 'page', status: 502 },
      { kind: 'page', status: 200 },
      { kind: 'drop' },
      { kind: 'hang' },
    )
    const busy = await fails()
    expect(busy).toBeInstanceOf(MeilisearchApiError)
    if (busy instanceof MeilisearchApiError) expect(busy.response.headers.get('retry-after')).toBe('10')
    expect(await fails()).toBeInstanceOf(SyntaxError)
    expect(await fails()).toBeInstanceOf(SyntaxError)
    expect(await fails()).toBeInstanceOf(MeilisearchRequestError)
    const late = await fails(20)
    expect(late).toBeInstanceOf(MeilisearchRequestError)
    expect(late instanceof Error && late.cause).toBeInstanceOf(MeilisearchRequestTimeOutError)
    expect(await fails()).toBe('no failure')
  })

  test('what broke after it was carried out was carried out, and requests are listed', async () => {
    const index = await fill(simulator, ['one'])
    simulator.fail({ kind: 'drop', after: true })
    await expect(index.addDocuments([{ id: '5', scope: 'a', tok: 'x', ord: 5 }])).rejects.toBeInstanceOf(
      MeilisearchRequestError,
    )
    await simulator.idle()
    expect(simulator.count('memory')).toBe(2)
    expect(simulator.requests.at(-1)).toMatchObject({ method: 'POST', path: '/indexes/memory/documents' })
    simulator.lose('memory')
    expect(await refusal(index.search(''))).toBe('404 index_not_found')
  })
})
