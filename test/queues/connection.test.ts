// How the kernel's connection sends, and what it does when the network fails: batches, a limit of silence and no resending, together.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { connectKernel } from '#queues/connection.ts'
import { startProxy, type Proxy } from '#test/rig/proxy.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

const silenceMs = 800
let server: PrivateRedis
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())

const appendScript = "return redis.call('RPUSH', KEYS[1], ARGV[1])"
const append = (redis: Redis, list: string, value: number) => redis.eval(appendScript, 1, list, value)

/** Resolves when the connection that is open now was given up and another one is ready. */
function reconnected(redis: Redis): Promise<void> {
  return new Promise((resolve) => redis.once('close', () => redis.once('ready', resolve)))
}

async function openKernelConnection(proxy: Proxy): Promise<Redis> {
  const redis = connectKernel(proxy.url, silenceMs)
  if (!(redis instanceof Redis)) throw new Error('The proxy stands before one server.')
  await once(redis, 'ready')
  return redis
}

describe('the kernel’s connection', { timeout: 30_000 }, () => {
  for (const mode of ['cut-after-request', 'lose-replies'] as const) {
    it(`never repeats a command whose reply was lost (${mode})`, async () => {
      await using proxy = await startProxy(server.port)
      const redis = await openKernelConnection(proxy)
      const list = `once-${mode}`
      proxy.set(mode)
      const recovered = reconnected(redis)
      const results = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => append(redis, list, i)))
      proxy.set('pass')
      await recovered
      await append(redis, list, 10)
      expect(results.every(({ status }) => status === 'rejected')).toBe(true)
      const stored = await server.admin.lrange(list, 0, -1)
      expect(stored).toHaveLength(11)
      expect(new Set(stored).size).toBe(11)
      redis.disconnect()
    })
  }

  it('sends a batch before the replies of the one before it have come', async () => {
    await using proxy = await startProxy(server.port)
    const redis = await openKernelConnection(proxy)
    proxy.set('delay', silenceMs / 2)
    const first = append(redis, 'overlap', 1)
    await new Promise((resolve) => setImmediate(resolve))
    const second = append(redis, 'overlap', 2)
    await expect.poll(() => server.admin.llen('overlap'), { interval: 10, timeout: silenceMs / 4 }).toBe(2)
    expect(await Promise.all([first, second])).toEqual([1, 2])
    redis.disconnect()
  })

  it('writes the commands of one turn of the event loop together, at most 32', async () => {
    await using proxy = await startProxy(server.port)
    const redis = await openKernelConnection(proxy)
    const writes = vi.spyOn(redis.stream, '_writev')
    await Promise.all(Array.from({ length: 70 }, (_, i) => append(redis, 'together', i)))
    expect(writes.mock.calls.map(([chunks]) => chunks.length)).toEqual([32, 32, 6])
    expect(await redis.lrange('together', 0, -1)).toEqual(Array.from({ length: 70 }, (_, i) => String(i)))
    redis.disconnect()
  })

  it('fails every command in flight at once when the connection is cut', async () => {
    await using proxy = await startProxy(server.port)
    const redis = await openKernelConnection(proxy)
    proxy.set('delay', 300)
    const startedAtMs = performance.now()
    const calls = Promise.allSettled(Array.from({ length: 200 }, (_, i) => append(redis, 'cut', i)))
    setTimeout(() => proxy.set('cut'), 50)
    const results = await calls
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(200)
    expect(performance.now() - startedAtMs).toBeLessThan(silenceMs)
    expect(new Set(await server.admin.lrange('cut', 0, -1)).size).toBe(await server.admin.llen('cut'))
    redis.disconnect()
  })

  it('fails every command on a half-open connection within the limit of silence, and leaves that connection', async () => {
    await using proxy = await startProxy(server.port)
    const redis = await openKernelConnection(proxy)
    proxy.set('swallow')
    proxy.set('pass')
    const recovered = reconnected(redis)
    const startedAtMs = performance.now()
    const results = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => append(redis, 'half-open', i)))
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(performance.now() - startedAtMs).toBeLessThan(silenceMs + 300)
    await recovered
    expect(await append(redis, 'half-open', 50)).toBe(1)
    expect(proxy.counts().connections).toBe(2)
    redis.disconnect()
  })

  it('does not take its own being busy for silence of Redis', async () => {
    await using proxy = await startProxy(server.port)
    const redis = await openKernelConnection(proxy)
    const call = append(redis, 'busy', 1)
    await new Promise((resolve) => setTimeout(resolve))
    // A batch of work, a pause of the garbage collector, a machine with too much to do.
    for (const endMs = performance.now() + silenceMs * 1.5; performance.now() < endMs;);
    expect(await call).toBe(1)
    expect(proxy.counts().connections).toBe(1)
    redis.disconnect()
  })

  it('fails fast while Redis is away and recovers by itself', async () => {
    await using proxy = await startProxy(server.port)
    const redis = await openKernelConnection(proxy)
    const recovered = reconnected(redis)
    const closed = once(redis, 'close')
    proxy.set('cut')
    await closed
    const startedAtMs = performance.now()
    await expect(append(redis, 'away', 1)).rejects.toThrow()
    expect(performance.now() - startedAtMs).toBeLessThan(100)
    proxy.set('pass')
    await recovered
    expect(await append(redis, 'away', 1)).toBe(1)
    redis.disconnect()
  })

  it('survives a late reply: it is not taken for the answer to a later command', async () => {
    await using proxy = await startProxy(server.port)
    const redis = await openKernelConnection(proxy)
    await append(redis, 'late', 1)
    // Silence is counted in steps of the event loop, which come late on a busy machine.
    proxy.set('delay', silenceMs * 3)
    const recovered = reconnected(redis)
    await expect(append(redis, 'late', 2)).rejects.toThrow()
    proxy.set('pass')
    await recovered
    expect(await append(redis, 'late', 3)).toBe(3)
    expect(await redis.lrange('late', 0, -1)).toEqual(['1', '2', '3'])
    redis.disconnect()
  })
})
