// What the Meilisearch simulator does with what is written: tasks, batches, indexes, settings. Through the official client.
import { MeilisearchApiError, MeilisearchTaskTimeOutError } from 'meilisearch'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startMeilisearch, type MeiliSimulator } from '#test/simulators/meilisearch/simulator.ts'
import { connect, fill } from './meilisearch-rig.ts'

let simulator: MeiliSimulator
beforeEach(async () => void (simulator = await startMeilisearch({ batchMs: 5 })))
afterEach(() => simulator.close())

const codeOf = async (call: Promise<unknown>): Promise<string | undefined> =>
  await call.then(
    () => undefined,
    (error: unknown) =>
      error instanceof MeilisearchApiError ? (error.cause?.code ?? String(error.response.status)) : String(error),
  )

describe('tasks', () => {
  test('what is read between acceptance and the end is the old state', async () => {
    const index = await fill(simulator, ['old'])
    simulator.stick()
    const sent = await index.addDocuments([{ id: '0', scope: 'a', tok: 'new', ord: 0 }])
    expect(sent).toMatchObject({ taskUid: 3, indexUid: 'memory', status: 'enqueued', type: 'documentAdditionOrUpdate' })
    expect((await index.search('"old"')).hits).toHaveLength(1)
    simulator.unstick()
    const task = await index.tasks.waitForTask(sent, { interval: 5 })
    expect(task).toMatchObject({
      uid: 3,
      status: 'succeeded',
      canceledBy: null,
      error: null,
      details: { receivedDocuments: 1, indexedDocuments: 1 },
      duration: expect.stringMatching(/^PT\d+\.\d+S$/),
    })
    expect((await index.search('"old"')).hits).toHaveLength(0)
  })

  test('additions and deletions by id go together; a deletion by filter never joins what waits before it', async () => {
    const index = await fill(simulator, ['one'])
    const document = (id: string) => ({ id, scope: 'a', tok: 'x', ord: 9 })
    simulator.stick()
    const sent = [
      await index.addDocuments([document('1')]),
      await index.deleteDocuments(['1', 'unknown']),
      await index.addDocuments([document('2')]),
      await index.deleteDocuments({ filter: 'ord = 9' }),
      await index.addDocuments([document('3')]),
    ]
    simulator.unstick()
    await simulator.idle()
    const tasks = await Promise.all(sent.map(({ taskUid }) => index.tasks.getTask(taskUid)))
    const [first = 0] = tasks.map(({ batchUid }) => batchUid ?? 0)
    expect(tasks.map(({ batchUid }) => (batchUid ?? 0) - first)).toEqual([0, 0, 0, 1, 2])
    expect(tasks.map(({ details }) => details?.deletedDocuments)).toEqual([undefined, 1, undefined, 1, undefined])
    expect(tasks[3]?.details).toMatchObject({ originalFilter: '"ord = 9"', providedIds: 0 })
    expect(tasks[1]?.details).toMatchObject({ originalFilter: null, providedIds: 2 })
  })

  test('a task that never ends is seen by its age alone, and can be canceled', async () => {
    const index = await fill(simulator, ['one'])
    simulator.stick()
    const sent = await index.addDocuments([{ id: '7', scope: 'a', tok: 'x', ord: 7 }])
    await expect(index.tasks.waitForTask(sent, { timeout: 30, interval: 5 })).rejects.toBeInstanceOf(
      MeilisearchTaskTimeOutError,
    )
    const client = connect(simulator)
    expect(await client.health()).toEqual({ status: 'available' })
    const open = await client.tasks.getTasks({ statuses: ['enqueued', 'processing'], reverse: true, limit: 1 })
    expect(open.results).toMatchObject([{ uid: sent.taskUid }])
    const canceling = await client.tasks.cancelTasks({ statuses: ['enqueued', 'processing'] })
    expect(await index.tasks.getTask(sent.taskUid)).toMatchObject({ status: 'canceled', canceledBy: canceling.taskUid })
    simulator.unstick()
    await simulator.idle()
    expect((await client.tasks.getTask(canceling.taskUid)).details).toMatchObject({ matchedTasks: 1, canceledTasks: 1 })
  })

  test('lists tasks, the newest first, a page at a time', async () => {
    await fill(simulator, ['one'])
    const { tasks } = connect(simulator)
    const first = await tasks.getTasks({ limit: 2 })
    expect(first).toMatchObject({ total: 3, limit: 2, from: 2, next: 0, results: [{ uid: 2 }, { uid: 1 }] })
    expect((await tasks.getTasks({ types: ['settingsUpdate'] })).results).toMatchObject([{ uid: 1 }])
    expect(await codeOf(tasks.getTask(99))).toBe('task_not_found')
    // @ts-expect-error There is no such status.
    expect(await codeOf(tasks.getTasks({ statuses: ['done'] }))).toBe('invalid_task_statuses')
  })

  test('a bad id fails its own task alone', async () => {
    const index = await fill(simulator, [])
    const document = (id: string) => ({ id, tok: 'x', scope: 'a', ord: 1 })
    const sent = [document('ok'), document('a b'), document('z'.repeat(512))].map((one) => index.addDocuments([one]))
    const tasks = await Promise.all(sent.map((one) => one.waitTask()))
    expect(tasks.map(({ status, error }) => error?.code ?? status)).toEqual([
      'succeeded',
      'invalid_document_id',
      'invalid_document_id',
    ])
    // @ts-expect-error The id is missing.
    expect((await index.addDocuments([{ tok: 'x' }]).waitTask()).error?.code).toBe('missing_document_id')
  })
})

describe('documents', () => {
  test('POST replaces, PUT merges, and the last of two alike wins', async () => {
    const index = connect(simulator).index('things')
    await index.addDocuments([{ id: 1, a: 1, b: 1 }], { primaryKey: 'id' }).waitTask()
    await index.updateDocuments([{ id: 1, b: 2 }]).waitTask()
    expect(await index.getDocument(1)).toEqual({ id: 1, a: 1, b: 2 })
    await index
      .addDocuments([
        { id: 1, c: 1 },
        { id: 1, c: 2 },
      ])
      .waitTask()
    expect(await index.getDocument(1)).toEqual({ id: 1, c: 2 })
    expect(await codeOf(index.getDocument(2))).toBe('document_not_found')
  })

  test('fetches by ids and by filter', async () => {
    const index = await fill(simulator, ['one', 'two', ['b', 'three']])
    expect(await index.getDocuments({ ids: ['2', 'none', '0'], fields: ['id'] })).toEqual({
      results: [{ id: '2' }, { id: '0' }],
      offset: 0,
      limit: 20,
      total: 2,
    })
    expect((await index.getDocuments({ filter: 'scope = a' })).total).toBe(2)
  })

  test('takes lines of JSON, and refuses what is broken, too large, or half a sign', async () => {
    const small = await startMeilisearch({ mostPayloadBytes: 1000 })
    const index = connect(small).index('things')
    try {
      const send = (text: string) => index.addDocumentsFromString(text, 'application/x-ndjson', { primaryKey: 'id' })
      expect((await send('{"id":1}\n{"id":2}\n').waitTask()).details).toMatchObject({ indexedDocuments: 2 })
      expect(await codeOf(send('{"id":'))).toBe('malformed_payload')
      expect(await codeOf(send('{"id":1,"t":"\\ud800"}'))).toBe('malformed_payload')
      expect(await codeOf(send(JSON.stringify({ id: 1, t: 'x'.repeat(1000) })))).toBe('payload_too_large')
    } finally {
      await small.close()
    }
  })

  test('what is deleted stays in the data file until it is compacted', async () => {
    const index = await fill(simulator, ['one'])
    await index.deleteDocuments(['0']).waitTask()
    expect(simulator.readFile('memory')).toContain('one')
    await index.compact().waitTask()
    expect(simulator.readFile('memory')).toBe('')
  })

  test('deletes by filter only where one may ask, and never by none', async () => {
    const index = await fill(simulator, ['one'])
    expect((await index.deleteDocuments({ filter: 'tok = one' }).waitTask()).error?.code).toBe(
      'invalid_document_filter',
    )
    expect(await codeOf(index.deleteDocuments({ filter: '' }))).toBe('invalid_document_filter')
    expect((await index.deleteDocuments({ filter: 'scope = A' }).waitTask()).details).toMatchObject({
      deletedDocuments: 1,
    })
  })
})

describe('indexes', () => {
  test('made, there already, swapped, compacted, gone', async () => {
    const client = connect(simulator)
    const index = await fill(simulator, ['one'])
    expect((await client.createIndex('memory').waitTask()).error?.code).toBe('index_already_exists')
    expect(await codeOf(client.createIndex('a b'))).toBe('invalid_index_uid')
    await client.createIndex('next', { primaryKey: 'id' }).waitTask()
    await client.swapIndexes([{ indexes: ['memory', 'next'], rename: false }]).waitTask()
    expect(simulator.count('memory')).toBe(0)
    expect((await index.search('')).hits).toHaveLength(0)
    expect((await client.index('next').search('')).hits).toHaveLength(1)
    expect((await client.swapIndexes([{ indexes: ['memory', 'none'], rename: false }]).waitTask()).error?.code).toBe(
      'index_not_found',
    )
    expect((await client.index('next').compact().waitTask()).details).toHaveProperty('postCompactionSize')
    expect((await client.deleteIndex('next').waitTask()).status).toBe('succeeded')
    expect((await client.deleteIndex('next').waitTask()).error?.code).toBe('index_not_found')
    expect((await client.getStats()).indexes).toMatchObject({ memory: { numberOfDocuments: 0 } })
  })

  test('settings are given back whole, sets in an order of their own, and a bad rule is refused', async () => {
    const index = await fill(simulator, ['one'])
    expect(await index.getSettings()).toMatchObject({
      filterableAttributes: ['ord', 'scope', 'session'],
      typoTolerance: { enabled: false, disableOnNumbers: false, minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 } },
      pagination: { maxTotalHits: 1000 },
      proximityPrecision: 'byWord',
    })
    expect(await codeOf(index.updateSettings({ rankingRules: ['best'] }))).toBe('invalid_settings_ranking_rules')
    // @ts-expect-error There is no such setting.
    expect(await codeOf(index.updateSettings({ speed: 'high' }))).toBe('bad_request')
    const task = await index.updateSettings({ rankingRules: null }).waitTask()
    expect(task.details).toEqual({ rankingRules: null })
    expect((await index.getSettings()).rankingRules).toHaveLength(6)
  })
})
