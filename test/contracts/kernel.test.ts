// The contract on a private Redis and on the in-memory twin.
import { afterAll, expect, it } from 'vitest'
import { openMemoryBench, openRedisBench } from '#test/rig/kernel-bench.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { kernelContract } from './kernel-contract.ts'

let server: PrivateRedis | undefined
afterAll(() => server?.stop())

kernelContract('Redis', async () => {
  server = await startRedis()
  return openRedisBench(server.url)
})
it('leaves no broken invariant behind on Redis', async () => {
  if (!server) throw new Error('The contract on Redis did not run.')
  expect(await server.admin.dbsize()).toBeGreaterThan(100)
  expect(await checkInvariants(server.admin)).toEqual([])
})

kernelContract('in memory', async () => openMemoryBench())
