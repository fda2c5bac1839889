// What doctor tells of work that waits for its time, for its conversation or for its reader, and that nobody would hear of otherwise.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkLate, checkRecords } from '#infra/doctor/checks.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { inspectLate, inspectRecords } from '#queues/workers/inspect.ts'
import type { Letter, Timer } from '#shared/run/step.ts'
import { ann, mustClaim, step } from '#test/contracts/kernel-fixtures.ts'
import { recorded } from '#test/rig/records.ts'
import { openBenchStore, type BenchStore } from '#test/rig/store.ts'

const [from, to] = ['telegram:7', 'telegram:8']
const hourMs = 3_600_000
let store: BenchStore
beforeAll(async () => void (store = await openBenchStore()))
beforeEach(() => store.server.admin.flushall())
afterAll(() => store.stop())

const whose = { v: 1, id: `${from}/s`, principal: ann } as const
const letter: Letter = {
  event: { ...whose, kind: 'letter', conversation: to, from, letter: 'notes.told', payload: '' },
}
const timer: Timer = {
  name: 'notes.remind',
  inMs: hourMs,
  event: { ...whose, kind: 'timer', conversation: from, timer: 'notes.remind', payload: '' },
}

/** As it was written some time ago. */
async function write(agoMs = 0): Promise<void> {
  await store.advance(-agoMs)
  const { epoch } = await mustClaim(store.kernel, from)
  await store.kernel.append(from, epoch, step('s', { letters: [letter], timers: [timer], records: [recorded('t1')] }))
  const partition = toPartition(from)
  await store.kernel.startReading(partition, 'notes.learn', 'w1')
  const passing = { partition, reader: 'notes.learn', before: '0-0', name: '0-1' }
  await store.kernel.passRecord({ ...passing, goesOn: false })
  // It is put off again and again, as while its conversation is parked.
  await store.kernel.acknowledge(partition, to, [], 100 * hourMs)
  await store.advance(agoMs)
}
const examine = async () => [
  ...checkLate(await inspectLate(store.redis)),
  ...checkRecords(await inspectRecords(store.kernel)),
]

test('all is well where nothing waits for long, and where nothing is', async () => {
  expect((await examine()).map(({ level }) => level)).toEqual(['ok', 'ok', 'ok'])
  await write()
  expect((await examine()).map(({ level }) => level)).toEqual(['ok', 'ok', 'ok'])
})

test('an overdue timer, a letter that nobody takes in and a reader that stands still are told', async () => {
  await write(30 * hourMs)
  expect(await examine()).toMatchObject([
    { level: 'error', about: 'timers', found: 'the first is overdue for 29 h' },
    { level: 'warning', about: 'letters', found: `the oldest waits for 30 h, for ${to}` },
    { level: 'warning', about: 'records', found: 'the next one for notes.learn waits for 30 h' },
  ])
})

test('a key that is not ours holds up nothing of it', async () => {
  await write(30 * hourMs)
  await store.redis.set(`${partitionPrefix(toPartition(from))}letters`, 'of somebody else')
  expect(await examine()).toMatchObject([{ level: 'error' }, { level: 'ok' }, { level: 'warning' }])
})
