// Facts about waiting for the disk: who waits, for how long, and what a lost connection means. The server that can be asked is an older
// one behind a proxy that answers the question.
import { expect, test } from 'vitest'
import { createDiskSync, unseenMs } from '#queues/disk-sync.ts'
import { startRedis } from '#test/rig/redis.ts'
import { startSyncingServer } from '#test/rig/waitaof.ts'

/** Whether it has resolved by the next turns of the event loop. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20))
  return await Promise.race([promise.then(() => true), later])
}

test('waits until the server says that it is on disk; who asks meanwhile shares the next question', async () => {
  await using redis = await startRedis({ aof: true })
  await using server = await startSyncingServer(redis.port)
  const disk = createDiskSync(server.url)
  const first = disk.synced()
  await server.untilAsked(1)
  expect(await isOver(first)).toBe(false)
  const others = [disk.synced(), disk.synced(), disk.synced()]
  server.sync()
  await first
  await server.untilAsked(2)
  expect(await isOver(Promise.any(others))).toBe(false)
  server.sync()
  await Promise.all(others)
  expect(server.asked()).toBe(2)
  disk.close()
})

test('waits no longer than little above a second', { timeout: 10_000 }, async () => {
  await using redis = await startRedis({ aof: true })
  await using server = await startSyncingServer(redis.port)
  const disk = createDiskSync(server.url)
  await disk.synced()
  expect(server.asked()).toBe(1)
  disk.close()
})

test('a connection lost meanwhile leaves nothing acknowledged, and the next question is asked over a new one', async () => {
  await using redis = await startRedis({ aof: true })
  await using server = await startSyncingServer(redis.port)
  const disk = createDiskSync(server.url)
  const asking = disk.synced()
  await server.untilAsked(1)
  server.cut()
  await expect(asking).rejects.toMatchObject({ code: 'store-unavailable' })
  const again = disk.synced()
  await server.untilAsked(2)
  server.sync()
  await again
  disk.close()
})

test('a server that cannot tell is asked once and never waited for', async () => {
  // Newer servers refuse the question without an append-only file, older ones do not know it.
  await using redis = await startRedis()
  const disk = createDiskSync(redis.url)
  for (let i = 0; i < 5; i++) await disk.synced()
  expect(String(await redis.cli('INFO', 'commandstats'))).toMatch(/cmdstat_set:calls=1,/)
  disk.close()
})

test('before what must not be made twice, a server that cannot tell is given more time than it may lose, each time', async () => {
  await using redis = await startRedis()
  const disk = createDiskSync(redis.url)
  for (let i = 0; i < 2; i++) {
    const atMs = performance.now()
    await disk.settled()
    expect(performance.now() - atMs).toBeGreaterThanOrEqual(unseenMs - 5)
  }
  disk.close()
})

test('before what must not be made twice, a server that tells is waited for no longer than that', async () => {
  await using redis = await startRedis({ aof: true })
  await using server = await startSyncingServer(redis.port)
  const disk = createDiskSync(server.url)
  const settled = disk.settled()
  await server.untilAsked(1)
  server.sync()
  const atMs = performance.now()
  await settled
  expect(performance.now() - atMs).toBeLessThan(unseenMs / 2)
  disk.close()
})

test.each(["ERR Command is not available: 'WAITAOF'", 'PROXY This command is switched off here'])(
  'a server that refuses by %j cannot tell: nothing fails, and it is asked no more',
  async (words) => {
    await using redis = await startRedis({ aof: true })
    await using server = await startSyncingServer(redis.port)
    server.refuse(words)
    const disk = createDiskSync(server.url)
    for (let i = 0; i < 3; i++) await disk.synced()
    expect(server.asked()).toBe(1)
    disk.close()
  },
)

test('a server that is no primary any more leaves nothing acknowledged', async () => {
  await using redis = await startRedis({ aof: true })
  await using server = await startSyncingServer(redis.port)
  server.refuse('MASTERDOWN Link with MASTER is down')
  const disk = createDiskSync(server.url)
  await expect(disk.synced()).rejects.toMatchObject({ code: 'store-unavailable' })
  disk.close()
})
