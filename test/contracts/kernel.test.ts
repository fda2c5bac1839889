// The contract on a private Redis and on the in-memory twin.
import { afterAll } from 'vitest'
import { openMemoryBench, openRedisBench } from '#test/rig/kernel-bench.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { kernelContract } from './kernel-contract.ts'

let server: PrivateRedis | undefined
afterAll(() => server?.stop())

kernelContract('Redis', async () => {
  server = await startRedis()
  return openRedisBench(server.url)
})
kernelContract('in memory', async () => openMemoryBench())
