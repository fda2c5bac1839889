// Redis moves to its replica while the old primary lives on: every kind of connection leaves it and finds the new one.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectKernel, connectProducer, connectWorker, type RedisClient } from '#queues/connection.ts'
import { startProxy } from '#test/rig/proxy.ts'
import { startReplica } from '#test/rig/redis-replica.ts'
import { findFreePort, startRedis } from '#test/rig/redis.ts'
import { startCluster } from '#test/rig/redis-cluster.ts'

const kinds = { kernel: connectKernel, producer: connectProducer, worker: connectWorker }

function open(connect: (url: string) => RedisClient, url: string): RedisClient {
  const client = connect(url)
  onTestFinished(() => client.disconnect())
  return client
}

/** Until a write is taken, as callers repeat it; resolves with how often it was refused. */
async function write(client: RedisClient, key: string): Promise<number> {
  for (let refused = 0; refused < 200; refused += 1) {
    const taken = await client.eval("return redis.call('SET', KEYS[1], 'kept')", 1, key).catch(() => undefined)
    if (taken === 'OK') return refused
    await sleep(25)
  }
  throw new Error('Every write was refused.')
}

describe('an address that moves to the replica', () => {
  test.each(Object.entries(kinds))('is followed by a %s connection', { timeout: 60_000 }, async (_, connect) => {
    await using primary = await startRedis({ aof: true })
    await using replica = await startReplica(primary)
    await using proxy = await startProxy(primary.port)
    const client = open(connect, proxy.url)
    await write(client, 'before')
    await replica.failOver()
    proxy.moveTo(replica.redis.port)
    // The first refusal ends the old connection; the next writes wait for the new one, a tenth of a second.
    expect(await write(client, 'after')).toBeLessThan(40)
    expect(await replica.redis.admin.mget('before', 'after')).toEqual(['kept', 'kept'])
    expect(proxy.counts().connections).toBe(2)
  })
})

test('sentinels tell where the primary is', { timeout: 60_000 }, async () => {
  await using primary = await startRedis()
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-sentinel-'))
  const port = await findFreePort()
  const file = path.join(folder, 'sentinel.conf')
  writeFileSync(file, `port ${port}\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 ${primary.port} 1\n`)
  const sentinel = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' })
  onTestFinished(async () => {
    sentinel.kill('SIGKILL')
    await once(sentinel, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const client = open(connectKernel, `sentinel://127.0.0.1:${port}/main`)
  await write(client, 'found')
  expect(await primary.admin.get('found')).toBe('kept')
})

test('a cluster takes its password', { timeout: 60_000 }, async () => {
  await using cluster = await startCluster()
  for (const node of cluster.nodes) await node.cli('CONFIG', 'SET', 'requirepass', 'p@ss')
  const client = open(connectKernel, cluster.url.replace('cluster://', 'cluster://:p%40ss@'))
  for (const key of ['one', 'two', 'three', 'four']) await write(client, key)
  const sizes = await Promise.all(cluster.nodes.map(({ admin }) => admin.dbsize()))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(4)
})

test.each(['clusters://127.0.0.1:', 'sentinels://127.0.0.1:'])('%s speaks TLS from its first byte', async (start) => {
  const first = Promise.withResolvers<number | undefined>()
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', (bytes: Buffer) => first.resolve(bytes[0]))
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  open(connectKernel, `${start}${port}${start.startsWith('sentinel') ? '/main' : ''}`)
  const handshake = 0x16
  expect(await first.promise).toBe(handshake)
})
