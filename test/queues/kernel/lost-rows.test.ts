// What a backlog costs that expired as a whole: its rows are ended in one call, and the notice of them is written once.
import { expect, it } from 'vitest'
import { openRedisBench } from '#test/rig/kernel-bench.ts'
import { startRedis } from '#test/rig/redis.ts'
import { freshConversation, queueRows, row, sender } from '#test/contracts/kernel-fixtures.ts'

it('writes the notice of a hundred lost rows once', async () => {
  const server = await startRedis()
  const bench = await openRedisBench(server.url)
  const c = freshConversation()
  const rows = Array.from({ length: 99 }, (_, i) => row(`r${i}`, 'x'.repeat(15_000)))
  for (let i = 0; i < rows.length; i += 33) {
    const claimed = await queueRows(bench.kernel, c, rows.slice(i, i + 33))
    await bench.kernel.release(c, 'w1', claimed.epoch, true)
  }
  await bench.advance(600_001)
  await server.admin.config('RESETSTAT')
  expect(await bench.kernel.begin(sender(c), 'op1')).toMatchObject({ kind: 'WAIT' })
  const writes = /cmdstat_hset:calls=(\d+)/.exec(await server.admin.info('commandstats'))?.[1]
  expect(Number(writes)).toBeLessThan(2 * rows.length + 10)
  await bench.advance(60_001)
  const told = await bench.kernel.begin(sender(c), 'op2')
  expect(told).toMatchObject({ kind: 'ROW', row: { body: { kind: 'notice', about: 'r98', count: 99, kept: 1 } } })
  await bench.close()
  await server.stop()
})
