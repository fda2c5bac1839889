// Facts about putting silent conversations away beside one that is broken.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { partitionPrefix, partitions, toPartition } from '#queues/partition.ts'
import { putAwayIdle } from '#queues/workers/put-away.ts'
import { freshConversation, messageEvent, mustClaim, row, step, turnDecision } from '#test/contracts/kernel-fixtures.ts'
import { recorded } from '#test/rig/records.ts'
import { type BenchStore, openBenchStore } from '#test/rig/store.ts'

const idleMs = 30 * 86_400_000
let store: BenchStore
let told: unknown[] = []
beforeAll(async () => void (store = await openBenchStore()))
beforeEach(async () => {
  await store.server.admin.flushall()
  told = []
})
afterAll(() => store.stop())

const key = (c: string, kind: string): string => `${partitionPrefix(toPartition(c))}${kind}:${c}`
const isAway = async (c: string): Promise<boolean> => (await store.server.admin.exists(key(c, 'j'), key(c, 'x'))) === 0

/** A conversation of the web in which one event was answered. */
async function answered(c: string): Promise<void> {
  await store.kernel.ingest({ event: messageEvent(c, 1), dedupeKey: '1', stop: 'none', echo: true })
  await store.kernel.route(c, 0, [turnDecision])
  const { epoch } = await mustClaim(store.kernel, c)
  const end = {
    consume: [1],
    rows: [row('r1')],
    folds: true,
    snapshot: 'all of it',
    rest: 'what was set',
    release: true,
  }
  await store.kernel.append(c, epoch, step('a', end))
}

/** Names of the web in the order of their partitions. */
const names = Array.from({ length: 40 }, () => freshConversation('web')).toSorted(
  (a, b) => toPartition(a) - toPartition(b),
)
const [broken = '', ...healthy] = names

const pass = (): Promise<void> => {
  const onTrouble = (what: string, error: unknown): unknown => told.push([what, error])
  return putAwayIdle(
    { kernel: store.kernel, idleMs, recordsMs: 7 * 86_400_000, everyMs: 1000, onTrouble },
    new AbortController().signal,
  )
}

/** All that is stored of a conversation. */
async function stored(c: string): Promise<readonly (readonly [string, string])[]> {
  const keys = (await store.server.admin.keys(`*:${c}`)).toSorted()
  return await Promise.all(
    keys.map(async (name) => [name, (await store.server.admin.dumpBuffer(name)).toString('hex')] as const),
  )
}

const ofWrongType = ['c', 'r', 'x', 'j', 'in', 'dec', 'stop', 'out', 'dd'].map((kind) => ({
  what: `${kind} is of another type`,
  break: async () => {
    await store.server.admin.del(key(broken, kind))
    await store.server.admin.geoadd(key(broken, kind), 1, 1, 'nonsense')
    if (kind === 'dd') await store.server.admin.set(key(broken, kind), 'nonsense')
  },
}))
const breakages = [
  ...ofWrongType,
  { what: 'its counter is no number', break: () => store.server.admin.hset(key(broken, 'c'), 'seq', 'x') },
  {
    what: 'the count of what it shows is no number',
    break: () => store.server.admin.hset(key(broken, 'c'), 'out', 'x'),
  },
  { what: 'its journal’s end is no number', break: () => store.server.admin.hset(key(broken, 'r'), 'jseq', 'x') },
]
for (const breakage of breakages) {
  test(`leaves a conversation alone, and puts the others away: ${breakage.what}`, async () => {
    for (const name of names) await answered(name)
    await breakage.break()
    const before = (await stored(broken)).filter(([name]) => !name.includes(':dd:'))
    await store.advance(idleMs + 1000)
    await pass()
    await pass()
    expect((await stored(broken)).filter(([name]) => !name.includes(':dd:'))).toEqual(before)
    const awayOfHealthy = await Promise.all(healthy.map(isAway))
    expect(awayOfHealthy).toEqual(healthy.map(() => true))
    expect(told).toEqual([])
  })
}

test('reaches all partitions behind one that cannot be read, and tells of it', async () => {
  for (const name of names) await answered(name)
  const partition = toPartition(broken)
  await store.advance(idleMs + 1000)
  await store.server.admin.set(`${partitionPrefix(partition)}idle`, 'nonsense')
  await pass()
  const others = names.filter((name) => toPartition(name) !== partition)
  expect(others.length).toBeGreaterThan(partitions / 4)
  expect(await Promise.all(others.map(isAway))).toEqual(others.map(() => true))
  expect(told).toEqual([[expect.stringContaining('put away'), expect.objectContaining({ code: 'store-corrupt' })]])
})

test('records that no line names any more go with their silent conversation, and others after their time', async () => {
  const [lost, kept] = ['telegram:lost', 'telegram:kept']
  expect(toPartition(lost)).not.toBe(toPartition(kept))
  for (const c of [lost, kept]) {
    await store.kernel.ingest({ event: messageEvent(c, 1), dedupeKey: '1', stop: 'none', echo: false })
    await store.kernel.route(c, 0, [turnDecision])
    const { epoch } = await mustClaim(store.kernel, c)
    const end = { consume: [1], folds: true, snapshot: 's', rest: '', release: true }
    await store.kernel.append(c, epoch, step('a', { ...end, records: [recorded('t1', ['1'])] }))
  }
  await store.server.admin.del(`${partitionPrefix(toPartition(lost))}records`)
  await store.advance(idleMs + 1000)
  const archive = (c: string) => store.kernel.archive(toPartition(c), idleMs, 100)
  await Promise.all([archive(lost), archive(kept)])
  const left = async (c: string): Promise<number> => await store.server.admin.exists(key(c, 'tr'), key(c, 'tm'))
  expect([await left(lost), await left(kept)]).toEqual([0, 2])
  // It is looked at again, and its line was lost meanwhile.
  await store.server.admin.del(`${partitionPrefix(toPartition(kept))}records`)
  await store.advance(idleMs + 1000)
  for (let i = 0; i < 2; i++) await archive(kept)
  expect(await left(kept)).toBe(0)
  expect(await store.server.admin.zcard(`${partitionPrefix(toPartition(kept))}idle`)).toBe(0)
  const { bytes } = await store.kernel.lookAtRecords(toPartition(lost))
  expect(bytes).toBeLessThan(200)
})
