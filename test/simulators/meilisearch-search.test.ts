// What searches of the Meilisearch simulator find, through the official client. Each fact was measured on a real server.
import { MeilisearchApiError } from 'meilisearch'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startMeilisearch, type MeiliSimulator } from '#test/simulators/meilisearch/simulator.ts'
import { connect, fill } from './meilisearch-rig.ts'

let simulator: MeiliSimulator
beforeEach(async () => void (simulator = await startMeilisearch()))
afterEach(() => simulator.close())

async function refusal(call: Promise<unknown>): Promise<{ status: number; code: string | undefined; message: string }> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(MeilisearchApiError)
  if (!(error instanceof MeilisearchApiError)) throw new Error('it was not refused')
  return { status: error.response.status, code: error.cause?.code, message: error.message }
}

const ids = (hits: readonly { readonly id: string }[]): string[] => hits.map(({ id }) => id)

describe('words', () => {
  test('an unquoted word is also looked for as two words anywhere in a document, a quoted one is not', async () => {
    const index = await fill(simulator, ['x42 42', '4 apples and 2 pears', 'nothing'])
    expect(ids((await index.search('42')).hits)).toEqual(['0', '1'])
    expect(ids((await index.search('"42"')).hits)).toEqual(['0'])
  })

  test('folds case, accents and full width, and cuts at marks', async () => {
    const index = await fill(simulator, ['Naïve café', 'ＡＢＣ err_conn', 'c++'])
    expect(ids((await index.search('"naive"')).hits)).toEqual(['0'])
    expect(ids((await index.search('"abc"')).hits)).toEqual(['1'])
    expect(ids((await index.search('"err-conn"')).hits)).toEqual(['1'])
    expect(ids((await index.search('"c#"')).hits)).toEqual(['2'])
  })

  test('takes ten words of a query, and drops words over 250 bytes', async () => {
    const index = await fill(simulator, ['eleven', 'x'.repeat(260), 'one'])
    const words = 'a b c d e f g h i j eleven'
    expect(ids((await index.search(words, { matchingStrategy: 'frequency' })).hits)).toEqual([])
    expect((await index.search(`"${'x'.repeat(260)}"`)).hits).toHaveLength(3)
  })

  test('"last" never gives up the first word, "frequency" the rarest, "all" none', async () => {
    const index = await fill(simulator, ['red car', 'red house', 'blue house', 'house'])
    const find = async (matchingStrategy: 'last' | 'all' | 'frequency') =>
      ids((await index.search('house blue', { matchingStrategy })).hits)
    expect(await find('last')).toEqual(['2', '1', '3'])
    expect(await find('frequency')).toEqual(['2'])
    expect(await find('all')).toEqual(['2'])
  })

  test('a phrase stands in a row, and a minus leaves out', async () => {
    const index = await fill(simulator, ['new york city', 'york is new', 'new york bay'])
    expect(ids((await index.search('"new york"')).hits)).toEqual(['0', '2'])
    expect(ids((await index.search('"new york" -bay')).hits)).toEqual(['0'])
  })

  test('an empty query finds all, and counts are exact up to maxTotalHits', async () => {
    const index = await fill(simulator, ['a', 'b', 'c'])
    expect((await index.search('')).estimatedTotalHits).toBe(3)
    await index.updateSettings({ pagination: { maxTotalHits: 2 } }).waitTask()
    expect((await index.search('', { limit: 10 })).hits).toHaveLength(2)
    expect((await index.search('')).estimatedTotalHits).toBe(2)
  })
})

describe('filters', () => {
  test('values are trimmed, decomposed and lower-cased', async () => {
    const index = await fill(simulator, [
      ['user:alice', 'one'],
      ['user:ALICE', 'two'],
      [' ｕser:alice ', 'three'],
      ['user:bob', 'four'],
    ])
    expect((await index.search('', { filter: 'scope = "User:Alice"' })).hits).toHaveLength(3)
    expect((await index.search('', { filter: 'scope IN ["user:bob"]' })).hits).toHaveLength(1)
  })

  test('a value of more than 468 bytes is stored and never matches', async () => {
    const [fits, not] = ['s'.repeat(468), 's'.repeat(469)]
    const index = await fill(simulator, [
      [fits, 'one'],
      [not, 'two'],
    ])
    expect((await index.search('', { filter: `scope = "${fits}"` })).hits).toHaveLength(1)
    expect((await index.search('', { filter: `scope = "${not}"` })).hits).toHaveLength(0)
  })

  test('an empty text, an empty list and null are no filter; IN [] finds nothing', async () => {
    const index = await fill(simulator, ['one', 'two'])
    const master = connect(simulator)
    for (const filter of ['', '  ', [], null]) {
      const queries = [{ indexUid: 'memory', q: '', filter }]
      // @ts-expect-error null is no filter of the client's types.
      const { results } = await master.multiSearch({ queries })
      expect(results[0]?.hits).toHaveLength(2)
    }
    expect((await index.search('', { filter: 'scope IN []' })).hits).toHaveLength(0)
  })

  test('an unescaped quote breaks out, an escaped one does not, and a lone backslash is refused', async () => {
    const index = await fill(simulator, ['one', ['b', 'two']])
    const evil = 'x" OR scope = "a'
    expect((await index.search('', { filter: `scope = "${evil}"` })).hits).toHaveLength(1)
    expect((await index.search('', { filter: `scope = "${evil.replaceAll('"', '\\"')}"` })).hits).toHaveLength(0)
    expect(await refusal(index.search('', { filter: 'scope = "a\\b"' }))).toMatchObject({
      status: 400,
      code: 'invalid_search_filter',
    })
  })

  test.each([
    ['ord > 1', ['2', '3']],
    ['ord >= 1 AND ord < 3', ['1', '2']],
    ['ord 1 TO 2', ['1', '2']],
    ['ord IN [0, 3]', ['0', '3']],
    ['NOT ord <= 2', ['3']],
    ['ord NOT IN [0, 1, 2]', ['3']],
    ['(ord = 0 OR ord = 3) AND scope != a', ['3']],
    ['scope STARTS WITH b', ['3']],
    ['ord EXISTS AND NOT session EXISTS', ['0', '1', '2', '3']],
    ['session IS NULL', []],
  ])('reads %s', async (filter, found) => {
    const index = await fill(simulator, ['one', 'two', 'three', ['b', 'four']])
    expect(ids((await index.search('', { filter })).hits)).toEqual(found)
  })

  test('an array is AND of ORs', async () => {
    const index = await fill(simulator, ['one', 'two', ['b', 'three']])
    expect(ids((await index.search('', { filter: [['ord = 0', 'ord = 2'], 'scope = b'] })).hits)).toEqual(['2'])
  })

  test.each([
    ['tok = x', 'invalid_search_filter'],
    ['scope = ', 'invalid_search_filter'],
    ['scope = a b', 'invalid_search_filter'],
    ['scope = "a', 'invalid_search_filter'],
    ['scope CONTAINS a', 'feature_not_enabled'],
  ])('refuses %s', async (filter, code) => {
    const index = await fill(simulator, ['one'])
    expect(await refusal(index.search('', { filter }))).toMatchObject({ status: 400, code })
  })
})

describe('multi-search', () => {
  test('answers in order, and one bad query fails all by its place', async () => {
    await fill(simulator, ['one', 'two'])
    const client = connect(simulator)
    const ask = (...filters: string[]) =>
      client.multiSearch({ queries: filters.map((filter) => ({ indexUid: 'memory', q: '', filter, limit: 0 })) })
    expect((await ask('ord = 0', 'ord < 5')).results.map((one) => one.estimatedTotalHits)).toEqual([1, 2])
    expect(await refusal(ask('ord = 0', 'nonsense'))).toMatchObject({
      status: 400,
      message: expect.stringContaining('Inside `.queries[1]`: '),
    })
    expect((await client.multiSearch({ queries: [] })).results).toEqual([])
    expect(await refusal(client.multiSearch({ queries: [{ indexUid: 'none', q: '' }] }))).toMatchObject({
      status: 400,
      code: 'index_not_found',
    })
    expect(await refusal(client.index('none').search(''))).toMatchObject({ status: 404, code: 'index_not_found' })
  })

  test('a federated one gives each document once, by its best weighted score', async () => {
    await fill(simulator, ['rare common', 'common', 'rare'])
    const client = connect(simulator)
    const query = (q: string, weight: number) => ({ indexUid: 'memory', q, federationOptions: { weight } })
    const found = await client.multiSearch({
      federation: { limit: 10 },
      queries: [query('"common"', 1), query('"rare"', 3)],
    })
    expect(
      found.hits.map((hit) => [
        hit['id'],
        hit['_federation']?.weightedRankingScore,
        hit['_federation']?.queriesPosition,
      ]),
    ).toEqual([
      ['0', 3, 1],
      ['2', 3, 1],
      ['1', 1, 0],
    ])
    expect(found).toMatchObject({ limit: 10, offset: 0, estimatedTotalHits: 3 })
    expect(await refusal(client.multiSearch({ federation: {}, queries: [query('a', -1)] }))).toMatchObject({
      code: 'invalid_multi_search_weight',
    })
    const limited = { ...query('a', 1), limit: 3 }
    expect(await refusal(client.multiSearch({ federation: {}, queries: [limited] }))).toMatchObject({
      code: 'invalid_multi_search_query_pagination',
    })
  })
})

describe('vectors', () => {
  const embedders = { mem: { source: 'userProvided' as const, dimensions: 2 } }
  const withVectors = async () => {
    const client = connect(simulator)
    await client.createIndex('memory', { primaryKey: 'id' }).waitTask()
    await client.index('memory').updateSettings({ embedders }).waitTask()
    return client.index('memory')
  }
  const document = (id: string, mem: unknown) => ({ id, text: 'word', _vectors: { mem } })

  test('one bad vector fails every task of its batch', async () => {
    const index = await withVectors()
    simulator.stick()
    const sent = [
      index.addDocuments([document('good', [1, 0])]),
      index.addDocuments([document('bad', [1, 0, 0])]),
      index.addDocuments([document('none', null)]),
    ]
    await Promise.all(sent)
    simulator.unstick()
    const tasks = await Promise.all(sent.map((one) => one.waitTask()))
    expect(tasks.map(({ status, error }) => [status, error?.code])).toEqual(
      Array.from({ length: 3 }, () => ['failed', 'invalid_vector_dimensions']),
    )
    expect(simulator.count('memory')).toBe(0)
    expect((await index.addDocuments([{ id: 'x' }]).waitTask()).error?.code).toBe('vector_embedding_error')
  })

  test('a later write without vectors keeps the old one', async () => {
    const index = await withVectors()
    await index.addDocuments([document('1', [1, 0])]).waitTask()
    expect((await index.addDocuments([{ id: '1', text: 'other' }]).waitTask()).status).toBe('succeeded')
    const { hits } = await index.search('', {
      vector: [1, 0],
      hybrid: { embedder: 'mem', semanticRatio: 1 },
      showRankingScore: true,
    })
    expect(hits).toMatchObject([{ id: '1', text: 'other', _rankingScore: 1 }])
  })

  test('a vector search is padded with documents that have none, and a keyword answer does not say that it is one', async () => {
    const index = await withVectors()
    await index.addDocuments([document('none', null), document('far', [-1, 0]), document('near', [1, 0])]).waitTask()
    const hybrid = { embedder: 'mem', semanticRatio: 1 }
    const found = await index.search('', { vector: [1, 0], hybrid, showRankingScore: true })
    expect(found.hits.map((hit) => [hit['id'], hit['_rankingScore']])).toEqual([
      ['near', 1],
      ['none', 0],
      ['far', 0],
    ])
    expect(found).toHaveProperty('semanticHitCount', 3)
    expect(await index.search('word', { hybrid: { ...hybrid, semanticRatio: 0.7 } })).toHaveProperty(
      'semanticHitCount',
      0,
    )
    expect(await refusal(index.search('word', { vector: [1, 0] }))).toMatchObject({ code: 'missing_search_hybrid' })
    expect(await refusal(index.search('word', { hybrid }))).toMatchObject({ code: 'vector_embedding_error' })
  })

  test('an embedder is refused where documents never said that they have no vector', async () => {
    const index = await fill(simulator, ['one'])
    expect((await index.updateSettings({ embedders }).waitTask()).status).toBe('failed')
    const client = connect(simulator)
    await client.createIndex('other', { primaryKey: 'id' }).waitTask()
    await client
      .index('other')
      .addDocuments([document('1', null)])
      .waitTask()
    expect((await client.index('other').updateSettings({ embedders }).waitTask()).status).toBe('succeeded')
  })
})
