// What a backlog costs that expired as a whole: its rows are ended in one call, and the notice of them is written once.
import { expect, it } from 'vitest'
import type { OutBody } from '#shared/run/out-row.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { type PrivateRedis } from '#test/rig/redis.ts'
import { freshConversation, queueRows, row, sender } from '#test/contracts/kernel-fixtures.ts'
import { openBenchStore } from '#test/rig/store.ts'

it('writes the notice of a hundred lost rows once', async () => {
  await using bench = await openBenchStore()
  const c = freshConversation()
  const rows = Array.from({ length: 99 }, (_, i) => row(`r${i}`, 'x'.repeat(15_000)))
  for (let i = 0; i < rows.length; i += 33) {
    const claimed = await queueRows(bench.kernel, c, rows.slice(i, i + 33))
    await bench.kernel.release(c, 'w1', claimed.epoch, true)
  }
  await bench.advance(600_001)
  await bench.server.admin.config('RESETSTAT')
  expect(await bench.kernel.begin(sender(c), 'op1')).toMatchObject({ kind: 'WAIT' })
  const writes = /cmdstat_hset:calls=(\d+)/.exec(await bench.server.admin.info('commandstats'))?.[1]
  expect(Number(writes)).toBeLessThan(2 * rows.length + 10)
  await bench.advance(60_001)
  const told = await bench.kernel.begin(sender(c), 'op2')
  expect(told).toMatchObject({ kind: 'ROW', row: { body: { kind: 'notice', about: 'r98', count: 99, kept: 1 } } })
})

it.each([
  ['of another type', (name: string, admin: PrivateRedis['admin']) => admin.multi().del(name).rpush(name, 'x').exec()],
  ['without a time', (name: string, admin: PrivateRedis['admin']) => admin.hset(name, 'x', 'soon')],
])('a stored row %s blocks none that waits before it', async (_, spoil) => {
  await using bench = await openBenchStore()
  const c = freshConversation()
  const rows = ['r1', 'r2', 'r3', 'r4'].map((id) => ({ ...row(id), expiresInMs: id === 'r2' ? 1000 : 600_000 }))
  await queueRows(bench.kernel, c, rows)
  expect(await bench.kernel.begin(sender(c), 'op1')).toMatchObject({ kind: 'ROW', row: { id: 'r1' } })
  await spoil(`${partitionPrefix(toPartition(c))}o:${c}:r3`, bench.server.admin)
  await bench.advance(2000)
  const later = await bench.kernel.settle(sender(c), 'r1', { kind: 'later', afterMs: 20_000 }, 'op2')
  expect(later.kind).toBe('WAIT')
  await bench.advance(20_001)
  expect(await bench.kernel.begin(sender(c), 'op3')).toMatchObject({ kind: 'ROW', row: { id: 'r1' } })
  // The broken row parks the conversation when its turn comes; what was lost is told once it is taken away.
  const told: OutBody[] = []
  let next = await bench.kernel.settle(sender(c), 'r1', { kind: 'sent', receipt: '1' }, 'op4')
  for (let op = 5; op < 12; op++) {
    if (next.kind === 'ROW') told.push(next.row.body)
    else await bench.server.admin.lrem(`${partitionPrefix(toPartition(c))}obq:${c}`, 1, 'r3')
    if (next.kind !== 'ROW') await bench.kernel.unpark(c)
    next =
      next.kind === 'ROW'
        ? await bench.kernel.settle(sender(c), next.row.id, { kind: 'sent', receipt: '2' }, `op${op}`)
        : await bench.kernel.begin(sender(c), `op${op}`)
  }
  expect(told).toHaveLength(2)
  expect(told).toContainEqual(row('r4').body)
  expect(told).toContainEqual(expect.objectContaining({ kind: 'notice', about: 'r2' }))
})
