// What stays in Redis once a message is answered and delivered.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { toEndRow, toFirstRow, unbutton } from '#shared/run/out-row.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { createLedger, driveEvent, type Drive } from '#test/rig/kernel-drive.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import {
  freshConversation,
  ignoreDecision,
  messageEvent,
  mustBegin,
  mustClaim,
  queueRows,
  row,
  sender,
  step,
  turnDecision,
} from '#test/contracts/kernel-fixtures.ts'
import { type BenchStore, openBenchStore } from '#test/rig/store.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'

let store: BenchStore
let drive: Drive
beforeAll(async () => void (store = await openBenchStore()))
afterAll(() => store.stop())
beforeEach(async () => {
  await store.server.admin.flushall()
  drive = { kernel: store.kernel, ledger: createLedger(), snapshotBytes: 600 }
})

const sent = (receipt: string) => ({ kind: 'sent', receipt }) as const
const usedBytes = async (): Promise<number> =>
  Number(/used_memory:(\d+)/.exec(await store.server.admin.info('memory'))?.[1] ?? 0)

it('keeps at most 200 B of a message that was answered', { timeout: 60_000 }, async ({ annotate }) => {
  const names = Array.from({ length: 200 }, (_, i) => `telegram:${100_000_000 + i}`)
  const talk = async (from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n++) await Promise.all(names.map((name) => driveEvent(drive, name, n)))
  }
  await talk(1, 2)
  const before = await usedBytes()
  const more = 20
  await talk(3, 2 + more)
  const bytes = ((await usedBytes()) - before) / names.length / more
  await annotate(`a message that was answered leaves ${Math.round(bytes)} B`)
  expect(bytes).toBeLessThanOrEqual(200)
})

it('still knows the receipts of the newest rows after very many, and keeps no more than 120', async () => {
  const c = freshConversation()
  const { epoch } = await queueRows(store.kernel, c, [row('r0')])
  await mustBegin(store.kernel, sender(c), 'op0')
  for (let n = 0; n < 400; n++) {
    await store.kernel.append(c, epoch, step(`s${n}`, { rows: [row(`r${n + 1}`, 'next', `r${n}`)] }))
    const next = await store.kernel.settle(sender(c), `r${n}`, sent(String(1000 + n)), `op${n + 1}`)
    expect(next).toMatchObject({ kind: 'ROW', row: { replacesReceipt: String(1000 + n) } })
  }
  expect((await readStoredRows(store.server.admin)).length).toBeLessThanOrEqual(121)
})

it('knows the beginning of a reply until its end was sent, whatever is sent meanwhile', async () => {
  const c = freshConversation()
  const [first, end] = [toFirstRow('t1'), toEndRow('t1')]
  const { epoch } = await queueRows(store.kernel, c, [row(first), row('r0')])
  const { id } = await mustBegin(store.kernel, sender(c), 'op')
  expect(id).toBe(first)
  await store.kernel.settle(sender(c), first, sent('77'), 'op0')
  const send = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++) {
      await store.kernel.append(c, epoch, step(`s${n}`, { rows: [row(`r${n + 1}`)] }))
      await store.kernel.settle(sender(c), `r${n}`, sent('1'), `op${n + 1}`)
    }
  }
  await send(0, 300)
  await store.kernel.append(c, epoch, step('end', { rows: [row(end, 'the whole answer', first)] }))
  const last = await store.kernel.settle(sender(c), 'r300', sent('1'), 'last')
  expect(last).toMatchObject({ kind: 'ROW', row: { id: end, replacesReceipt: '77' } })
  await store.kernel.append(c, epoch, step('more', { rows: [row('r400')] }))
  await store.kernel.settle(sender(c), end, sent('77'), 'more')
  await send(400, 600)
  const key = `${partitionPrefix(toPartition(c))}done:${c}`
  expect(await store.server.admin.hexists(key, first)).toBe(0)
})

it('keeps of a message sent in parts the last one, which shows the buttons', async () => {
  const c = freshConversation()
  const { epoch } = await queueRows(store.kernel, c, [row('long')])
  await mustBegin(store.kernel, sender(c), 'op')
  const bodies = Array.from({ length: 5 }, (_, i) => row(`part ${i}`).body)
  await store.kernel.settle(sender(c), 'long', { kind: 'split', bodies }, 'op0')
  for (let n = 1; n <= 5; n++) await store.kernel.settle(sender(c), `long.${n}`, sent(String(n)), `op${n}`)
  expect((await readStoredRows(store.server.admin)).map(({ id }) => id).toSorted()).toEqual(['long', 'long.5'])
  const off = { id: 'off', body: unbutton('long'), expiresInMs: 600_000 }
  await store.kernel.append(c, epoch, step('off', { rows: [off] }))
  expect(await mustBegin(store.kernel, sender(c), 'op6')).toMatchObject({ id: 'off', replacesReceipt: '5' })
})

it('breaks no invariant at rest', async () => {
  const c = freshConversation()
  await driveEvent(drive, c, 1)
  await mustClaim(store.kernel, c)
  expect(await checkInvariants(store.server.admin)).toEqual([])
})

it.each(['idle', 'late'])('a broken %s fails no unit, and takes nothing of what was only overheard', async (kind) => {
  const { kernel } = store
  const c = freshConversation()
  const prefix = partitionPrefix(toPartition(c))
  const hear = async (n: number): Promise<void> => {
    const event = messageEvent(c, n)
    expect(await kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })).toMatchObject({
      kind: 'NEW',
    })
  }
  await hear(1)
  await kernel.route(c, 0, [ignoreDecision])
  expect(await store.server.admin.pttl(`${prefix}c:${c}`)).toBeGreaterThan(0)
  await store.server.admin.set(`${prefix}${kind}`, 'not a set')
  await hear(2)
  expect(await store.server.admin.pttl(`${prefix}c:${c}`)).toBe(-1)
  expect(await kernel.route(c, 1, [turnDecision])).toMatchObject({ kind: 'OK', work: true })
  expect((await mustClaim(kernel, c)).pending).toHaveLength(1)
})
