// The limit of the embedded Redis: of which memory it is taken, and that the server has it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkServer } from '#infra/checks/server-checks.ts'
import { openRedis } from '#infra/redis/embedded-redis.ts'
import { findMemoryLimit } from '#infra/redis/memory-limit.ts'
import { connectWorker } from '#queues/connection.ts'
import { inspectServer } from '#queues/workers/inspect.ts'

const gigabyte = 1e9

test.each([
  ['the machine has less than its container allows', 4 * gigabyte, 8 * gigabyte, 2.4 * gigabyte],
  ['the container allows less', 16 * gigabyte, 1 * gigabyte, 0.6 * gigabyte],
  ['there is no container', 8 * gigabyte, 0, 4.8 * gigabyte],
  ['the container has no limit', 8 * gigabyte, 2 ** 63, 4.8 * gigabyte],
])('is 60 %% of what there is: %s', (_, machine, container, limit) => {
  expect(findMemoryLimit(machine, container)).toBe(limit)
})

test('the embedded Redis has it, and doctor names it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-memory-'))
  const opened = await openRedis({ redisUrl: undefined, dataFolder: folder }, new AbortController().signal)
  const client = connectWorker(opened.url)
  try {
    const facts = await inspectServer(client)
    expect(facts.maxBytes).toBe(findMemoryLimit())
    const memory = checkServer(facts).find(({ about }) => about === 'memory')
    expect(memory).toMatchObject({
      level: 'ok',
      found: expect.stringContaining(`limit of ${Math.round(facts.maxBytes / 1e6)} MB`),
    })
    expect(checkServer({ ...facts, maxBytes: 0 }).find(({ about }) => about === 'memory')).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('no limit'),
    })
  } finally {
    client.disconnect()
    await opened.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
