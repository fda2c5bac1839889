// The contract on a three-node Redis Cluster, and the oracle over what it leaves behind.
import { afterAll, expect, it } from 'vitest'
import { openRedisBench } from '#test/rig/kernel-bench.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { startCluster, type PrivateCluster } from '#test/rig/redis-cluster.ts'
import { openRedisKernel } from '#test/rig/store.ts'
import { kernelContract } from './kernel-contract.ts'

let cluster: PrivateCluster | undefined
afterAll(() => cluster?.stop())

kernelContract('Redis Cluster', async () => {
  cluster = await startCluster()
  return openRedisBench(cluster.url)
})

it('leaves no broken invariant behind', async () => {
  const { redis, close } = await openRedisKernel(cluster?.url ?? '')
  try {
    expect(await checkInvariants(redis)).toEqual([])
  } finally {
    close()
  }
})

it('spreads its conversations over all three nodes', async () => {
  const sizes = await Promise.all((cluster?.nodes ?? []).map((node) => node.admin.dbsize()))
  expect(sizes).toHaveLength(3)
  for (const size of sizes) expect(size).toBeGreaterThan(10)
})
