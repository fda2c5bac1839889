// What most tests of stored state begin with: a private Redis, a connection of ours that is ready, and the kernel on it.
import { once } from 'node:events'
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { openRedisBench, type RedisBench } from './kernel-bench.ts'
import { startRedis, type PrivateRedis, type RedisOptions } from './redis.ts'

export type RedisKernel = {
  readonly kernel: Kernel
  readonly redis: RedisClient
  readonly call: CallUnit
  readonly close: () => void
}
type Options = { readonly patienceMs?: number; readonly silenceMs?: number }
type Owned = AsyncDisposable & { readonly server: PrivateRedis; stop(): Promise<void> }
export type Store = RedisKernel & Owned
export type BenchStore = Omit<RedisBench, 'close'> & Owned

/** The kernel as the fleet runs it, on the real clock, over a server that is there. */
export async function openRedisKernel(url: string, options: Options = {}): Promise<RedisKernel> {
  const redis = connectKernel(url, options.silenceMs ?? 2000)
  if (redis.status !== 'ready') await once(redis, 'ready')
  const call = createUnits(redis, { patienceMs: options.patienceMs ?? 10_000 })
  return { kernel: createRedisKernel(redis, call), redis, call, close: () => redis.disconnect() }
}

export async function openStore(options: Options & RedisOptions = {}): Promise<Store> {
  const server = await startRedis(options)
  const opened = await openRedisKernel(server.url, options)
  return own(server, opened)
}

/** With a clock that can be moved. */
export async function openBenchStore(): Promise<BenchStore> {
  const server = await startRedis()
  return own(server, await openRedisBench(server.url))
}

function own<T extends { readonly close: () => unknown }>(server: PrivateRedis, opened: T): T & Owned {
  const stop = async (): Promise<void> => {
    await opened.close()
    await server.stop()
  }
  return { ...opened, server, stop, [Symbol.asyncDispose]: stop }
}
